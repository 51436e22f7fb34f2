// Callbacks that throw (rule S7) and calls that are misused (rule X1).
#include <limits>

#include "world.hpp"

using namespace test;

namespace {

using Plain = Spy<Requires<Position>>;
using Watcher = Spy<Requires<Position>, Watches<Position>>;

template <class F>
std::string message_of(F&& f) {
    try {
        f();
    } catch (const Error& e) {
        return e.what();
    }
    ADD_FAILURE() << "no Error was thrown";
    return {};
}

}  // namespace

TEST(Errors, S7_an_update_that_throws_ends_the_frame) {
    ECS ecs;
    auto& before = ecs.add_system<Watcher>(0);
    auto& bad = ecs.add_system<Watcher>(1);
    auto& after = ecs.add_system<Watcher>(2);
    const Ids all = ecs.add_entities(2);
    for (const Entity e : all) ecs.add<Position>(e);
    ecs.remove_entity(all[1]);
    bad.at_update = [](double, auto&, auto&) { throw Oops("update"); };
    EXPECT_THROW(ecs.update(0.5), Oops);
    EXPECT_EQ(before.updates, 1);
    EXPECT_EQ(after.updates, 0);
    EXPECT_TRUE(before.dirty().empty());
    EXPECT_EQ(bad.dirty(), all);
    EXPECT_EQ(after.dirty(), all);
    EXPECT_TRUE(ecs.alive(all[1])) << "removals stay pending";
    EXPECT_EQ(ecs.game_time(), 0.5);

    bad.at_update = nullptr;
    ecs.update();
    EXPECT_EQ(bad.dirty_at_update, all);
    EXPECT_EQ(after.dirty_at_update, all);
    EXPECT_FALSE(ecs.alive(all[1]));
}

TEST(Errors, S7_systems_removed_in_a_frame_that_throws_are_removed) {
    ECS ecs;
    auto& bad = ecs.add_system<Plain>(0);
    bad.at_update = [&](double, auto&, auto&) {
        ecs.remove_system(bad);
        throw Oops("update");
    };
    EXPECT_THROW(ecs.update(), Oops);
    EXPECT_TRUE(ecs.systems().empty());
    EXPECT_NO_THROW(ecs.update());
}

TEST(Errors, S7_if_on_add_throws_other_systems_still_track_the_entity) {
    ECS ecs;
    auto& first = ecs.add_system<Watcher>(0);
    auto& second = ecs.add_system<Watcher>(1);
    auto& third = ecs.add_system<Watcher>(2);
    first.at_add = [](Aspect&) { throw Oops("first"); };
    second.at_add = [](Aspect&) { throw std::logic_error("second"); };
    const Entity e = ecs.add_entity();
    EXPECT_THROW(ecs.add<Position>(e, {4, 4}), Oops);
    EXPECT_EQ(ecs.get<Position>(e).x, 4);
    for (Recorder* spy : std::initializer_list<Recorder*>{&first, &second, &third}) {
        EXPECT_EQ(spy->tracking(), Ids{e});
        EXPECT_EQ(spy->dirty(), Ids{e});
    }
    ecs.update();
    EXPECT_EQ(first.dirty_at_update, Ids{e});
}

TEST(Errors, S7_if_on_add_throws_in_a_bulk_call_every_entity_is_still_tracked) {
    ECS ecs;
    auto& spy = ecs.add_system<Plain>(0);
    spy.at_add = [](Aspect&) { throw Oops("each"); };
    const Ids all = ecs.add_entities(5);
    const Position origin;
    EXPECT_THROW(ecs.add<Position>(all, std::span(&origin, 1)), Oops);
    EXPECT_EQ(spy.tracking(), all);
}

TEST(Errors, S7_if_on_remove_throws_the_removal_is_completed) {
    ECS ecs;
    auto& first = ecs.add_system<Plain>(0);
    auto& second = ecs.add_system<Plain>(1);
    first.at_remove = [](Aspect&) { throw Oops("remove"); };
    const Ids all = ecs.add_entities(6);
    for (const Entity e : all) ecs.add<Position>(e);
    EXPECT_THROW(ecs.remove<Position>(all[0]), Oops);
    EXPECT_FALSE(ecs.has<Position>(all[0]));
    EXPECT_THROW(ecs.remove<Position>(std::span(all).subspan(1, 2)), Oops);
    ecs.remove_entities(std::span(all).subspan(3));
    EXPECT_THROW(ecs.update(), Oops);
    EXPECT_EQ(ecs.count(), 3u);
    EXPECT_EQ(first.removed, all);
    EXPECT_EQ(second.removed, all);
    EXPECT_EQ(ecs.storage<Position>().count(), 0u);
    EXPECT_EQ(ecs.storage<Position>().parked_count(), 0u);
    EXPECT_NO_THROW(ecs.update());
}

