// Dirty sets in snapshots with the state of systems (rules N2, N3).
#include <gtest/gtest.h>

#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "crateful/ecs.hpp"
#include "crateful/rewind.hpp"
#include "crateful/state.hpp"

namespace crateful::test_state_dirty {
namespace {

struct Spot {
    float x = 0;
};
struct Height {
    float y = 0;
};

class Watcher : public System<> {
public:
    Watcher() {
        require<Spot>();
        watch<Spot>();
        exact();
    }
    [[nodiscard]] std::string name() const override { return "Watcher"; }
    void update(double) override {
        if (throws) throw std::runtime_error("thrown");
    }
    bool throws = false;
};

struct Scene {
    Scene() : watcher(ecs.add_system<Watcher>(0)) {}
    // The dirty set after a removal.
    std::vector<Entity> order_after_removal(Entity removed) {
        ecs.add_entity(Spot{});
        ecs.remove_entity(removed);
        ecs.remove_marked();
        const std::span<const Entity> order = watcher.dirty_set().ids();
        return {order.begin(), order.end()};
    }
    ECS ecs;
    Watcher& watcher;
};

class StateDirty : public testing::Test {
protected:
    void SetUp() override {
        describe_component<Spot>("dirty.Spot").field("x", &Spot::x);
        describe_component<Height>("dirty.Height").field("y", &Height::y);
    }
    // Whether, after `prepare` and a snapshot, removals change the dirty sets of the ECS and of a restored one in the same way.
    template <class Prepare>
    void expect_same_order(Prepare&& prepare) {
        Scene original;
        const Entity first = original.ecs.add_entity(Spot{});
        original.ecs.add_entity(Spot{});
        prepare(original);
        Scene restored;
        restore(restored.ecs, snapshot(original.ecs, {.systems = true}));
        EXPECT_EQ(restored.order_after_removal(first), original.order_after_removal(first));
    }
};

}  // namespace

TEST_F(StateDirty, N3_D7_iterating_outside_of_an_update_has_no_effect_on_the_order_after_removals) {
    expect_same_order([](Scene&) {});
    expect_same_order([](Scene& scene) {
        for ([[maybe_unused]] const Entity e : scene.watcher.dirty_set()) continue;
    });
    expect_same_order([](Scene& scene) {
        for ([[maybe_unused]] const Entity e : scene.watcher.dirty_set().top_down()) continue;
    });
}

TEST_F(StateDirty, N3_S7_an_update_that_threw_has_no_effect_on_the_order_after_removals) {
    expect_same_order([](Scene& scene) {
        scene.watcher.throws = true;
        EXPECT_THROW(scene.ecs.update(0.1), std::runtime_error);
    });
}

TEST_F(StateDirty, N2_restoring_the_state_of_systems_during_an_iteration_over_a_dirty_set_is_an_error) {
    Scene scene;
    scene.ecs.add_entity(Spot{});
    const std::vector<std::byte> bytes = snapshot(scene.ecs, {.systems = true});
    {
        const auto iteration = scene.watcher.dirty_set().begin();
        EXPECT_THROW(restore(scene.ecs, bytes), Error);
    }
    restore(scene.ecs, bytes);
    EXPECT_EQ(scene.watcher.dirty_set().size(), 1u);
}

// The parent has the highest index but one, and its children are not in the order of indices.
TEST_F(StateDirty, N2_D13_what_is_dirty_because_of_an_ancestor_follows_when_it_is_the_turn_of_the_ancestor) {
    struct Below : System<> {
        Below() {
            require<Spot>();
            watch<Spot>();
            watch_ancestors<Height>();
        }
        void update(double) override {}
    };
    ECS ecs;
    auto& below = ecs.add_system<Below>(0);
    const Entity first = ecs.add_entity(Spot{});
    const Entity second = ecs.add_entity(Spot{});
    const Entity before = ecs.add_entity(Spot{});
    const Entity parent = ecs.add_entity(Height{});
    const Entity after = ecs.add_entity(Spot{});
    ecs.set_parent(second, parent);
    ecs.set_parent(first, second);
    ecs.update();
    const std::vector<std::byte> saved = snapshot(ecs);
    ecs.modify<Height>(parent, [](Height& height) { height.y = 1; });
    for (const Entity e : {after, before}) ecs.modify<Spot>(e, [](Spot& spot) { spot.x = 1; });
    ecs.update();
    restore(ecs, saved);
    const std::span<const Entity> dirty = below.dirty_set().ids();
    EXPECT_EQ(std::vector(dirty.begin(), dirty.end()), (std::vector{before, second, first, after}));
}

TEST_F(StateDirty, N2_N7_D13_what_is_read_from_parents_and_comes_or_vanishes_makes_children_dirty) {
    struct Below : System<> {
        Below() {
            require<Spot>(parent<Height>);
            watch_ancestors<Spot>();
        }
        void update(double) override {}
    };
    ECS ecs;
    auto& below = ecs.add_system<Below>(0);
    const Entity high = ecs.add_entity(Height{});
    const Entity low = ecs.add_entity(Spot{});
    const Entity child = ecs.add_entity(Spot{});
    ecs.set_parent(low, high);
    ecs.set_parent(child, low);
    Rewind rewind(ecs);
    ecs.update();
    const std::vector<std::byte> saved = snapshot(ecs);
    const std::function<void()> add = [&] { ecs.add(low, Height{}); };
    const std::function<void()> remove = [&] { ecs.remove<Height>(high); };
    const std::function<void()> write = [&] { ecs.modify<Height>(high, [](Height& height) { ++height.y; }); };
    for (const auto& [change, expected] : {std::pair{add, std::vector{child}}, {remove, {low, child}}, {write, {}}}) {
        for (const bool rewinds : {false, true}) {
            SCOPED_TRACE(std::to_string(expected.size()) + (rewinds ? " rewind" : " restore"));
            ecs.update();
            const double frame = rewind.newest();
            change();
            ecs.update();
            if (rewinds) rewind.to(frame);
            else restore(ecs, saved);
            const std::span<const Entity> dirty = below.dirty_set().ids();
            EXPECT_EQ(std::vector(dirty.begin(), dirty.end()), expected);
        }
    }
}

}  // namespace crateful::test_state_dirty
