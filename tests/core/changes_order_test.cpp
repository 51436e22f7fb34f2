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
#include "random_model.hpp"

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

struct Family {
    Entity parent;
    std::vector<Entity> children;
};

Family add_family(ECS& ecs) {
    Family family{ecs.add_entity(), {}};
    ecs.add<test_changes::Flag>(family.parent, {});
    for (int k = 0; k < 8; ++k) {
        family.children.push_back(ecs.add_entity());
        ecs.set_parent(family.children.back(), family.parent);
    }
    return family;
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
        const Entity parent = add_family(pair.from).parent;
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

/// The children that a receiver selects.
struct Selected {
    Receiver& receiver;
    std::vector<Entity> entities;

    void toggle(Entity e) {
        if (const auto at = std::find(entities.begin(), entities.end(), e); at == entities.end()) {
            entities.push_back(e);
            receiver.select(e);
        } else {
            entities.erase(at);
            receiver.deselect(e);
        }
    }
    std::vector<Entity> children_of(ECS& ecs, Entity parent) const {
        std::vector<Entity> selected;
        for (const Entity child : ecs.children(parent)) {
            if (std::find(entities.begin(), entities.end(), child) != entities.end()) selected.push_back(child);
        }
        return selected;
    }
};

TEST(Replication, N6_selected_siblings_have_the_order_of_the_sender) {
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
        Pair pair;
        std::mt19937 random(seed);
        const auto [parent, all] = add_family(pair.from);
        Receiver some = pair.changes->receiver(Selection::selected);
        some.select(parent);
        Selected selected{some, {}};
        for (int step = 0; step < 60; ++step) {
            shuffle_some(pair.from, parent, random);
            selected.toggle(all[random() % all.size()]);
            const std::size_t most = random() % 2 == 0 ? 0 : step < 2 ? 1000 : 32;
            if (const auto bytes = some.take(most); !bytes.empty()) pair.replica->apply(bytes);
        }
        for (auto bytes = some.take(); !bytes.empty(); bytes = some.take()) pair.replica->apply(bytes);
        ASSERT_EQ(arrived_children(pair.to, *pair.replica, parent), selected.children_of(pair.from, parent))
            << "seed " << seed;
    }
}

TEST(LossyReplication, N6_siblings_that_were_placed_while_another_was_deselected_have_the_order_of_the_sender) {
    Pair pair;
    ECS& ecs = pair.from;
    Receiver receiver = pair.changes->receiver(Selection::selected, Channel::lossy);
    const auto take = [&](std::size_t most) {
        ecs.update();
        return receiver.take(most);
    };
    const auto add = [&] {
        const Entity e = ecs.add_entity();
        ecs.add<test_changes::Place>(e, {});
        return e;
    };
    const auto change = [&](Entity e) { ecs.modify<test_changes::Place>(e, [](auto& place) { place.x += 1; }); };
    const Entity parent = add();
    const Entity second = add();
    const std::vector<Entity> others{add(), add(), add(), add()};
    const Entity first = add();
    ecs.set_parent(second, parent);
    ecs.set_parent(first, parent, second);
    receiver.select(parent);
    for (const Entity e : others) receiver.select(e);
    pair.replica->apply(take(0));
    receiver.acknowledge(pair.replica->acknowledgement());
    receiver.select(second);
    pair.replica->apply(take(0));
    change(second);
    pair.replica->apply(take(0));  // all of it again, because the first packet may have been lost
    const auto early = pair.replica->acknowledgement();
    for (const Entity e : others) change(e);
    pair.replica->apply(take(32));  // not all: the next packet begins behind `second`
    receiver.deselect(second);
    receiver.select(first);
    pair.replica->apply(take(1000));
    receiver.select(second);
    ASSERT_FALSE(take(0).empty());  // lost
    receiver.acknowledge(early);
    for (int quiet = 0; quiet < 200; ++quiet) {
        const auto bytes = take(0);
        if (bytes.empty()) continue;
        pair.replica->apply(bytes);
        receiver.acknowledge(pair.replica->acknowledgement());
        quiet = 0;
    }
    EXPECT_EQ(arrived_children(pair.to, *pair.replica, parent), (std::vector{first, second}));
}

// Of all children, or of those that are selected.
TEST(LossyReplication, N6_siblings_that_arrive_in_parts_have_the_order_of_the_sender) {
    const auto end = test::first_seed() + test::times(500);
    for (std::uint32_t seed = test::first_seed(); seed < end; ++seed) {
        const bool selects = seed % 2 == 0;
        Pair pair;
        std::mt19937 random(seed);
        const auto chance = [&](std::uint32_t one_in) { return random() % one_in == 0; };
        Receiver receiver = pair.changes->receiver(selects ? Selection::selected : Selection::all, Channel::lossy);
        const auto take = [&](std::size_t most) {
            pair.from.update();
            return receiver.take(most);
        };
        const auto acknowledge = [&] { receiver.acknowledge(pair.replica->acknowledgement()); };
        const Entity other = pair.from.add_entity();
        pair.from.add<test_changes::Flag>(other, {});
        if (selects) receiver.select(other);
        pair.replica->apply(take(0));
        acknowledge();  // the classes are sent no more
        const auto [parent, children] = add_family(pair.from);
        if (selects) receiver.select(parent);
        Selected selected{receiver, {}};
        for (const Entity child : children) {
            if (selects) selected.toggle(child);
            pair.from.add<test_changes::Place>(child, {});
        }
        for (int step = 0; step < 12; ++step) {
            if (chance(4)) shuffle_some(pair.from, parent, random);
            if (selects && chance(2)) selected.toggle(children[random() % children.size()]);
            for (const Entity child : children) {
                if (chance(2)) pair.from.modify<test_changes::Place>(child, [](auto& place) { place.x += 1; });
            }
            const auto bytes = take(chance(8) ? 0 : 100);
            if (!chance(4)) pair.replica->apply(bytes);
            if (chance(4)) acknowledge();
        }
        for (int quiet = 0; quiet < 200; ++quiet) {
            const auto bytes = take(0);
            if (bytes.empty()) continue;
            pair.replica->apply(bytes);
            acknowledge();
            quiet = 0;
        }
        const auto sent = selects ? selected.children_of(pair.from, parent) : children_of(pair.from, parent);
        ASSERT_EQ(arrived_children(pair.to, *pair.replica, parent), sent) << "seed " << seed;
    }
}

}  // namespace
}  // namespace crateful::test_changes_order
