// A program and a plugin that use the same ECS. The core is a shared library.
#include <gtest/gtest.h>

#include "plugin.hpp"

using namespace crateful;

TEST(SharedLibraries, C3_a_class_has_the_same_id_in_all_of_them) {
    ECS ecs;
    const Entity e = ecs.add_entity(Position{1});
    EXPECT_EQ(read_position(ecs, e), 1);
    EXPECT_THROW(static_cast<void>(read_position(ecs, ecs.add_entity())), Error);
}

TEST(SharedLibraries, S2_systems_are_found_by_their_class_in_all_of_them) {
    ECS ecs;
    auto& mover = ecs.add_system<Mover>(0);
    EXPECT_EQ(&find_mover(ecs), &mover);
    EXPECT_EQ(find_mover(ecs).name(), "Mover");
}

TEST(SharedLibraries, V1_events_reach_handlers_of_all_of_them) {
    ECS ecs;
    int points = 0;
    ecs.events.subscribe<Hit>([&](const Hit& hit) { points += hit.points; });
    dispatch_hit(ecs);
    EXPECT_EQ(points, 3);
}
