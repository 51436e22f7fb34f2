#include "crateful/events.hpp"

#include <limits>
#include <optional>

#include "world.hpp"

using namespace test;

namespace {
struct Hit {
    int points = 0;
};
struct Miss {};
}  // namespace

TEST(Events, V1_handlers_are_called_at_dispatch_in_the_order_of_subscription) {
    EventsManager events;
    std::string log;
    events.subscribe<Hit>([&](const Hit& hit) { log += "a" + std::to_string(hit.points); });
    events.subscribe<Hit>([&](const Hit& hit) { log += "b" + std::to_string(hit.points); });
    events.subscribe<Miss>([&](const Miss&) { log += "miss"; });
    events.dispatch(Hit{1});
    EXPECT_EQ(log, "a1b1");
    events.dispatch(Hit{2});
    EXPECT_EQ(log, "a1b1a2b2");
}

TEST(Events, V1_unsubscribe_can_be_called_twice_and_after_the_manager_was_destroyed) {
    std::optional<EventsManager> events(std::in_place);
    int calls = 0;
    const auto first = events->subscribe<Hit>([&](const Hit&) { ++calls; });
    const auto second = events->subscribe<Hit>([&](const Hit&) { ++calls; });
    first();
    first();
    events->dispatch(Hit{});
    EXPECT_EQ(calls, 1);
    events.reset();
    second();
}

TEST(Events, V1_an_inbox_collects_events_from_its_first_use_until_it_is_emptied) {
    EventsManager events;
    events.dispatch(Hit{1});
    auto& inbox = events.inbox<Hit>();
    EXPECT_TRUE(inbox.empty());
    events.dispatch(Hit{2});
    events.dispatch(Miss{});
    events.dispatch(Hit{3});
    ASSERT_EQ(inbox.size(), 2u);
    EXPECT_EQ(inbox[0].points, 2);
    EXPECT_EQ(&events.inbox<Hit>(), &inbox);
    inbox.clear();
    events.dispatch(Hit{4});
    EXPECT_EQ(inbox.size(), 1u);
}

TEST(Events, V1_collect_starts_an_inbox) {
    EventsManager events;
    events.dispatch(Hit{1});
    events.collect<Hit>();
    events.dispatch(Hit{2});
    events.collect<Hit>();  // no effect
    ASSERT_EQ(events.inbox<Hit>().size(), 1u);
    EXPECT_EQ(events.inbox<Hit>().front().points, 2);
}

TEST(Events, V1_delays_are_in_game_time_and_events_with_equal_delays_keep_their_order) {
    EventsManager events;
    std::vector<int> dirty_at_update;
    events.subscribe<Hit>([&](const Hit& hit) { dirty_at_update.push_back(hit.points); });
    events.dispatch(Hit{3}, 2.0);
    events.dispatch(Hit{1}, 1.0);
    events.dispatch(Hit{2}, 1.0);
    events.advance(0.5);
    EXPECT_TRUE(dirty_at_update.empty());
    events.advance(1.0);
    EXPECT_EQ(dirty_at_update, (std::vector{1, 2}));
    events.dispatch(Hit{4}, 0.5);  // at 1.5
    events.advance(5.0);
    EXPECT_EQ(dirty_at_update, (std::vector{1, 2, 4, 3}));
    events.advance(9.0);
    EXPECT_EQ(dirty_at_update.size(), 4u);
}

TEST(Events, V1_a_delayed_event_is_added_to_the_inbox_when_it_is_due) {
    EventsManager events;
    const auto& inbox = events.inbox<Hit>();
    events.dispatch(Hit{1}, 1.0);
    EXPECT_TRUE(inbox.empty());
    events.advance(1.0);
    EXPECT_EQ(inbox.size(), 1u);
}

