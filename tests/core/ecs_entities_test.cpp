// Adding and removing entities (rules E1 to E7).
#include <limits>
#include <set>

#include "world.hpp"

using namespace test;

TEST(EcsEntities, E2_adding_is_immediate) {
    ECS ecs;
    const Entity e = ecs.add_entity();
    EXPECT_TRUE(ecs.alive(e));
    EXPECT_EQ(ecs.count(), 1u);
}

TEST(EcsEntities, E3_removing_waits_for_the_end_of_the_next_update) {
    ECS ecs;
    const Entity e = ecs.add_entity();
    ecs.add<Health>(e, {4});
    ecs.remove_entity(e);
    EXPECT_TRUE(ecs.alive(e));
    EXPECT_EQ(ecs.count(), 1u);
    EXPECT_EQ(ecs.get<Health>(e).points, 4);
    ecs.update();
    EXPECT_FALSE(ecs.alive(e));
    EXPECT_EQ(ecs.count(), 0u);
    EXPECT_EQ(ecs.storage<Health>().count(), 0u);
}

TEST(EcsEntities, E3_entities_are_removed_after_all_systems_ran_in_the_order_of_the_calls) {
    ECS ecs;
    std::string log;
    const Ids all = ecs.add_entities(4);
    auto& first = ecs.add_system<Spy<Requires<Health>>>(0);
    auto& last = ecs.add_system<Spy<Requires<Health>>>(1);
    for (const Entity e : all) ecs.add<Health>(e);
    first.at_update = [&](double, auto&, auto&) {
        EXPECT_TRUE(ecs.remove_entity(all[2]));
        EXPECT_TRUE(ecs.remove_entity(all[0]));
        EXPECT_FALSE(ecs.remove_entity(all[2])) << "it was marked already";
        EXPECT_EQ(ecs.remove_entities(Ids{all[0], all[3], all[3]}), 1u);
    };
    last.at_update = [&](double, Entities<Aspect>& entities, auto&) { EXPECT_EQ(entities.size(), 4u); };
    ecs.update();
    EXPECT_EQ(first.removed, (Ids{all[2], all[0], all[3]})) << "calling remove_entity twice has the effect of one call";
    EXPECT_EQ(last.removed, first.removed);
    EXPECT_EQ(ecs.count(), 1u);
}

TEST(EcsEntities, E3_systems_are_notified_of_a_removal_in_running_order) {
    ECS ecs;
    std::string log;
    const auto logs = [&](char name) {
        return [&log, name](Recorder& r) { r.at_remove = [&log, name](Aspect&) { log += name; }; };
    };
    ecs.add_system<Spy<Requires<Position>>>(2, logs('d'));
    ecs.add_system<Spy<Requires<Health>>>(1, logs('b'));
    ecs.add_system<Spy<Requires<Position, Health>>>(1, logs('c'));
    ecs.add_system<Spy<Requires<Health>>>(-1, logs('a'));
    for (const Entity e : ecs.add_entities(2)) {
        ecs.add<Health>(e);
        ecs.add<Position>(e);
        ecs.remove_entity(e);
    }
    ecs.update();
    EXPECT_EQ(log, "abcdabcd");
}

TEST(EcsEntities, E3_removals_requested_in_the_removal_phase_are_performed_in_the_same_phase) {
    ECS ecs;
    const Ids chain = ecs.add_entities(50);
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    spy.at_remove = [&](Aspect& a) {
        const std::size_t i = spy.removed.size();
        if (i < chain.size()) ecs.remove_entity(chain[i]);
        ecs.remove_entity(a.entity());  // has no effect
    };
    for (const Entity e : chain) ecs.add<Health>(e);
    ecs.remove_entity(chain[0]);
    ecs.update();
    EXPECT_EQ(spy.removed, chain);
    EXPECT_EQ(ecs.count(), 0u);
}

TEST(EcsEntities, E3_a_paused_update_performs_removals) {
    ECS ecs;
    ecs.set_paused(true);
    const Entity e = ecs.add_entity();
    ecs.remove_entity(e);
    ecs.update();
    EXPECT_FALSE(ecs.alive(e));
}

TEST(EcsEntities, E3_no_system_starts_to_track_an_entity_during_its_removal) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    auto& other = ecs.add_system<Spy<Requires<Velocity>>>(1);
    spy.at_remove = [&](Aspect& a) {
        ecs.add<Velocity>(a.entity(), {3});
        ecs.remove<Health>(a.entity());
        ecs.add<Health>(a.entity());
        EXPECT_EQ(ecs.get<Velocity>(a.entity()).x, 3);
    };
    const Entity e = ecs.add_entity();
    ecs.add<Health>(e);
    ecs.remove_entity(e);
    ecs.update();
    EXPECT_EQ(spy.added.size(), 1u);
    EXPECT_EQ(spy.removed.size(), 1u);
    EXPECT_TRUE(other.added.empty());
    EXPECT_EQ(ecs.storage<Velocity>().count(), 0u);
    EXPECT_EQ(ecs.storage<Health>().count(), 0u);
}

