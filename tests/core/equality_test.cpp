// When `set` and `change` signal (rules C10, Q9), for classes with gaps between their members.
#include <cmath>
#include <cstring>
#include <limits>

#include "world.hpp"

using namespace test;

namespace test_equality {
namespace {

struct Gap {  // bytes between the members
    std::uint8_t kind = 0;
    std::int32_t points = 0;
    bool operator==(const Gap&) const = default;
};
struct Friendly {  // the same with a function that is no member
    std::uint8_t kind = 0;
    std::int32_t points = 0;
    friend bool operator==(const Friendly& a, const Friendly& b) { return a.kind == b.kind && a.points == b.points; }
};
struct Without {  // without operator==
    std::uint8_t kind = 0;
    std::int32_t points = 0;
};
struct Derived : Gap {  // the operator== of the base class ignores `more`
    std::int32_t more = 0;
};
struct Converting {  // a conversion makes == possible, which ignores `points`
    std::uint8_t kind = 0;
    std::int32_t points = 0;
    operator int() const { return kind; }  // NOLINT(google-explicit-constructor)
};
struct Real {
    float x = 0;
    bool operator==(const Real&) const = default;
};
struct Plain {
    float x = 0;
};

// A value of which all bytes that are no members are `gaps`.
template <class T>
void fill(T& value, int gaps, std::uint8_t kind, std::int32_t points) {
    std::memset(static_cast<void*>(&value), gaps, sizeof(T));
    value.kind = kind;
    value.points = points;
}

struct Result {
    bool set = false;     // whether `set` signals
    bool change = false;  // whether `change` does
    bool operator==(const Result&) const = default;
};
template <class T, class Write>
Result signals(const T& before, Write write) {
    Result result;
    for (bool* const signalled : {&result.set, &result.change}) {
        ECS ecs;
        auto& spy = ecs.add_system<Spy<Requires<T>, Watches<T>>>(0);
        const Entity e = ecs.add_entity();
        ecs.add<T>(e);
        write(const_cast<T&>(ecs.get<T>(e)), before);
        ecs.update();
        if (signalled == &result.change) {
            ecs.query<T>().change([&](T& value) { write(value); });
        } else {
            T value{};
            write(value);
            ecs.set<T>(e, value);
        }
        *signalled = !spy.dirty().empty();
    }
    return result;
}
template <class T>
Result signals(int gaps, std::uint8_t kind, std::int32_t points) {
    struct {
        int gaps;
        std::uint8_t kind;
        std::int32_t points;
        void operator()(T& to, const T&) const { fill(to, 0x55, 1, 2); }
        void operator()(T& to) const { fill(to, gaps, kind, points); }
    } write{gaps, kind, points};
    return signals<T>(T{}, write);
}
template <class T>
Result signals_float(float before, float after) {
    struct {
        float before, after;
        void operator()(T& to, const T&) const { to.x = before; }
        void operator()(T& to) const { to.x = after; }
    } write{before, after};
    return signals<T>(T{}, write);
}

constexpr Result NEITHER{false, false};
constexpr Result BOTH{true, true};

}  // namespace

TEST(Equality, C10_Q9_an_equal_value_with_other_bytes_between_its_members_does_not_signal) {
    EXPECT_EQ(signals<Gap>(0x55, 1, 2), NEITHER);
    EXPECT_FALSE(signals<Gap>(0x66, 1, 2).change);
    EXPECT_FALSE(signals<Friendly>(0x66, 1, 2).change);
    EXPECT_EQ(signals<Gap>(0x55, 1, 3), BOTH);
    EXPECT_EQ(signals<Friendly>(0x66, 2, 2), BOTH);
}

TEST(Equality, C10_Q9_bytes_decide_without_an_operator_of_the_class_itself) {
    static_assert(internal::has_own_equality<Gap> && internal::has_own_equality<Friendly>);
    static_assert(!internal::has_own_equality<Without> && !internal::has_own_equality<Derived>);
    static_assert(!internal::has_own_equality<Converting>);
    EXPECT_TRUE(signals<Without>(0x66, 1, 2).change);
    EXPECT_EQ(signals<Converting>(0x55, 1, 3), BOTH);
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Derived>, Watches<Derived>>>(0);
    ecs.add_entity(Derived{});
    ecs.update();
    ecs.query<Derived>().change([](Derived& value) { value.more = 1; });
    EXPECT_EQ(spy.dirty().size(), 1u);
}

TEST(Equality, C10_Q9_a_number_with_equal_bytes_is_equal_and_the_operator_decides_about_minus_zero) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const float same : {0.f, -0.f, 1.f, nan}) {
        EXPECT_EQ(signals_float<Real>(same, same), NEITHER) << same;
        EXPECT_EQ(signals_float<Plain>(same, same), NEITHER) << same;
    }
    EXPECT_EQ(signals_float<Real>(1, nan), BOTH);
    EXPECT_EQ(signals_float<Plain>(0, -0.f), BOTH);
    EXPECT_EQ(signals_float<Real>(0, -0.f), NEITHER);
}

TEST(Equality, D2_C10_set_stores_nothing_if_the_values_are_equal) {
    ECS ecs;
    const Entity e = ecs.add_entity(Real{0}, Plain{0});
    ecs.set(e, Real{-0.f});
    ecs.set(e, Plain{-0.f});
    EXPECT_FALSE(std::signbit(ecs.get<Real>(e).x));
    EXPECT_TRUE(std::signbit(ecs.get<Plain>(e).x));  // another value, which signals
}

}  // namespace test_equality