TEST(Events, V1_a_bad_delay_is_an_error_and_dispatches_nothing) {
    EventsManager events;
    int calls = 0;
    events.subscribe<Hit>([&](const Hit&) { ++calls; });
    for (const double delay :
         {-1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_ERROR(events.dispatch(Hit{}, delay), ErrorCode::bad_argument);
    }
    events.advance(100);
    EXPECT_EQ(calls, 0);
}

TEST(Events, V2_an_event_dispatched_inside_a_handler_is_delivered_immediately) {
    EventsManager events;
    std::string log;
    events.subscribe<Hit>([&](const Hit& hit) {
        log += '(';
        if (hit.points < 3) events.dispatch(Hit{hit.points + 1});
        log += ')';
    });
    events.subscribe<Hit>([&](const Hit& hit) { log += std::to_string(hit.points); });
    events.dispatch(Hit{1});
    EXPECT_EQ(log, "((()3)2)1");
}

TEST(Events, V2_a_delay_inside_the_handler_of_a_delayed_event_starts_at_that_time) {
    EventsManager events;
    int calls = 0;
    events.subscribe<Hit>([&](const Hit&) {
        ++calls;
        events.dispatch(Hit{}, 1.0);
    });
    events.dispatch(Hit{}, 1.0);
    events.advance(1.0);
    EXPECT_EQ(calls, 1);
    events.advance(2.0);
    EXPECT_EQ(calls, 2);
}

TEST(Events, V2_unsubscribing_inside_a_handler_takes_effect_immediately) {
    EventsManager events;
    std::string log;
    EventsManager::Unsubscribe self;
    EventsManager::Unsubscribe other;
    self = events.subscribe<Hit>([&, owned = std::string("kept alive while it runs, on the heap")](const Hit&) {
        self();
        other();
        log += owned.substr(0, 4);
    });
    other = events.subscribe<Hit>([&](const Hit&) { log += "other"; });
    events.subscribe<Hit>([&](const Hit&) { log += " third"; });
    events.dispatch(Hit{});
    EXPECT_EQ(log, "kept third");
}

TEST(Events, V2_a_handler_added_inside_a_handler_is_called_from_the_next_event_on) {
    EventsManager events;
    int calls = 0;
    const auto once = events.subscribe<Hit>([&](const Hit&) {
        for (int i = 0; i < 50; ++i) events.subscribe<Hit>([&](const Hit&) { ++calls; });
    });
    events.dispatch(Hit{});
    EXPECT_EQ(calls, 0);
    once();
    events.dispatch(Hit{});
    EXPECT_EQ(calls, 50);
}

TEST(Events, V2_if_a_handler_throws_the_others_are_still_called) {
    EventsManager events;
    int calls = 0;
    events.subscribe<Hit>([&](const Hit&) { throw Oops("first"); });
    events.subscribe<Hit>([&](const Hit&) { ++calls; });
    events.subscribe<Hit>([&](const Hit&) { throw std::logic_error("second"); });
    events.subscribe<Hit>([&](const Hit&) { ++calls; });
    EXPECT_THROW(events.dispatch(Hit{}), Oops);
    EXPECT_EQ(calls, 2);
    EXPECT_THROW(events.dispatch(Hit{}), Oops);
}

TEST(Events, V2_if_a_handler_of_a_delayed_event_throws_the_other_events_are_still_delivered) {
    EventsManager events;
    std::vector<int> dirty_at_update;
    events.subscribe<Hit>([&](const Hit& hit) {
        dirty_at_update.push_back(hit.points);
        if (hit.points == 1) throw Oops("one");
    });
    for (const int i : {1, 2, 3}) events.dispatch(Hit{i}, 1.0);
    EXPECT_THROW(events.advance(1.0), Oops);
    EXPECT_EQ(dirty_at_update, (std::vector{1, 2, 3}));
    events.advance(2.0);
    EXPECT_EQ(dirty_at_update.size(), 3u);
}

TEST(Events, K1_clear_removes_queued_events_and_transient_subscriptions_and_keeps_permanent_ones) {
    EventsManager events;
    int lasting = 0;
    int passing = 0;
    events.subscribe<Hit>([&](const Hit&) { ++lasting; });
    const auto drop = events.subscribe<Hit>([&](const Hit&) { ++passing; }, Subscription::transient);
    auto& inbox = events.inbox<Hit>();
    events.dispatch(Hit{}, 1.0);
    events.dispatch(Hit{});
    events.clear();
    EXPECT_TRUE(inbox.empty());
    events.advance(2.0);
    EXPECT_EQ(lasting, 1);
    events.dispatch(Hit{});
    EXPECT_EQ(lasting, 2);
    EXPECT_EQ(passing, 1);
    EXPECT_EQ(inbox.size(), 1u) << "the inbox still collects events";
    drop();
}

TEST(Events, K1_clear_inside_a_handler_ends_transient_subscriptions_immediately) {
    EventsManager events;
    int passing = 0;
    events.subscribe<Hit>([&](const Hit&) { events.clear(); });
    events.subscribe<Hit>([&](const Hit&) { ++passing; }, Subscription::transient);
    events.dispatch(Hit{}, 1.0);
    events.dispatch(Hit{}, 1.0);
    events.advance(1.0);
    EXPECT_EQ(passing, 0);
}

TEST(Events, V1_delayed_events_are_delivered_at_the_start_of_an_update) {
    ECS ecs;
    std::string log;
    auto& spy = ecs.add_system<Spy<Requires<Position>>>(0);
    spy.at_update = [&](double, auto&, auto&) { log += "s"; };
    ecs.events.subscribe<Hit>([&](const Hit&) { log += "e"; });
    ecs.events.dispatch(Hit{}, 1.0);
    ecs.update(0.5);
    ecs.set_paused(true);
    ecs.update(5);
    EXPECT_EQ(log, "s") << "wall time does not count";
    ecs.set_paused(false);
    ecs.update(0.5);
    EXPECT_EQ(log, "ses");
}

TEST(Events, M3_events_of_one_ecs_are_not_delivered_in_another) {
    ECS one;
    ECS two;
    int calls = 0;
    one.events.subscribe<Hit>([&](const Hit&) { ++calls; });
    two.events.dispatch(Hit{});
    EXPECT_EQ(calls, 0);
}
