// All indices are in use (rules E1, E2, X1).
#include "world.hpp"

using namespace test;

TEST(EntityLimit, E2_every_call_that_creates_an_entity_fails_and_changes_nothing) {
    ECS ecs;
    const Entity first = ecs.add_entity(Position{1}, Tag{});
    ecs.add(ECS::world(), Position{2});
    auto prefab = ecs.prefab(Position{}, Tag{});
    const std::size_t free = EntityPool::MAX_ENTITIES - 2;
    std::vector<Entity> all = ecs.add_entities(free - 2);
    all.push_back(ecs.add_entity());
    all.push_back(ecs.add_entity());
    Ids two(2);
    for (int n = 0; n < 2; ++n) {
        EXPECT_EQ(ecs.count(), EntityPool::MAX_ENTITIES - 1);
        EXPECT_ERROR(ecs.add_entity(), ErrorCode::out_of_memory);
        EXPECT_ERROR(ecs.add_entity(Position{}, Tag{}), ErrorCode::out_of_memory);
        EXPECT_ERROR(ecs.add_entities(1), ErrorCode::out_of_memory);
        EXPECT_ERROR(prefab.spawn(), ErrorCode::out_of_memory);
        EXPECT_ERROR(prefab.spawn(std::span<Entity>(two)), ErrorCode::out_of_memory);
        EXPECT_TRUE((ecs.has<Position, Tag>(first)));
        EXPECT_TRUE(ecs.has<Position>(ECS::world()));
        EXPECT_EQ(ecs.storage<Position>().count(), 2u);
        // One index is free again.
        ecs.remove_entity(all.back());
        ecs.update();
        all.back() = ecs.add_entity();
        EXPECT_TRUE(ecs.alive(all.back()));
    }
    EXPECT_EQ(all.front(), id(2));
    EXPECT_TRUE(ecs.alive(all.front()));
}
