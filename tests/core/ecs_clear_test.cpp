// Clearing the ECS (rule K1).
#include <set>

#include "world.hpp"

using namespace test;

TEST(Clear, K1_all_entities_are_removed_immediately_with_on_remove) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>, Watches<Health>>>(0);
    const Ids all = ecs.add_entities(10);
    for (std::size_t i = 0; i < 5; ++i) ecs.add<Health>(all[i]);
    ecs.clear();
    EXPECT_EQ(ecs.count(), 0u);
    EXPECT_EQ(spy.removed.size(), 5u);
    EXPECT_TRUE(spy.tracking().empty());
    EXPECT_TRUE(spy.dirty().empty());
    EXPECT_EQ(ecs.storage<Health>().count(), 0u);
    EXPECT_EQ(spy.clears, 1);
    EXPECT_EQ(ecs.systems().size(), 1u);
}

TEST(Clear, K1_old_handles_stay_stale) {
    ECS ecs;
    std::set<Entity> issued;
    for (int round = 0; round < 20; ++round) {
        for (const Entity e : ecs.add_entities(700)) ASSERT_TRUE(issued.insert(e).second);
        ecs.clear();
    }
    for (const Entity e : issued) ASSERT_FALSE(ecs.alive(e));
}

TEST(Clear, K1_pending_removals_are_discarded_also_those_requested_by_callbacks) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    const Ids all = ecs.add_entities(3);
    for (const Entity e : all) ecs.add<Health>(e);
    ecs.remove_entity(all[0]);
    Entity made = NONE;
    spy.at_remove = [&](Aspect&) {
        ecs.remove_entity(all[2]);
        made = ecs.add_entity();
        ecs.remove_entity(made);
    };
    ecs.clear();
    spy.at_remove = nullptr;
    EXPECT_EQ(spy.removed.size(), 3u);
    const Ids fresh = ecs.add_entities(2000);  // includes every index that can be reused
    ecs.update();
    EXPECT_EQ(ecs.count(), 2000u);
    EXPECT_FALSE(ecs.alive(made));
}

TEST(Clear, K1_E3_in_callbacks_of_clear_remove_entity_returns_whether_it_marked_the_entity) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    const Ids all = ecs.add_entities(2);
    for (const Entity e : all) ecs.add<Health>(e);
    ecs.remove_entity(all[1]);
    std::vector<bool> marked;
    spy.at_remove = [&](Aspect&) {
        for (const Entity e : all) marked.push_back(ecs.remove_entity(e));
    };
    spy.at_clear = [&] { EXPECT_ERROR(ecs.remove_entity(all[0]), ErrorCode::stale_entity); };
    ecs.clear();
    EXPECT_EQ(marked, (std::vector<bool>{true, false, false, false}));
    EXPECT_EQ(ecs.count(), 0u);
}

TEST(Clear, K1_entities_created_in_on_remove_are_removed_and_never_tracked) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    spy.at_remove = [&](Aspect&) { ecs.add<Health>(ecs.add_entity()); };
    const Ids all = ecs.add_entities(5);
    for (const Entity e : all) ecs.add<Health>(e);
    ecs.clear();
    EXPECT_EQ(ecs.count(), 0u);
    EXPECT_EQ(spy.added, all);
    EXPECT_EQ(spy.removed, all);
    EXPECT_EQ(ecs.storage<Health>().count(), 0u);
}

TEST(Clear, K1_all_entities_stay_alive_and_readable_until_every_on_remove_was_called) {
    ECS ecs;
    const Ids all = ecs.add_entities(4);
    int reads = 0;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    spy.at_remove = [&](Aspect& a) {
        EXPECT_EQ(a.get<Health>().points, 2);
        for (const Entity e : all) reads += ecs.get<Health>(e).points;
    };
    for (const Entity e : all) ecs.add<Health>(e, {2});
    ecs.clear();
    EXPECT_EQ(reads, 32);
}

TEST(Clear, K1_on_clear_is_called_in_priority_order_after_all_removals_and_may_create_entities) {
    ECS ecs;
    std::string log;
    Ids refilled;
    auto& late = ecs.add_system<Spy<Requires<Health>, Watches<Health>>>(5);
    auto& early = ecs.add_system<Spy<Requires<Health>, Watches<Health>>>(1);
    late.at_clear = [&] {
        log += "late";
        refilled.push_back(ecs.add_entity());
        ecs.add<Health>(refilled.back(), {2});
        EXPECT_EQ(late.tracking(), refilled);
    };
    early.at_clear = [&] {
        log += "early ";
        EXPECT_EQ(ecs.count(), 0u);
        refilled.push_back(ecs.add_entity());
        ecs.add<Health>(refilled.back(), {1});
    };
    for (const Entity e : ecs.add_entities(3)) ecs.add<Health>(e);
    ecs.update();
    ecs.clear();
    EXPECT_EQ(log, "early late");
    EXPECT_EQ(ecs.count(), 2u);
    EXPECT_EQ(early.tracking(), refilled);
    ecs.update();
    EXPECT_EQ(late.dirty_at_update, refilled) << "new entities are dirty (D5)";
    EXPECT_EQ(ecs.count(), 2u);
}

