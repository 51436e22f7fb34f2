// A selection of entities ends when they are removed, also by `restore` and Rewind (rule N5).
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "changes_world.hpp"
#include "crateful/changes.hpp"
#include "crateful/ecs.hpp"
#include "crateful/rewind.hpp"
#include "crateful/state.hpp"

namespace crateful::test_changes_selection {
namespace {

using namespace test_changes;

/// A receiver of what is selected, and its replica.
class Selecting : public testing::TestWithParam<Channel> {
protected:
    Selecting() {
        describe_all();
        changes.emplace(from, EVERYTHING);
        near.emplace(changes->receiver(Selection::selected, GetParam()));
        replica.emplace(to);
    }
    Entity add(float x) {
        const Entity e = from.add_entity();
        from.add<Place>(e, {x, 0});
        return e;
    }
    void remove(Entity e) {
        from.remove_entity(e);
        from.remove_marked();
    }
    void send() {
        from.update();
        const auto bytes = near->take();
        if (bytes.empty()) return;
        replica->apply(bytes);
        if (GetParam() == Channel::lossy) near->acknowledge(replica->acknowledgement());
    }
    // Those of the copy, by their handles at the sender.
    std::vector<Entity> children_of(Entity parent) {
        std::vector<Entity> all;
        for (const Entity e : to.children(replica->entity(parent))) all.push_back(replica->remote(e));
        return all;
    }
    ECS from;
    ECS to;
    std::optional<Changes> changes;
    std::optional<Receiver> near;
    std::optional<Replica> replica;
};

TEST_P(Selecting, N5_an_entity_with_the_handle_of_one_that_was_removed_before_restore_is_not_selected) {
    const auto saved = snapshot(from);
    const Entity mine = add(1);
    near->select(mine);
    send();
    ASSERT_EQ(to.count(), 1u);
    remove(mine);
    restore(from, saved);
    ASSERT_EQ(add(99), mine);
    send();
    EXPECT_EQ(to.count(), 0u);
    EXPECT_EQ(replica->entity(mine), NONE);
}

TEST_P(Selecting, N5_an_entity_with_the_handle_of_one_that_restore_has_removed_is_not_selected) {
    const auto saved = snapshot(from);
    const Entity mine = add(1);
    near->select(mine);
    send();
    const Entity next = add(2);
    near->select(next);  // not taken yet
    restore(from, saved);
    ASSERT_EQ(add(99), mine);
    ASSERT_EQ(add(99), next);
    send();
    EXPECT_EQ(to.count(), 0u);
}

TEST_P(Selecting, N5_E2_a_handle_that_is_no_longer_alive_deselects_nothing) {
    for (const bool at_once : {true, false}) {
        const Entity gone = add(1);
        near->select(gone);
        send();
        remove(gone);
        const Entity other = add(2);
        ASSERT_EQ(index_of(other), index_of(gone));
        near->select(other);
        if (!at_once) send();
        near->deselect(gone);
        send();
        EXPECT_NE(replica->entity(other), NONE);
        EXPECT_EQ(to.count(), 1u);
        near->deselect(other);
        send();
        EXPECT_EQ(to.count(), 0u);
        remove(other);
    }
}

TEST_P(Selecting, N5_an_entity_that_restore_brings_back_is_not_selected) {
    const Entity mine = add(1);
    near->select(mine);
    send();
    const auto saved = snapshot(from);
    remove(mine);
    restore(from, saved);
    ASSERT_TRUE(from.alive(mine));
    send();
    EXPECT_EQ(replica->entity(mine), NONE);
    near->select(mine);
    send();
    ASSERT_NE(replica->entity(mine), NONE);
    EXPECT_EQ(to.get<Place>(replica->entity(mine)).x, 1);
}

TEST_P(Selecting, N5_an_entity_that_is_alive_before_and_after_restore_stays_selected) {
    from.add<Life>(ECS::world(), {4, false});
    const Entity mine = add(1);
    const auto saved = snapshot(from);
    near->select(mine);
    near->select(ECS::world());
    send();
    const Entity copy = replica->entity(mine);
    from.set<Place>(mine, {2, 0});
    from.set<Life>(ECS::world(), {5, false});
    send();
    restore(from, saved);
    send();
    EXPECT_EQ(replica->entity(mine), copy);
    EXPECT_EQ(to.get<Place>(copy).x, 1);
    EXPECT_EQ(to.get<Life>(ECS::world()).points, 4);
}

TEST_P(Selecting, N5_a_selection_ends_with_an_entity_that_a_rewind_removes) {
    Rewind rewind(from);
    from.update();
    const double before = rewind.newest();
    const Entity mine = add(1);
    const Entity other = add(2);
    near->select(mine);
    send();
    remove(other);
    from.update();
    rewind.to(before);
    ASSERT_EQ(add(99), mine);
    send();
    EXPECT_EQ(to.count(), 0u);
}

TEST_P(Selecting, N5_a_selection_stays_while_a_rewind_keeps_the_entity) {
    Rewind rewind(from);
    const Entity mine = add(1);
    near->select(mine);
    send();
    const double before = rewind.newest();
    from.set<Place>(mine, {2, 0});
    send();
    const Entity copy = replica->entity(mine);
    rewind.to(before);
    rewind.to(before + 1);
    rewind.to(before);
    send();
    EXPECT_EQ(replica->entity(mine), copy);
    EXPECT_EQ(to.get<Place>(copy).x, 1);
}

TEST_P(Selecting, N5_a_selection_ends_with_clear_except_that_of_the_world) {
    from.add<Life>(ECS::world(), {4, false});
    const Entity mine = add(1);
    near->select(mine);
    near->select(ECS::world());
    send();
    from.clear();
    const Entity next = add(2);
    ASSERT_EQ(index_of(next), index_of(mine));
    from.set<Life>(ECS::world(), {5, false});
    send();
    EXPECT_EQ(to.count(), 0u);
    EXPECT_EQ(to.get<Life>(ECS::world()).points, 5);
}

TEST_P(Selecting, N5_the_world_is_sent_while_it_has_a_component) {
    near->select(ECS::world());
    send();
    EXPECT_EQ(replica->entity(ECS::world()), NONE);
    from.add<Life>(ECS::world(), {4, false});
    send();
    EXPECT_EQ(replica->entity(ECS::world()), ECS::world());
    EXPECT_EQ(to.get<Life>(ECS::world()).points, 4);
    from.remove<Life>(ECS::world());
    send();
    EXPECT_FALSE(to.has<Life>(ECS::world()));
    from.add<Life>(ECS::world(), {6, false});
    send();
    EXPECT_EQ(to.get<Life>(ECS::world()).points, 6);
}

TEST_P(Selecting, N5_an_entity_that_is_kept_costs_nothing_and_gets_what_has_changed_when_it_is_selected_again) {
    const Entity coin = add(1);
    const Entity other = add(2);
    for (const Entity e : {coin, other}) near->select(e);
    send();
    send();
    const Entity here = replica->entity(coin);
    ASSERT_NE(here, NONE);
    near->deselect(coin, Deselection::keep);
    for (int k = 0; k < 10; ++k) {
        from.update();
        EXPECT_TRUE(near->take().empty());
        near->select(coin);
        EXPECT_TRUE(near->take().empty());
        near->deselect(coin, Deselection::keep);
    }
    from.add<Place>(coin, {5, 6});
    from.add<Life>(coin, {});
    from.update();
    EXPECT_TRUE(near->take().empty());
    EXPECT_EQ(to.get<Place>(here).x, 1);
    near->select(coin);
    send();
    EXPECT_EQ(replica->entity(coin), here);
    EXPECT_EQ(to.get<Place>(here).x, 5);
    EXPECT_TRUE(to.has<Life>(here));

    near->deselect(coin, Deselection::keep);
    send();
    near->deselect(coin);
    send();
    EXPECT_FALSE(to.alive(here));
    EXPECT_TRUE(to.alive(replica->entity(other)));
}

TEST_P(Selecting, N5_the_removal_of_an_entity_that_is_kept_is_sent) {
    const Entity coin = add(1);
    near->select(coin);
    send();
    send();
    const Entity here = replica->entity(coin);
    near->deselect(coin, Deselection::keep);
    send();
    ASSERT_TRUE(to.alive(here));
    remove(coin);
    send();
    EXPECT_FALSE(to.alive(here));
}

TEST_P(Selecting, N5_an_entity_that_was_not_sent_is_forgotten) {
    const Entity coin = add(1);
    near->select(coin);
    near->deselect(coin, Deselection::keep);
    send();
    EXPECT_EQ(replica->entity(coin), NONE);
    EXPECT_EQ(to.count(), 0u);
    near->select(coin);
    send();
    EXPECT_NE(replica->entity(coin), NONE);
}

TEST_P(Selecting, N5_what_arrives_below_an_entity_that_is_kept_finds_it_and_moves_it_to_its_parent) {
    const Entity root = add(0);
    const Entity above = add(1);
    const Entity below = add(2);
    from.set_parent(below, above);
    for (const Entity e : {root, above, below}) near->select(e);
    send();
    send();
    near->deselect(above, Deselection::keep);
    const Entity child = add(3);
    from.set_parent(child, above);
    near->select(child);
    send();
    EXPECT_EQ(to.parent(replica->entity(child)), replica->entity(above));
    // What was its child is above it now.
    from.set_parent(below, root);
    from.set_parent(above, below);
    send();
    EXPECT_EQ(to.parent(replica->entity(below)), replica->entity(root));
    near->select(above);
    send();
    EXPECT_EQ(to.parent(replica->entity(above)), replica->entity(below));
    EXPECT_EQ(to.parent(replica->entity(child)), replica->entity(above));
}

TEST_P(Selecting, N5_the_order_of_others_does_not_follow_one_that_is_kept_and_has_moved) {
    const Entity root = add(0);
    const Entity elsewhere = add(1);
    const Entity last = add(2);
    const Entity moved = add(3);
    from.set_parent(last, root);
    from.set_parent(moved, elsewhere);
    for (const Entity e : {root, elsewhere, last, moved}) near->select(e);
    send();
    send();
    near->deselect(moved, Deselection::keep);
    from.set_parent(moved, root, last);
    send();
    const Entity first = add(4);
    from.set_parent(first, root, moved);
    near->select(first);
    send();
    EXPECT_EQ(children_of(root), (std::vector{first, last}));
    near->select(moved);
    send();
    EXPECT_EQ(children_of(root), (std::vector{first, moved, last}));
}

TEST(SelectionInParts, N5_one_that_is_kept_before_it_was_sent_again_gets_its_position) {
    Pair pair;
    const auto add = [&] {
        const Entity e = pair.from.add_entity();
        pair.from.add<Place>(e, {});
        return e;
    };
    const Entity root = add();
    const Entity first = add();
    const Entity kept = add();
    const Entity last = add();
    for (const Entity e : {kept, last, first}) pair.from.set_parent(e, root);
    Receiver near = pair.changes->receiver(Selection::selected);
    Receiver without = pair.changes->receiver(Selection::selected);  // whose bytes are as many as those without `kept`
    ECS to;
    Replica replica(to);
    for (const Entity e : {root, first, last}) {
        near.select(e);
        without.select(e);
    }
    near.select(kept);
    replica.apply(near.take());
    static_cast<void>(without.take());
    near.deselect(kept);
    pair.from.set_parent(first, root, kept);
    replica.apply(near.take(without.take().size()));  // the removal is not sent yet
    ASSERT_NE(replica.entity(kept), NONE);
    near.select(kept);
    near.deselect(kept, Deselection::keep);
    EXPECT_TRUE(near.take().empty());
    near.select(kept);
    replica.apply(near.take());
    std::vector<Entity> children;
    for (const Entity e : to.children(replica.entity(root))) children.push_back(replica.remote(e));
    EXPECT_EQ(children, (std::vector{first, kept, last}));
}

TEST_P(Selecting, N5_an_entity_that_is_kept_is_forgotten_by_restore_and_rewind_as_a_selected_one) {
    const auto saved = snapshot(from);
    const Entity coin = add(1);
    near->select(coin);
    send();
    send();
    const Entity here = replica->entity(coin);
    near->deselect(coin, Deselection::keep);
    send();
    restore(from, saved);
    send();
    EXPECT_FALSE(to.alive(here));
    ASSERT_EQ(add(9), coin);
    send();
    EXPECT_EQ(replica->entity(coin), NONE);
}

TEST_P(Selecting, N5_a_receiver_can_be_destroyed_after_the_source_and_the_ecs) {
    auto ecs = std::make_unique<ECS>();
    std::optional<Changes> source(std::in_place, *ecs, EVERYTHING);
    Receiver receiver = source->receiver(Selection::selected, GetParam());
    Receiver moved = std::move(receiver);
    const auto saved = snapshot(*ecs);
    const Entity e = ecs->add_entity();
    ecs->add<Place>(e);
    moved.select(e);
    source.reset();
    restore(*ecs, saved);
    EXPECT_TRUE(moved.take().empty());
    ecs.reset();
}

INSTANTIATE_TEST_SUITE_P(Channels, Selecting, testing::Values(Channel::reliable, Channel::lossy),
                         [](const auto& test) { return test.param == Channel::lossy ? "lossy" : "reliable"; });

}  // namespace
}  // namespace crateful::test_changes_selection
