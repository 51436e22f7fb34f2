// Restoring when entities and indices vanish (rules N2, N3).
#include <gtest/gtest.h>

#include <vector>

#include "crateful/ecs.hpp"
#include "crateful/state.hpp"

namespace crateful::test_state_gone {
namespace {

struct Depth {
    float z = 0;
};

class StateGone : public testing::Test {
protected:
    void SetUp() override { describe_component<Depth>("gone.Depth").field("z", &Depth::z); }
};

std::vector<Entity> sorted(ECS& ecs) {
    std::vector<Entity> found;
    for (auto [e, depth] : ecs.query<const Depth>(order_by(&Depth::z))) found.push_back(e);
    return found;
}

}  // namespace

TEST_F(StateGone, N2_an_order_that_was_not_read_since_has_room_for_indices_that_vanished) {
    ECS ecs;
    const Entity first = ecs.add_entity(Depth{1});
    EXPECT_EQ(sorted(ecs), std::vector{first});
    const std::vector<std::byte> bytes = snapshot(ecs);
    for (int i = 0; i < 5000; ++i) ecs.add_entity(Depth{2});
    restore(ecs, bytes);
    EXPECT_EQ(sorted(ecs), std::vector{first});  // the sanitizer detects an access behind its lists
    const Entity second = ecs.add_entity(Depth{0});
    EXPECT_EQ(sorted(ecs), (std::vector{second, first}));
}

TEST_F(StateGone, N2_no_entity_keeps_a_parent_that_vanishes) {
    ECS ecs;
    const Entity a = ecs.add_entity();
    const Entity b = ecs.add_entity();
    const Entity child = ecs.add_entity();
    ecs.set_parent(b, a);
    const std::vector<std::byte> bytes = snapshot(ecs);
    const Entity gone = ecs.add_entity();
    ecs.set_parent(child, gone);
    restore(ecs, bytes);
    EXPECT_EQ(ecs.parent(child), NONE);
    const Entity again = ecs.add_entity();
    EXPECT_EQ(again, gone);
    EXPECT_TRUE(ecs.children(again).empty());
    EXPECT_EQ(ecs.parent(b), a);
}

}  // namespace crateful::test_state_gone