TEST(Clear, K1_events_are_cleared_before_on_clear_whose_own_events_remain) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    int calls = 0;
    ecs.events.subscribe<Ping>([&](const Ping&) { ++calls; });
    auto& inbox = ecs.events.inbox<Ping>();
    ecs.events.dispatch(Ping{}, 0.5);
    ecs.events.dispatch(Ping{});
    EXPECT_EQ(inbox.size(), 1u);
    int transient = 0;
    spy.at_clear = [&] {
        EXPECT_TRUE(inbox.empty());
        ecs.events.dispatch(Ping{}, 0.5);
        ecs.events.dispatch(Ping{});
        ecs.events.subscribe<Ping>([&](const Ping&) { ++transient; }, Subscription::transient);
    };
    calls = 0;
    ecs.clear();
    EXPECT_EQ(inbox.size(), 1u);
    EXPECT_EQ(calls, 1) << "permanent subscriptions stay";
    ecs.update(1);
    EXPECT_EQ(calls, 2) << "the delayed event of on_clear, and not the one from before";
    EXPECT_EQ(transient, 1);
}

TEST(Clear, K1_time_and_disabled_systems_do_not_change) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0, true);
    ecs.add<Health>(ecs.add_entity());
    ecs.update(2);
    ecs.clear();
    EXPECT_EQ(ecs.game_time(), 2);
    EXPECT_FALSE(spy.enabled());
    EXPECT_EQ(spy.removed.size(), 1u);
    EXPECT_EQ(spy.clears, 1);
}

TEST(Clear, K1_inside_an_update_the_frame_continues_without_the_removed_entities) {
    ECS ecs;
    auto& first = ecs.add_system<Spy<Requires<Health>, Watches<Health>>>(0);
    auto& last = ecs.add_system<Spy<Requires<Health>, Watches<Health>>>(1);
    const Ids all = ecs.add_entities(6);
    for (const Entity e : all) ecs.add<Health>(e);
    Entity fresh = NONE;
    first.at_clear = [&] {
        fresh = ecs.add_entity();
        ecs.add<Health>(fresh);
    };
    first.at_update = [&](double, Entities<Aspect>& entities, DirtySet& dirty) {
        first.at_update = nullptr;
        ecs.remove_entity(all[5]);
        Ids visited;
        for (auto [e, aspect] : entities) {
            visited.push_back(e);
            if (visited.size() == 2) ecs.clear();
        }
        EXPECT_EQ(visited.size(), 2u) << "two removed entities, and not the new one (T4)";
        EXPECT_EQ(copy(dirty.ids()), Ids{fresh});
    };
    ecs.update();
    EXPECT_EQ(last.dirty_at_update, Ids{fresh});
    EXPECT_EQ(first.dirty(), Ids{fresh}) << "it was not visited in the dirty set (D7)";
    EXPECT_TRUE(last.dirty().empty());
    EXPECT_EQ(ecs.count(), 1u);
}

TEST(Clear, K1_inside_on_remove_of_the_removal_phase) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    auto& other = ecs.add_system<Spy<Requires<Health>>>(1);
    const Ids all = ecs.add_entities(5);
    for (const Entity e : all) ecs.add<Health>(e, {1});
    spy.at_remove = [&](Aspect& a) {
        EXPECT_EQ(a.get<Health>().points, 1);
        if (spy.removed.size() == 2) ecs.clear();
    };
    Entity fresh = NONE;
    spy.at_clear = [&] {
        fresh = ecs.add_entity();
        ecs.add<Health>(fresh);
    };
    ecs.remove_entities(std::span(all).first(3));
    ecs.update();
    EXPECT_EQ(spy.removed.size(), 5u);
    EXPECT_EQ(std::set(other.removed.begin(), other.removed.end()).size(), 5u);
    EXPECT_EQ(other.removed.size(), 5u);
    EXPECT_EQ(ecs.count(), 1u);
    EXPECT_EQ(spy.tracking(), Ids{fresh});
}

TEST(Clear, K1_inside_on_remove_of_a_clear_or_inside_on_clear_has_no_effect) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    spy.at_remove = [&](Aspect&) { ecs.clear(); };
    spy.at_clear = [&] { ecs.clear(); };
    for (const Entity e : ecs.add_entities(3)) ecs.add<Health>(e);
    ecs.clear();
    EXPECT_EQ(spy.removed.size(), 3u);
    EXPECT_EQ(spy.clears, 1);
    EXPECT_EQ(ecs.count(), 0u);
}