TEST(EcsEntities, E3_a_reused_index_has_no_components_and_no_pending_removal) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>, Watches<Health>>>(0);
    const Entity e = ecs.add_entity();
    ecs.add<Health>(e);
    ecs.remove_entity(e);
    ecs.update();
    const Entity again = ecs.add_entity();
    ASSERT_EQ(again, make_entity(index_of(e), 1));
    EXPECT_FALSE(ecs.has<Health>(again));
    EXPECT_TRUE(spy.tracking().empty());
    EXPECT_TRUE(spy.dirty().empty());
    ecs.update();
    EXPECT_TRUE(ecs.alive(again)) << "the removal of the earlier entity does not apply to it";
    ecs.add<Position>(again);
    EXPECT_TRUE(spy.tracking().empty());
    ecs.add<Health>(again);
    EXPECT_EQ(spy.tracking(), Ids{again});
}

TEST(EcsEntities, E4_alive_and_count_change_when_an_entity_is_removed) {
    ECS ecs;
    const Ids all = ecs.add_entities(10);
    ecs.remove_entity(all[3]);
    EXPECT_EQ(ecs.count(), 10u);
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    ecs.add<Health>(all[3]);
    spy.at_remove = [&](Aspect& a) {
        EXPECT_TRUE(ecs.alive(a.entity()));
        EXPECT_EQ(ecs.count(), 10u);
    };
    ecs.update();
    EXPECT_EQ(ecs.count(), 9u);
    EXPECT_FALSE(ecs.alive(all[3]));
    EXPECT_FALSE(ecs.alive(NONE));
    EXPECT_FALSE(ecs.alive(Entity{123456}));
}

TEST(EcsEntities, E5_look_ups_accept_any_handle) {
    ECS ecs;
    const Entity stale = ecs.add_entity(Health{}, Indexed{});
    const Entity child = ecs.add_entity();
    ecs.set_parent(child, stale);
    ecs.remove_entity(stale);
    ecs.remove_marked();
    const Entity used = ecs.add_entity(Health{}, Indexed{});
    ecs.set_parent(ecs.add_entity(Health{}, Indexed{}), used);
    EXPECT_TRUE(index_of(used) == index_of(stale) || index_of(used) == index_of(child));
    for (const Entity e : {stale, child, NONE, Entity{4000000}}) {
        EXPECT_FALSE(ecs.has<Health>(e));
        EXPECT_FALSE((ecs.has<Indexed, Health>(e)));
        EXPECT_EQ(ecs.try_get<Health>(e), nullptr);
        EXPECT_EQ(ecs.try_get<Indexed>(e), nullptr);
        EXPECT_EQ(ecs.parent(e), NONE);
        EXPECT_EQ(ecs.children(e).begin(), ecs.children(e).end());
        EXPECT_FALSE(ecs.query<Health>().has(e));
        EXPECT_FALSE(ecs.query<Health>().at(e).has_value());
    }
}

TEST(EcsEntities, E5_every_other_call_with_a_stale_handle_is_an_error) {
    ECS ecs;
    const Entity stale = ecs.add_entity();
    const Entity fresh = ecs.add_entity();
    ecs.remove_entity(stale);
    ecs.update();
    for (const Entity e : {stale, NONE, Entity{99}, make_entity(index_of(fresh), 1)}) {
        EXPECT_ERROR(ecs.remove_entity(e), ErrorCode::stale_entity);
        EXPECT_ERROR(ecs.add<Health>(e), ErrorCode::stale_entity);
        EXPECT_ERROR(ecs.remove<Health>(e), ErrorCode::stale_entity);
        EXPECT_ERROR(ecs.get<Health>(e), ErrorCode::stale_entity);
        EXPECT_ERROR(ecs.dirty<Health>(e), ErrorCode::stale_entity);
        EXPECT_ERROR(ecs.modify<Health>(e, [](Health&) {}), ErrorCode::stale_entity);
    }
    EXPECT_EQ(ecs.count(), 1u);
    EXPECT_EQ(ecs.storage<Health>().count(), 0u);
}