TEST(Errors, S7_if_init_throws_the_system_is_added_and_tracks_entities) {
    ECS ecs;
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e);
    EXPECT_THROW(ecs.add_system<Plain>(0, [](Recorder& r) { r.at_init = [] { throw Oops("init"); }; }), Oops);
    auto& spy = ecs.get_system<Plain>();
    EXPECT_EQ(spy.tracking(), Ids{e});
    ecs.update();
    EXPECT_EQ(spy.updates, 1);
}

TEST(Errors, S7_if_on_add_throws_while_a_system_is_added_every_entity_is_still_tracked) {
    ECS ecs;
    const Ids all = ecs.add_entities(4);
    for (const Entity e : all) ecs.add<Position>(e);
    EXPECT_THROW(ecs.add_system<Plain>(0, [](Recorder& r) { r.at_add = [](Aspect&) { throw Oops("add"); }; }), Oops);
    EXPECT_EQ(ecs.get_system<Plain>().added, all);
}

TEST(Errors, S7_if_on_remove_throws_the_removal_of_a_system_is_completed) {
    ECS ecs;
    int calls = 0;
    auto& spy = ecs.add_system<Plain>(0, [&](Recorder& r) {
        r.at_remove = [&](Aspect&) {
            ++calls;
            throw Oops("remove");
        };
    });
    for (const Entity e : ecs.add_entities(3)) ecs.add<Position>(e);
    EXPECT_THROW(ecs.remove_system(spy), Oops);
    EXPECT_EQ(calls, 3);
    EXPECT_TRUE(ecs.systems().empty());
    ecs.update();
}

TEST(Errors, S7_if_on_enabled_or_on_disabled_throws_the_state_has_changed) {
    ECS ecs;
    auto& spy = ecs.add_system<Plain>(0);
    spy.at_enabled = spy.at_disabled = [](auto&) { throw Oops("switch"); };
    EXPECT_THROW(ecs.disable_system(spy), Oops);
    EXPECT_FALSE(spy.enabled());
    EXPECT_THROW(ecs.toggle_system(spy), Oops);
    EXPECT_TRUE(spy.enabled());
    ecs.update();
    EXPECT_EQ(spy.updates, 1);
}

TEST(Errors, S7_if_the_handler_of_a_delayed_event_throws_the_frame_is_completed) {
    ECS ecs;
    auto& spy = ecs.add_system<Plain>(0);
    const Entity e = ecs.add_entity();
    ecs.remove_entity(e);
    ecs.events.subscribe<Ping>([](const Ping&) { throw Oops("handler"); });
    ecs.events.dispatch(Ping{}, 0.5);
    EXPECT_THROW(ecs.update(1), Oops);
    EXPECT_EQ(spy.updates, 1);
    EXPECT_FALSE(ecs.alive(e));
}

TEST(Errors, S7_the_first_exception_of_a_frame_is_rethrown) {
    ECS ecs;
    auto& spy = ecs.add_system<Plain>(0);
    ecs.events.subscribe<Ping>([](const Ping&) { throw Oops("handler"); });
    ecs.events.dispatch(Ping{}, 0.5);
    spy.at_update = [](double, auto&, auto&) { throw std::logic_error("update"); };
    EXPECT_THROW(ecs.update(1), Oops);
    EXPECT_THROW(ecs.update(1), std::logic_error);
}

TEST(Errors, S7_after_an_exception_update_and_callbacks_work_again) {
    ECS ecs;
    auto& spy = ecs.add_system<Plain>(0);
    spy.at_add = [](Aspect&) { throw Oops("add"); };
    spy.at_update = [](double, auto&, auto&) { throw 42; };
    const Entity e = ecs.add_entity();
    EXPECT_THROW(ecs.add<Position>(e), Oops);
    EXPECT_THROW(ecs.update(), int);
    EXPECT_THROW(ecs.update(), int) << "not an error of a re-entrant update";
    spy.at_update = nullptr;
    EXPECT_NO_THROW(ecs.update());
    ecs.remove_system(spy);
    EXPECT_TRUE(ecs.systems().empty());
}

TEST(Errors, S7_if_modify_throws_the_entity_keeps_the_component) {
    ECS ecs;
    auto& spy = ecs.add_system<Plain>(0);
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e);
    EXPECT_THROW(ecs.modify<Position>(e, [](Position&) { throw Oops("change"); }), Oops);
    EXPECT_EQ(spy.tracking(), Ids{e});
}

