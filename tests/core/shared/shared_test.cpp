// A program and a plugin that use the same ECS. The core is a shared library.
#include <gtest/gtest.h>

#include "plugin.hpp"

using namespace crateful;

namespace {
struct OfThePlugin {
    double value = 0;
};
}  // namespace
// Other ones than those of the plugin.
struct Another {
    float value = 0;
};
struct AnotherHit {
    float points = 0;
};

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

TEST(SharedLibraries, C3_S2_V1_classes_with_hidden_symbols_are_one_class_by_their_name) {
    ECS ecs;
    const Entity e = ecs.add_entity(game::Hidden{1});
    ecs.add_system<game::HiddenMover>(0);
    int points = 0;
    ecs.events.subscribe<game::HiddenHit>([&](const game::HiddenHit& hit) { points += hit.points; });
    use_hidden(ecs, e);
    EXPECT_EQ(ecs.get<game::Hidden>(e).value, 2);
    EXPECT_EQ(points, 4);
    EXPECT_THROW(static_cast<void>(ecs.get_system<game::HiddenMover>()), Error);
}

TEST(SharedLibraries, C3_classes_of_anonymous_namespaces_are_different_ones) {
    ECS ecs;
    const Entity e = ecs.add_entity(Position{1}, OfThePlugin{3});
    EXPECT_EQ(read_position(ecs, e), 1);
    EXPECT_EQ(ecs.get<OfThePlugin>(e).value, 3);
}

TEST(SharedLibraries, C3_V1_two_classes_of_one_name_and_different_sizes_are_an_error) {
    ECS ecs;
    const Entity e = ecs.add_entity(Another{1});
    EXPECT_THROW(use_another(ecs, e), Error);
    EXPECT_EQ(ecs.get<Another>(e).value, 1);
    ecs.events.subscribe<AnotherHit>([](const AnotherHit&) {});
    EXPECT_THROW(dispatch_another(ecs), Error);
}
