// The order of siblings, for receivers that get it in parts (rules N5, N6).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "changes_world.hpp"
#include "crateful/changes.hpp"
#include "crateful/ecs.hpp"

namespace crateful::test_changes_order {
namespace {

using test_changes::Pair;

std::vector<Entity> children_of(ECS& ecs, Entity parent) {
    std::vector<Entity> children;
    for (const Entity child : ecs.children(parent)) children.push_back(child);
    return children;
}

/// The children of an entity that have arrived, as entities of the sender.
std::vector<Entity> arrived_children(ECS& ecs, const Replica& replica, Entity parent) {
    std::vector<Entity> children;
    if (replica.entity(parent) == NONE) return children;
    for (const Entity child : ecs.children(replica.entity(parent))) children.push_back(replica.remote(child));
    return children;
}

void shuffle_some(ECS& ecs, Entity parent, std::mt19937& random) {
    for (std::size_t k = random() % 4; k > 0; --k) {
        const std::vector<Entity> children = children_of(ecs, parent);
        const Entity moved = children[random() % children.size()];
        const Entity before = children[random() % children.size()];
        if (moved != before) ecs.set_parent(moved, parent, random() % 4 == 0 ? NONE : before);
    }
}

TEST(Replication, N6_siblings_that_arrive_in_parts_have_the_order_of_the_sender) {
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
        Pair pair;
        std::mt19937 random(seed);
        const Entity parent = pair.from.add_entity();
        pair.from.add<test_changes::Flag>(parent, {});
        for (int k = 0; k < 8; ++k) pair.from.set_parent(pair.from.add_entity(), parent);
        pair.send();
        for (int step = 0; step < 30; ++step) {
            shuffle_some(pair.from, parent, random);
            if (const auto bytes = pair.receiver->take(32); !bytes.empty()) pair.replica->apply(bytes);
        }
        for (auto bytes = pair.receiver->take(32); !bytes.empty(); bytes = pair.receiver->take(32))
            pair.replica->apply(bytes);
        ASSERT_EQ(arrived_children(pair.to, *pair.replica, parent), children_of(pair.from, parent)) << "seed " << seed;
    }
}

TEST(Replication, N6_selected_siblings_have_the_order_of_the_sender) {
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
        Pair pair;
        std::mt19937 random(seed);
        const Entity parent = pair.from.add_entity();
        pair.from.add<test_changes::Flag>(parent, {});
        std::vector<Entity> all;
        for (int k = 0; k < 8; ++k) {
            all.push_back(pair.from.add_entity());
            pair.from.set_parent(all.back(), parent);
        }
        Receiver some = pair.changes->receiver(Selection::selected);
        some.select(parent);
        std::vector<Entity> selected;
        for (int step = 0; step < 60; ++step) {
            shuffle_some(pair.from, parent, random);
            const Entity e = all[random() % all.size()];
            if (const auto at = std::find(selected.begin(), selected.end(), e); at == selected.end()) {
                selected.push_back(e);
                some.select(e);
            } else {
                selected.erase(at);
                some.deselect(e);
            }
            const std::size_t most = random() % 2 == 0 ? 0 : step < 2 ? 1000 : 32;
            if (const auto bytes = some.take(most); !bytes.empty()) pair.replica->apply(bytes);
        }
        for (auto bytes = some.take(); !bytes.empty(); bytes = some.take()) pair.replica->apply(bytes);
        std::vector<Entity> sent;
        for (const Entity child : pair.from.children(parent)) {
            if (std::find(selected.begin(), selected.end(), child) != selected.end()) sent.push_back(child);
        }
        ASSERT_EQ(arrived_children(pair.to, *pair.replica, parent), sent) << "seed " << seed;
    }
}

}  // namespace
}  // namespace crateful::test_changes_order