TEST(EcsEntities, E5_a_bulk_call_with_a_stale_handle_changes_nothing) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>, Watches<Health>>>(0);
    Ids all = ecs.add_entities(3);
    for (const Entity e : all) ecs.add<Health>(e);
    ecs.update();
    all.push_back(Entity{99});
    const Health one{1};
    EXPECT_ERROR(ecs.add<Health>(all, std::span(&one, 1)), ErrorCode::stale_entity);
    EXPECT_ERROR(ecs.remove<Health>(all), ErrorCode::stale_entity);
    EXPECT_ERROR(ecs.dirty<Health>(all), ErrorCode::stale_entity);
    EXPECT_ERROR(ecs.remove_entities(all), ErrorCode::stale_entity);
    ecs.update();
    EXPECT_EQ(ecs.count(), 3u);
    EXPECT_EQ(spy.tracking().size(), 3u);
    EXPECT_TRUE(spy.dirty_at_update.empty());
    EXPECT_EQ(ecs.get<Health>(all[0]).points, 0);
}

TEST(EcsEntities, E6_none_is_never_issued) {
    ECS ecs;
    EXPECT_FALSE(ecs.alive(NONE));
    for (const Entity e : ecs.add_entities(10'000)) ASSERT_NE(e, NONE);
    EXPECT_FALSE(ecs.alive(NONE));
}

TEST(EcsEntities, E7_bulk_calls_for_thousands_of_entities) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    const Ids all = ecs.add_entities(20'000);
    EXPECT_EQ(std::set(all.begin(), all.end()).size(), 20'000u);
    std::vector<Health> values(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) values[i].points = static_cast<int>(i);
    ecs.add<Health>(all, values);
    EXPECT_EQ(spy.tracking(), all);
    EXPECT_EQ(ecs.get<Health>(all[777]).points, 777);
    EXPECT_EQ(ecs.remove<Health>(std::span(all).first(5000)), 5000u);
    EXPECT_EQ(ecs.remove<Health>(all), 15'000u);
    ecs.remove_entities(all);
    ecs.update();
    EXPECT_EQ(ecs.count(), 0u);
}

TEST(EcsEntities, E7_add_entities_fills_memory_of_the_caller) {
    ECS ecs;
    Ids filled(3);
    ecs.add_entities(filled);
    EXPECT_EQ(filled, (Ids{Entity{1}, Entity{2}, Entity{3}}));
    ecs.add_entities(std::span<Entity>());
    EXPECT_TRUE(ecs.add_entities(0).empty());
    EXPECT_EQ(ecs.count(), 3u);
}

TEST(EcsEntities, E7_adding_more_entities_than_handles_is_an_error_and_adds_none) {
    ECS ecs;
    ecs.add_entity();
    EXPECT_ERROR(ecs.add_entities(EntityPool::MAX_ENTITIES), ErrorCode::out_of_memory);
    EXPECT_ERROR(ecs.add_entities(std::numeric_limits<std::size_t>::max()), ErrorCode::out_of_memory);
    EXPECT_EQ(ecs.count(), 1u);
    EXPECT_EQ(ecs.add_entity(), Entity{2});
}

TEST(EcsEntities, M3_entities_of_several_ecs_are_independent) {
    ECS one;
    ECS two;
    auto& spy = two.add_system<Spy<Requires<Health>, Watches<Health>>>(0);
    const Entity e = one.add_entity();
    EXPECT_FALSE(two.alive(e));
    ASSERT_EQ(two.add_entity(), e) << "the same handle, but another entity";
    one.add<Health>(e, {1});
    EXPECT_FALSE(two.has<Health>(e));
    EXPECT_TRUE(spy.tracking().empty());
    one.clear();
    EXPECT_TRUE(two.alive(e));
}

TEST(EcsEntities, E3_callbacks_do_not_affect_the_order_that_removals_leave) {
    struct Listening final : System<> {
        Listening() { require<Velocity>(); }
        void update(double) override {}
        void on_remove(Aspect&) override {}
    };
    const auto order_after = [](bool listens, bool bulk) {
        ECS ecs;
        if (listens) ecs.add_system<Listening>(0);
        const Ids all = ecs.add_entities(12);
        for (const Entity e : all) ecs.add<Velocity>(e), ecs.add<Name>(e);
        const Ids some{all[3], all[9], all[1], all[10], all[11], all[2]};
        if (bulk) {
            ecs.remove<Velocity>(some);
        } else {
            ecs.remove_entities(some);
            ecs.update();
        }
        Ids order = copy(ecs.storage<Velocity>().entities());
        for (const Entity e : ecs.storage<Name>().entities()) order.push_back(e);
        for (int n = 0; n < 6; ++n) order.push_back(ecs.add_entity());
        return order;
    };
    for (const bool bulk : {false, true}) EXPECT_EQ(order_after(false, bulk), order_after(true, bulk));
}
