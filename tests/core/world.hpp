#pragma once
// Shared by the tests of the ECS: component classes, a system with callbacks that are set by the test, and a check for
// typed errors.
#include <gtest/gtest.h>

#include <concepts>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "crateful/ecs.hpp"

/// Expects `expression` to throw an Error with that code.
#define EXPECT_ERROR(expression, expected)                                                         \
    EXPECT_THROW(                                                                                  \
        try { static_cast<void>(expression); } catch (const crateful::Error& error) {              \
            EXPECT_EQ(static_cast<int>(error.code()), static_cast<int>(expected)) << error.what(); \
            throw;                                                                                 \
        },                                                                                         \
        crateful::Error)

namespace test {

using namespace crateful;
using Ids = std::vector<Entity>;

/// Appends a mark in memory, as a language binding does: extends the last mark if the slot is behind its slots.
inline void queue_mark(ECS& ecs, ComponentId id, Entity e) {
    const Storage& s = ecs.by_id().storage(id);
    if (s.control().watchers == 0) return;
    const std::uint32_t slot = s.slot(e);
    auto& control = const_cast<MarkQueue::Control&>(ecs.by_id().marks().control());
    if (control.last.component == id && control.last.end == slot) {
        ++control.last.end;
        return;
    }
    if (ecs.by_id().marks().full()) ecs.by_id().drain_marks();
    ecs.by_id().marks().append({id, slot, slot + 1});
}

struct Position {
    float x = 0;
    float y = 0;
};
struct Velocity {
    float x = 0;
};
struct Health {
    int points = 0;
};
struct Name {
    std::string text;  // owns memory if it is long enough
};
struct Tag {};
struct Indexed {  // the policy is linear
    std::uint32_t value = 0;
};
inline const auto indexed = describe_component<Indexed>("Indexed").policy(Policy::linear);

struct Ping {};  // an event

/// Thrown by callbacks of tests.
struct Oops : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The entity of this index, in tests that need no ECS.
[[nodiscard]] inline Entity id(std::uint32_t index) { return Entity{index}; }
[[nodiscard]] inline Ids copy(std::span<const Entity> ids) { return {ids.begin(), ids.end()}; }
/// The entities that an iteration over a DirtySet visits.
[[nodiscard]] inline Ids iterate(DirtySet& dirty) {
    Ids all;
    for (const Entity e : dirty) all.push_back(e);
    return all;
}
/// The entities that an iteration over `entities` visits.
template <class A>
[[nodiscard]] Ids iterate(Entities<A>& entities) {
    Ids all;
    for (auto [e, aspect] : entities) all.push_back(e);
    return all;
}

/// A system that records its calls. The test sets its callbacks.
class Recorder : public System<> {
public:
    using Setup = std::function<void(Recorder&)>;

    std::function<void()> at_init, at_clear;
    std::function<void(double, Entities&, DirtySet&)> at_update;
    std::function<void(Aspect&)> at_add, at_remove;
    std::function<void(Entities&)> at_enabled, at_disabled;

    int inits = 0;
    int clears = 0;
    int updates = 0;
    double delta = -1;    // of the last update
    Ids dirty_at_update;  // the dirty set when the last update started
    Ids added;
    Ids removed;

    using System::entities;
    using System::only_when_dirty;
    [[nodiscard]] Ids tracking() { return copy(entities().ids()); }
    [[nodiscard]] Ids dirty() { return copy(dirty_set().ids()); }

    void init() override {
        ++inits;
        call(at_init);
    }
    void on_clear() override {
        ++clears;
        call(at_clear);
    }

protected:
    using System::System;
    void update(double d, Entities& all, DirtySet& dirty) override {
        ++updates;
        delta = d;
        dirty_at_update = copy(dirty.ids());
        call(at_update, d, all, dirty);
    }
    void on_add(Aspect& aspect) override {
        added.push_back(aspect.entity());
        call(at_add, aspect);
    }
    void on_remove(Aspect& aspect) override {
        removed.push_back(aspect.entity());
        call(at_remove, aspect);
    }
    void on_enabled(Entities& all) override { call(at_enabled, all); }
    void on_disabled(Entities& all) override { call(at_disabled, all); }

private:
    /// `callback` is a copy, because the test may replace it while it runs.
    template <class F, class... Args>
    static void call(F callback, Args&&... args) {
        if (callback) callback(args...);
    }
};

template <class... Cs>
struct Requires {};
template <class... Cs>
struct Watches {};

/// A Recorder for these classes: `ecs.add_system<Spy<Requires<Position>, Watches<Velocity>>>(priority)`. A Setup as the
/// next argument sets callbacks before the system is added.
template <class R, class W = Watches<>>
class Spy;
template <class... Rs, class... Ws>
class Spy<Requires<Rs...>, Watches<Ws...>> final : public Recorder {
public:
    explicit Spy(const Setup& setup, bool disabled = false, bool debug = false) : Recorder(disabled, debug) {
        if constexpr (sizeof...(Rs) > 0) require<Rs...>();
        if constexpr (sizeof...(Ws) > 0) watch<Ws...>();
        if (setup) setup(*this);
    }
    Spy() : Spy(Setup{}) {}
    explicit Spy(std::same_as<bool> auto disabled, bool debug = false) : Spy(Setup{}, disabled, debug) {}
};

}  // namespace test
