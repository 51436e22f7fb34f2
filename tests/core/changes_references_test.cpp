// References in values that only their class can read: a codec maps them (rules N5, N6).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "crateful/changes.hpp"
#include "crateful/ecs.hpp"
#include "failing_memory.hpp"

namespace crateful::test_changes_references {
namespace {

using Bytes = std::vector<std::byte>;

struct Squad {
    std::vector<Entity> members;
};
Bytes encode_squad(const Squad& squad) {
    const auto bytes = std::as_bytes(std::span(squad.members));
    return {bytes.begin(), bytes.end()};
}
Squad decode_squad(std::span<const std::byte> bytes) {
    Squad squad;
    squad.members.resize(bytes.size() / sizeof(Entity));
    if (!bytes.empty()) std::memcpy(squad.members.data(), bytes.data(), bytes.size());
    return squad;
}
void map_squad(Squad& squad, const EntityMap& map) {
    for (Entity& member : squad.members) member = map(member);
}
struct Place {
    float x = 0;
};

struct Watcher : System<> {
    std::vector<Entity> seen;
    Watcher() {
        require<Squad>();
        watch<Squad>();
    }
    void update(double, Entities&, Dirty& dirty) override {
        for (const Entity e : dirty) seen.push_back(e);
    }
};

struct References : testing::Test {
    ECS from;
    ECS to;
    std::optional<Changes> changes;
    std::optional<Receiver> receiver;
    std::optional<Replica> replica;
    References() {
        describe_component<Squad>("changes_references.Squad").codec<encode_squad, decode_squad, map_squad>();
        describe_component<Place>("changes_references.Place").field("x", &Place::x);
        changes.emplace(from, ChangesOptions{{"changes_references.Squad", "changes_references.Place"}, {}});
        receiver.emplace(changes->receiver(Selection::selected));
        replica.emplace(to);
        static_cast<void>(to.add_entity());  // so that handles differ
    }
    void send() {
        for (auto bytes = receiver->take(); !bytes.empty(); bytes = receiver->take()) replica->apply(bytes);
    }
    Entity add(std::vector<Entity> members = {}) {
        const Entity e = from.add_entity(Place{});
        from.add<Squad>(e, {std::move(members)});
        receiver->select(e);
        return e;
    }
    [[nodiscard]] Entity copy(Entity e) const { return replica->entity(e); }
    [[nodiscard]] const std::vector<Entity>& members(Entity e) { return to.get<Squad>(copy(e)).members; }
};
using Ids = std::vector<Entity>;

TEST_F(References, N6_handles_in_values_of_a_codec_are_those_of_the_replica) {
    const Entity a = add();
    const Entity b = add({a});
    const Entity c = from.add_entity(Place{});
    receiver->select(c);
    from.add<Squad>(a, {{a, b, c, NONE}});  // also what is behind it in the same bytes
    send();
    EXPECT_EQ(members(a), (Ids{copy(a), copy(b), copy(c), NONE}));
    EXPECT_EQ(members(b), Ids{copy(a)});
    EXPECT_NE(copy(a), a);
    auto& watcher = to.add_system<Watcher>(0);
    to.update();
    watcher.seen.clear();
    const Entity d = add({b, a});
    from.modify<Squad>(b, [&](Squad& squad) { squad.members.push_back(d); });
    send();
    EXPECT_EQ(members(d), (Ids{copy(b), copy(a)}));
    EXPECT_EQ(members(b), (Ids{copy(a), copy(d)}));
    to.update();
    EXPECT_EQ(watcher.seen, (Ids{copy(b), copy(d)}));
}

TEST_F(References, N6_what_arrives_later_is_set_then_with_a_signal) {
    const Entity hidden = from.add_entity(Place{});
    const Entity never = from.add_entity(Place{});
    const Entity a = add({hidden, never});
    send();
    EXPECT_EQ(members(a), (Ids{NONE, NONE}));
    auto& watcher = to.add_system<Watcher>(0);
    to.update();
    watcher.seen.clear();
    receiver->select(hidden);
    send();
    EXPECT_EQ(members(a), (Ids{copy(hidden), NONE}));
    to.update();
    EXPECT_EQ(watcher.seen, Ids{copy(a)});
    receiver->select(never);
    send();
    EXPECT_EQ(members(a), (Ids{copy(hidden), copy(never)}));
    to.update();
    watcher.seen.clear();
    add();
    send();
    to.update();
    EXPECT_EQ(watcher.seen.size(), 1u) << "nothing is left to resolve";
}

TEST_F(References, N6_what_is_set_or_removed_meanwhile_is_not_set_again) {
    const Entity hidden = from.add_entity(Place{});
    const Entity changed = add({hidden});
    const Entity removed = add({hidden});
    const Entity gone = add({hidden});
    const Entity mine = add({hidden});
    send();
    from.modify<Squad>(changed, [](Squad& squad) { squad.members = {NONE, NONE}; });
    from.remove<Squad>(removed);
    from.remove_entity(gone);
    from.remove_marked();
    to.remove<Squad>(copy(mine));  // by the program of the replica
    send();
    const Entity next = from.add_entity(Place{}, Squad{});  // has the index of the one that was removed
    EXPECT_EQ(index_of(next), index_of(gone));
    receiver->select(next);
    receiver->select(hidden);
    send();
    EXPECT_EQ(members(changed), (Ids{NONE, NONE}));
    EXPECT_FALSE(to.has<Squad>(copy(removed)));
    EXPECT_EQ(members(next), Ids{});
    EXPECT_FALSE(to.has<Squad>(copy(mine)));
}

TEST_F(References, N6_what_leaves_is_none_until_it_comes_back) {
    const Entity prey = add();
    const Entity hunter = add({prey});
    send();
    auto& watcher = to.add_system<Watcher>(0);
    to.update();
    watcher.seen.clear();
    receiver->deselect(prey);
    send();
    EXPECT_EQ(members(hunter), Ids{NONE});
    receiver->select(prey);
    send();
    EXPECT_EQ(members(hunter), Ids{copy(prey)});
    to.update();
    EXPECT_EQ(std::count(watcher.seen.begin(), watcher.seen.end(), copy(hunter)), 1);
    from.modify<Squad>(hunter, [](Squad& squad) { squad.members = {NONE}; });  // encoded as what it becomes here
    from.remove_entity(prey);
    from.remove_marked();
    send();
    EXPECT_EQ(members(hunter), Ids{NONE});
}

TEST_F(References, N6_the_bytes_of_a_restart_find_equal_values) {
    const Entity a = add();
    const Entity b = add({a});
    send();
    auto& watcher = to.add_system<Watcher>(0);
    to.update();
    watcher.seen.clear();
    receiver->restart();
    send();
    to.update();
    EXPECT_EQ(watcher.seen, Ids{});
    EXPECT_EQ(members(b), Ids{copy(a)});
}

TEST_F(References, N6_predicted_values_are_mapped_in_both_directions) {
    const Entity a = add();
    const Entity b = add({a});
    send();
    const Entity own = to.add_entity();
    replica->predict(copy(b));
    to.modify<Squad>(copy(b), [&](Squad& squad) { squad.members = {own}; });
    replica->reset();
    EXPECT_EQ(members(b), Ids{copy(a)});
    from.modify<Squad>(b, [&](Squad& squad) { squad.members = {b, a}; });
    to.modify<Squad>(copy(b), [&](Squad& squad) { squad.members.clear(); });
    send();
    EXPECT_EQ(members(b), (Ids{copy(b), copy(a)}));
    to.modify<Squad>(copy(b), [&](Squad& squad) { squad.members.clear(); });
    replica->reset();
    EXPECT_EQ(members(b), (Ids{copy(b), copy(a)}));
    auto& watcher = to.add_system<Watcher>(0);
    to.update();
    watcher.seen.clear();
    replica->reset();
    to.update();
    EXPECT_EQ(watcher.seen, Ids{}) << "nothing differs";
}

TEST_F(References, N6_a_reference_to_an_adopted_entity_is_it) {
    const Entity a = add();
    const Entity b = add({a});
    const Entity mine = to.add_entity(Place{});
    replica->adopt(mine, a);
    send();
    EXPECT_EQ(copy(a), mine);
    EXPECT_EQ(members(b), Ids{mine});
}

TEST_F(References, N6_removed_and_created_entities_of_one_index_are_told_apart) {
    const Entity a = add();
    const Entity b = add({a});
    send();
    const Entity before = copy(a);
    from.remove_entity(a);
    from.remove_marked();
    const Entity next = add();
    EXPECT_EQ(index_of(next), index_of(a));
    from.modify<Squad>(b, [&](Squad& squad) { squad.members = {a, next}; });
    send();
    EXPECT_FALSE(to.alive(before));
    EXPECT_EQ(members(b), (Ids{NONE, copy(next)}));
}

TEST_F(References, N6_X4_references_arrive_when_the_bytes_are_applied_again) {
    auto& watcher = to.add_system<Watcher>(0);
    int failures = 0;
    for (int n = 0, failed = 1; failed > 0 && !HasFailure(); ++n, failures += failed) {
        failed = 0;
        const Entity hidden = from.add_entity(Place{});
        const Entity a = add({hidden});
        const Entity b = add({a, hidden});
        const auto apply = [&] {
            const auto bytes = receiver->take();
            test::allocations_left = n;
            test::fails_once = true;
            try {
                replica->apply(bytes);
            } catch (const std::bad_alloc&) {
                ++failed;
            }
            test::allocations_left = -1;
            test::fails_once = false;
            replica->apply(bytes);
        };
        apply();
        EXPECT_EQ(members(b), (Ids{copy(a), NONE})) << n;
        to.update();
        watcher.seen.clear();
        receiver->select(hidden);
        apply();
        EXPECT_EQ(members(a), Ids{copy(hidden)}) << n;
        EXPECT_EQ(members(b), (Ids{copy(a), copy(hidden)})) << n;
        to.update();
        for (const Entity e : {copy(a), copy(b)})
            EXPECT_NE(std::count(watcher.seen.begin(), watcher.seen.end(), e), 0) << n;
    }
    EXPECT_GT(failures, 10);
}

}  // namespace
}  // namespace crateful::test_changes_references
