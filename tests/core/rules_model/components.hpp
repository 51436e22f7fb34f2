// The component classes of the test, and how a value is made from a number and read.
#pragma once
#include <crateful/ecs.hpp>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace test::rules_model {

using namespace crateful;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
inline u32 bits(Entity e) { return static_cast<u32>(e); }

struct Plain {
    int x = 0, y = 0;
};
struct Tag {};
struct Text {
    std::string s;
    bool operator==(const Text&) const = default;
};
struct Linear {
    int x = 0;
};
struct LinearList {
    std::vector<int> v;
    bool operator==(const LinearList&) const = default;
};
struct Unique {
    std::unique_ptr<int> p;
};
struct LinearTag {};
struct Named {
    String text;  // as `making` has it
    int x = 0;
};
/// Unknown to the model: what it refers to is compared separately.
struct Aiming {
    Link target;
};

/// The classes as numbers. Those below OWN_CLASSES can be added and removed; `set_parent` adds and removes PARENT.
enum Class : int { PLAIN, TAG, TEXT, LINEAR, LINEAR_LIST, UNIQUE, LINEAR_TAG, NAMED, PARENT, CLASSES };
constexpr int OWN_CLASSES = PARENT;

/// A set of classes as a bit mask.
template <class... C>
constexpr unsigned classes(C... c) {
    return ((1u << c) | ...);
}
constexpr unsigned NO_CLASS = 0;

/// The ECS whose strings are made and read.
inline ECS* making = nullptr;

/// Makes a value from a small number, and the number from a value, or -1 if the value was damaged.
template <class X>
struct Values;
template <>
struct Values<Plain> {
    static Plain make(int v) { return {v, v * 3}; }
    static int get(const Plain& a) { return a.y == a.x * 3 ? a.x : -1; }
};
template <>
struct Values<Tag> {
    static Tag make(int) { return {}; }
    static int get(const Tag&) { return 0; }
};
template <>
struct Values<Text> {
    static Text make(int v) { return v ? Text{"a long string which needs memory " + std::to_string(v)} : Text{}; }
    static int get(const Text& c) { return c.s.empty() ? 0 : std::atoi(c.s.c_str() + 33); }
};
template <>
struct Values<Linear> {
    static Linear make(int v) { return {v}; }
    static int get(const Linear& a) { return a.x; }
};
template <>
struct Values<LinearList> {
    static LinearList make(int v) { return v ? LinearList{{v, v, v}} : LinearList{}; }
    static int get(const LinearList& a) { return a.v.empty() ? 0 : a.v.at(2); }
};
template <>
struct Values<Unique> {
    static Unique make(int v) { return v ? Unique{std::make_unique<int>(v)} : Unique{}; }
    static int get(const Unique& a) { return a.p ? *a.p : 0; }
};
template <>
struct Values<LinearTag> {
    static LinearTag make(int) { return {}; }
    static int get(const LinearTag&) { return 0; }
};
template <>
struct Values<Named> {
    static std::string text(int v) {
        return v ? std::string(static_cast<std::size_t>(v % 3) + 1, 'n') + std::to_string(v) : "";
    }
    static Named make(int v) { return {making->string(text(v)), v}; }
    static int get(const Named& a) { return making->text(a.text) == text(a.x) ? a.x : -1; }
};
/// Calls `f` with the class as a type argument.
template <class F>
auto with_class(int c, F&& f) {
    switch (c) {
        case PLAIN: return f.template operator()<Plain>();
        case TAG: return f.template operator()<Tag>();
        case TEXT: return f.template operator()<Text>();
        case LINEAR: return f.template operator()<Linear>();
        case LINEAR_LIST: return f.template operator()<LinearList>();
        case UNIQUE: return f.template operator()<Unique>();
        case NAMED: return f.template operator()<Named>();
        default: return f.template operator()<LinearTag>();
    }
}
inline bool is_tag(int c) { return c == TAG || c == LINEAR_TAG; }
inline bool is_linear(int c) { return c == LINEAR || c == LINEAR_LIST || c == LINEAR_TAG; }
inline ComponentId id_of_class(int c) {
    return c == PARENT ? PARENT_ID : with_class(c, []<class X>() { return component_id<X>(); });
}

}  // namespace test::rules_model