TEST(Errors, S7_if_make_aspect_throws_once_the_aspect_is_created_later) {
    struct FailsAtFirst final : System<> {
        explicit FailsAtFirst(int& n) : failures_left(n) { require<Position>(); }
        std::unique_ptr<Aspect> make_aspect() override {
            if (failures_left-- > 0) throw Oops("make");
            return std::make_unique<Aspect>();
        }
        void update(double) override {}
        using System::entities;
        int& failures_left;
    };
    ECS ecs;
    int failures = 1;
    auto& system = ecs.add_system<FailsAtFirst>(0, failures);
    const Entity e = ecs.add_entity();
    EXPECT_THROW(ecs.add<Position>(e), Oops);
    EXPECT_EQ(system.entities().get(e).entity(), e);
    EXPECT_NO_THROW(ecs.remove<Position>(e));
}

TEST(Errors, X1_codes_are_stable_numbers) {
    const std::vector<std::pair<ErrorCode, int>> codes{
        {ErrorCode::stale_entity, 1}, {ErrorCode::missing_component, 2}, {ErrorCode::bad_system, 3},
        {ErrorCode::bad_argument, 4}, {ErrorCode::reentrant_update, 5},  {ErrorCode::not_initialised, 6},
        {ErrorCode::disposed, 7},     {ErrorCode::out_of_memory, 8},     {ErrorCode::too_deep, 9}};
    for (const auto& [code, number] : codes) EXPECT_EQ(static_cast<int>(code), number);
    const Error error(ErrorCode::bad_argument, "text");
    EXPECT_EQ(error.code(), ErrorCode::bad_argument);
    EXPECT_STREQ(error.what(), "text");
}

TEST(Errors, X1_a_message_names_the_entity_the_component_and_the_call) {
    struct Shield {};
    describe_component<Shield>("Shield");
    ECS ecs;
    const Entity e = ecs.add_entity();
    const std::string missing = message_of([&] { static_cast<void>(ecs.get<Shield>(e)); });
    EXPECT_EQ(missing.find("get"), 0u) << missing;
    EXPECT_NE(missing.find("Shield"), std::string::npos);
    EXPECT_NE(missing.find(to_string(e)), std::string::npos);
    EXPECT_EQ(message_of([&] { ecs.dirty<Shield>(e); }).find("dirty"), 0u) << message_of([&] { ecs.dirty<Shield>(e); });
    EXPECT_EQ(message_of([&] { ecs.modify<Shield>(e, [](Shield&) {}); }).find("modify"), 0u);
    EXPECT_EQ(message_of([&] { ecs.add<Shield>(NONE); }), "add: entity NONE is not alive");
    EXPECT_EQ(message_of([&] { ecs.remove_entity(NONE); }).find("remove_entity"), 0u);
    EXPECT_EQ(message_of([&] { ecs.dirty<Shield>(NONE); }).find("dirty"), 0u);
}

TEST(Errors, X1_a_message_contains_the_value) {
    ECS ecs;
    const auto update = [&](double delta) { return message_of([&] { ecs.update(delta); }); };
    const std::string expected = "update: the delta must be a finite, non-negative number of seconds, not ";
    EXPECT_EQ(update(-0.004), expected + "-0.004");
    EXPECT_EQ(update(-1), expected + "-1");
    EXPECT_EQ(update(-1234567.25), expected + "-1234567.25");
    EXPECT_EQ(update(-2.5e20), expected + "-2.5e20");
    EXPECT_EQ(update(-2.5e-9), expected + "-2.5e-9");
    EXPECT_EQ(update(std::numeric_limits<double>::quiet_NaN()), expected + "NaN");
    EXPECT_EQ(update(std::numeric_limits<double>::infinity()), expected + "Infinity");
    EXPECT_EQ(update(-std::numeric_limits<double>::infinity()), expected + "-Infinity");
    EXPECT_EQ(message_of([&] { ecs.slow_motion().request(0.5, 1); }),
              "slow_motion: the factor must be a finite number of at least 1, not 0.5");
    EXPECT_EQ(message_of([&] { ecs.events.dispatch(Ping{}, -3); }),
              "dispatch: the delay must be a finite, non-negative number of seconds, not -3");
    EXPECT_EQ(message_of([&] { ecs.add_system<Plain>(std::numeric_limits<double>::quiet_NaN()); }),
              "add_system: system Spy: the priority must be a finite number, not NaN");
    EXPECT_EQ(message_of([&] { static_cast<void>(ecs.get_system<Plain>()); }),
              "get_system: no system of class Spy was added to this ECS");
}

TEST(Errors, X1_an_unknown_class_is_a_bad_argument) {
    ECS ecs;
    const Entity e = ecs.add_entity();
    const ComponentId unknown = 1'000'000;
    EXPECT_ERROR(ecs.by_id().add(e, unknown, nullptr), ErrorCode::bad_argument);
    EXPECT_ERROR(ecs.by_id().storage(unknown), ErrorCode::bad_argument);
    EXPECT_ERROR(ecs.by_id().dirty(e, unknown), ErrorCode::bad_argument);
    EXPECT_FALSE(ecs.by_id().has(e, unknown));
    EXPECT_EQ(ecs.by_id().find_storage(unknown), nullptr);
}