TEST(Clear, K1_inside_on_remove_of_a_component_removal) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    auto& other = ecs.add_system<Spy<Requires<Health, Name>>>(1);
    const Ids all = ecs.add_entities(3);
    for (const Entity e : all) {
        ecs.add<Name>(e, {"a text on the heap, for the address sanitizer"});
        ecs.add<Health>(e, {9});
    }
    spy.at_remove = [&](Aspect& a) {
        if (spy.removed.size() == 1) ecs.clear();
        if (a.entity() == all[0]) {
            EXPECT_EQ(a.get<Health>().points, 9);
        }
    };
    other.at_remove = [&](Aspect& a) { EXPECT_EQ(a.get<Health>().points, 9); };
    EXPECT_TRUE(ecs.remove<Health>(all[0]));
    EXPECT_EQ(spy.removed.size(), 3u);
    EXPECT_EQ(other.removed.size(), 3u);
    EXPECT_EQ(ecs.count(), 0u);
    EXPECT_EQ(ecs.storage<Health>().parked_count(), 0u);
}

TEST(Clear, K1_inside_a_component_removal_the_remaining_systems_are_notified_before_entities_are_destroyed) {
    ECS ecs;
    auto& first = ecs.add_system<Spy<Requires<Health>>>(0);
    auto& second = ecs.add_system<Spy<Requires<Health>>>(1);
    first.at_remove = [&](Aspect&) { ecs.clear(); };
    second.at_remove = [&](Aspect& a) {
        EXPECT_TRUE(ecs.alive(a.entity()));
        EXPECT_EQ(second.clears, 0);
        EXPECT_EQ(a.get<Health>().points, 9);
        EXPECT_EQ(a.get<Position>().x, 4);
    };
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e, {4, 4});
    ecs.add<Health>(e, {9});
    ecs.remove<Health>(e);
    EXPECT_EQ(second.removed, Ids{e});
}

TEST(Clear, K1_inside_on_add_of_a_bulk_addition) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    spy.at_add = [&](Aspect&) {
        if (spy.added.size() == 2) ecs.clear();
    };
    const Ids all = ecs.add_entities(5);
    const Health one{1};
    ecs.add<Health>(all, std::span(&one, 1));
    EXPECT_EQ(spy.added.size(), 2u);
    EXPECT_EQ(spy.removed.size(), 2u);
    EXPECT_EQ(ecs.count(), 0u);
    EXPECT_EQ(ecs.storage<Health>().count(), 0u);
}

TEST(Clear, K1_systems_can_be_added_and_removed_in_on_clear) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    auto& removed = ecs.add_system<Spy<Requires<Health>>>(1);
    Recorder* late = nullptr;
    spy.at_clear = [&] {
        ecs.remove_system(removed);
        late = &ecs.add_system<Spy<Requires<Health>>>(2);
    };
    removed.at_clear = [] { ADD_FAILURE() << "it was removed"; };
    ecs.clear();
    EXPECT_EQ(ecs.systems().size(), 2u);
    EXPECT_EQ(late->clears, 0);
    ecs.add<Health>(ecs.add_entity());
    EXPECT_EQ(late->tracking().size(), 1u);
}

TEST(Clear, S7_throwing_callbacks_do_not_stop_a_clear) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    auto& other = ecs.add_system<Spy<Requires<Health>>>(1);
    for (const Entity e : ecs.add_entities(4)) ecs.add<Health>(e);
    spy.at_remove = [](Aspect&) { throw Oops("first"); };
    spy.at_clear = [] { throw std::logic_error("later"); };
    EXPECT_THROW(ecs.clear(), Oops);
    EXPECT_EQ(spy.removed.size(), 4u);
    EXPECT_EQ(other.removed.size(), 4u);
    EXPECT_EQ(other.clears, 1);
    EXPECT_EQ(ecs.count(), 0u);
    EXPECT_THROW(ecs.clear(), std::logic_error) << "clear can be called again";
}

TEST(Clear, K1_entities_created_with_components_in_on_remove_are_never_tracked) {
    // As a system of another language that overrides only some callbacks.
    struct Removing final : SystemBase {
        Removing(bool add, bool remove) {
            use_<Position>(internal::ComponentUse::required);
            set_notifications_(add, remove);
        }
        void run_(double) override {}
        void notify_add_(Entity) override {}
        void notify_remove_(Entity) override {
            if (++calls < 100) create();
        }
        void notify_enabled_() override {}
        void notify_disabled_() override {}
        int calls = 0;
        std::function<void()> create;
    };
    for (const bool add : {false, true}) {
        for (const bool with_prefab : {false, true}) {
            ECS ecs;
            auto prefab = ecs.prefab(Position{});
            auto& system = ecs.add_system<Removing>(0, add, true);
            system.create = [&] {
                with_prefab ? prefab.spawn() : ecs.add_entity(Position{});
                const Entity e = ecs.add_entity();
                ecs.add<Position>(e);
                Ids all = ecs.add_entities(2);
                ecs.add(std::span<const Entity>(all), std::span<const Position>(std::vector<Position>(1)));
                prefab.spawn(std::span<Entity>(all));
            };
            ecs.add_entity(Position{});
            ecs.clear();
            EXPECT_EQ(system.calls, 1);
            EXPECT_EQ(ecs.count(), 0u);
            EXPECT_EQ(system.tracked().size(), 0u);
        }
    }
}
