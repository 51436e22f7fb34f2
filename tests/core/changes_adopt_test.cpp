// Entities of the replica's program that become those of the sender (rule N6).
#include <gtest/gtest.h>

#include <vector>

#include "changes_world.hpp"
#include "crateful/changes.hpp"
#include "crateful/ecs.hpp"
#include "crateful/state.hpp"
#include "failing_memory.hpp"

namespace crateful::test_changes {
namespace {

struct Picture {  // which only the page has
    int number = 0;
};

struct Draws : System<> {
    Draws() {
        require<Place>();
        watch<Place>();
    }
    void on_add(Aspect& /*aspect*/) override { ++added; }
    void on_remove(Aspect& /*aspect*/) override { ++removed; }
    void update(double /*delta*/, Entities& /*entities*/, Dirty& all) override { dirty = all.size(); }
    int added = 0;
    int removed = 0;
    std::size_t dirty = 0;
};

struct Adopting : testing::Test {
    Pair pair;
    Entity gun = pair.from.add_entity(Place{1, 1});
    Adopting() { pair.send(); }
    [[nodiscard]] ErrorCode refused(Entity local, Entity remote) {
        try {
            pair.replica->adopt(local, remote);
        } catch (const Error& error) {
            return error.code();
        }
        return ErrorCode{};
    }
};

TEST_F(Adopting, N6_an_adopted_entity_becomes_that_of_the_sender_with_its_handle) {
    const Draws& draws = pair.to.add_system<Draws>(0);
    const Entity mine = pair.to.add_entity(Place{2, 2}, Picture{7}, Flag{}, Route{{1}});
    pair.to.set_parent(mine, pair.replica->entity(gun));
    pair.to.update();
    EXPECT_EQ(draws.added, 2);
    const Entity shot = pair.from.add_entity(Place{2, 2}, Route{{2}}, Life{9, false});
    const Entity smoke = pair.from.add_entity(Aim{shot, {}}, Chase{Link(shot)});
    pair.from.set_parent(smoke, shot);
    pair.replica->adopt(mine, shot);
    EXPECT_EQ(pair.replica->entity(shot), NONE);
    EXPECT_EQ(pair.replica->remote(mine), NONE);
    pair.send();
    EXPECT_EQ(pair.replica->entity(shot), mine);
    EXPECT_EQ(pair.replica->remote(mine), shot);
    EXPECT_TRUE(pair.same({gun, shot, smoke}));
    EXPECT_EQ(pair.to.get<Picture>(mine).number, 7);
    EXPECT_FALSE(pair.to.has<Flag>(mine));
    EXPECT_EQ(pair.to.parent(mine), NONE);
    EXPECT_EQ(draws.added, 2);
    EXPECT_EQ(draws.removed, 0);
    pair.to.update();
    EXPECT_EQ(draws.dirty, 0u) << "the value was right";
    pair.from.modify<Place>(shot, [](Place& place) { place.x = 3; });
    pair.send();
    EXPECT_EQ(pair.to.get<Place>(mine).x, 3);
    pair.replica->predict(mine);
    pair.to.set(mine, Place{4, 4});
    pair.replica->reset();
    EXPECT_EQ(pair.to.get<Place>(mine).x, 3);
    pair.from.remove_entity(shot);
    pair.from.remove_marked();
    pair.send();
    EXPECT_FALSE(pair.to.alive(mine));
}

TEST_F(Adopting, N6_a_parent_of_the_program_stays_until_the_sender_has_one) {
    const Entity scene = pair.to.add_entity(Picture{});
    const Entity mine = pair.to.add_entity(Place{});
    pair.to.set_parent(mine, scene);
    const Entity shot = pair.from.add_entity(Place{});
    pair.replica->adopt(mine, shot);
    pair.send();
    EXPECT_EQ(pair.to.parent(mine), scene);
    pair.from.set_parent(shot, gun);
    pair.send();
    EXPECT_EQ(pair.to.parent(mine), pair.replica->entity(gun));
}

TEST_F(Adopting, N6_a_parent_of_the_program_that_becomes_the_senders_is_none_any_more) {
    const Entity above = pair.to.add_entity(Place{});
    const Entity below = pair.to.add_entity(Place{});
    pair.to.set_parent(below, above);
    const Entity first = pair.from.add_entity(Place{});
    pair.replica->adopt(below, first);
    pair.send();
    EXPECT_EQ(pair.to.parent(below), above) << "which is the program's";
    const Entity second = pair.from.add_entity(Place{});
    pair.replica->adopt(above, second);
    pair.send();
    EXPECT_EQ(pair.to.parent(below), NONE);
    pair.to.set_parent(below, pair.to.world());
    pair.from.add<Level>(pair.from.world(), {3});
    pair.send();
    EXPECT_EQ(pair.to.parent(below), NONE) << "the world is the sender's now";
}

TEST_F(Adopting, N6_a_circle_with_entities_of_the_program_is_cut_before_anything_changes) {
    struct Parents : System<> {
        std::vector<Entity> removed{};
        bool is_before = true;
        Parents() { require<Parent>(); }
        void on_remove(Aspect& aspect) override {
            removed.push_back(aspect.entity());
            is_before = is_before && ecs().get<Place>(aspect.entity()).x == 1;
        }
        void update(double /*delta*/, Entities& /*entities*/) override {}
    };
    const Parents& parents = pair.to.add_system<Parents>(0);
    const Entity top = pair.to.add_entity(Place{1, 1});
    const Entity middle = pair.to.add_entity(Place{1, 1});
    const Entity bottom = pair.to.add_entity(Place{1, 1});
    pair.to.set_parent(middle, top);
    pair.to.set_parent(bottom, middle);
    const Entity x = pair.from.add_entity(Place{2, 2});
    const Entity y = pair.from.add_entity(Place{2, 2});
    pair.from.set_parent(y, x);
    pair.replica->adopt(bottom, x);
    pair.replica->adopt(top, y);
    pair.to.update();
    pair.send();
    EXPECT_EQ(pair.to.parent(top), bottom);
    EXPECT_EQ(pair.to.parent(bottom), middle);
    EXPECT_EQ(pair.to.parent(middle), NONE);
    EXPECT_EQ(parents.removed, std::vector{middle});
    EXPECT_TRUE(parents.is_before);
}

TEST_F(Adopting, N6_one_that_the_program_has_removed_cannot_be_adopted) {
    const Entity mine = pair.to.add_entity();
    pair.to.remove_entity(pair.replica->entity(gun));
    pair.to.remove_marked();
    EXPECT_EQ(refused(mine, gun), ErrorCode::bad_argument);
}

TEST_F(Adopting, N6_S6_not_while_bytes_are_applied_but_in_on_add) {
    struct Calls : System<> {
        Adopting& test;
        Entity mine;
        Entity remote;
        std::vector<ErrorCode> codes{};
        Calls(Adopting& of, Entity own, Entity other) : test(of), mine(own), remote(other) { require<Place>(); }
        void on_add(Aspect& /*aspect*/) override { codes.push_back(test.refused(mine, remote)); }
        void on_remove(Aspect& /*aspect*/) override { codes.push_back(test.refused(mine, remote)); }
        void update(double /*delta*/, Entities& /*entities*/) override {}
    };
    const Entity mine = pair.to.add_entity();
    const Entity next = pair.from.add_entity();
    const Calls& calls = pair.to.add_system<Calls>(0, *this, mine, next);
    pair.to.update();
    const_cast<Calls&>(calls).codes.clear();
    pair.from.remove<Place>(gun);
    pair.from.add<Life>(gun, {1, true});
    pair.from.add_entity(Place{});
    pair.send();
    EXPECT_EQ(calls.codes, (std::vector{ErrorCode::reentrant_update, ErrorCode{}}));
    pair.from.add<Life>(next, {1, true});
    pair.send();
    EXPECT_EQ(pair.replica->entity(next), mine);
}

TEST_F(Adopting, N6_without_the_adopted_entity_another_one_is_created) {
    const Entity shot = pair.from.add_entity(Place{1, 2});
    const Entity mine = pair.to.add_entity(Place{});
    pair.replica->adopt(mine, shot);
    pair.to.remove_entity(mine);
    pair.to.remove_marked();
    const Entity other = pair.to.add_entity();  // has the index of the first one
    EXPECT_EQ(index_of(other), index_of(mine));
    pair.send();
    EXPECT_NE(pair.replica->entity(shot), other);
    EXPECT_TRUE(pair.to.has<Place>(pair.replica->entity(shot)));
}

TEST_F(Adopting, N6_the_last_call_for_an_entity_holds) {
    const Entity first = pair.from.add_entity(Place{});
    const Entity second = pair.from.add_entity(Place{});
    const Entity a = pair.to.add_entity();
    const Entity b = pair.to.add_entity();
    pair.replica->adopt(a, first);
    pair.replica->adopt(a, second);  // the same local one
    pair.replica->adopt(b, second);  // the same remote one
    pair.send();
    EXPECT_EQ(pair.replica->entity(second), b);
    EXPECT_NE(pair.replica->entity(first), a);
    EXPECT_EQ(pair.to.count(), 4u);
}

TEST_F(Adopting, N6_the_index_of_the_sender_can_have_belonged_to_another_one) {
    const Entity first = pair.from.add_entity(Place{1, 1}, Flag{});
    pair.send();
    const Entity before = pair.replica->entity(first);
    pair.from.remove_entity(first);
    pair.from.remove_marked();
    const Entity second = pair.from.add_entity(Place{2, 2});
    EXPECT_EQ(index_of(first), index_of(second));
    const Entity mine = pair.to.add_entity(Flag{});
    pair.replica->adopt(mine, second);
    pair.send();
    EXPECT_FALSE(pair.to.alive(before));
    EXPECT_EQ(pair.replica->entity(second), mine);
    EXPECT_TRUE(pair.same({gun, second}));
}

TEST_F(Adopting, N6_the_first_bytes_can_contain_it) {
    Receiver receiver = pair.changes->receiver();
    ECS to;
    Replica replica(to);
    const Entity mine = to.add_entity(Place{}, Route{{5}}, Picture{3});
    replica.adopt(mine, gun);
    replica.apply(receiver.take());
    EXPECT_EQ(replica.entity(gun), mine);
    EXPECT_FALSE(to.has<Route>(mine));
    EXPECT_EQ(to.count(), 1u);
}

TEST_F(Adopting, N6_after_an_exchange_of_the_state_handles_mean_others) {
    Receiver receiver = pair.changes->receiver();
    ECS to;
    Replica replica(to);
    const auto empty = snapshot(to);
    const Entity mine = to.add_entity(Place{});
    replica.adopt(mine, gun);
    restore(to, empty);
    const Entity other = to.add_entity(Flag{});
    EXPECT_EQ(other, mine);
    replica.apply(receiver.take());
    EXPECT_NE(replica.entity(gun), other);
    EXPECT_TRUE(to.has<Flag>(other));
}

TEST_F(Adopting, N6_what_cannot_be_adopted_is_an_error_that_changes_nothing) {
    const Entity shot = pair.from.add_entity(Place{});
    const Entity mine = pair.to.add_entity();
    const Entity gone = pair.to.add_entity();
    pair.replica->adopt(mine, shot);
    pair.to.remove_entity(gone);
    pair.to.remove_marked();
    EXPECT_EQ(refused(gone, shot), ErrorCode::stale_entity);
    EXPECT_EQ(refused(NONE, shot), ErrorCode::stale_entity);
    EXPECT_EQ(refused(pair.to.world(), shot), ErrorCode::bad_argument);
    EXPECT_EQ(refused(mine, pair.from.world()), ErrorCode::bad_argument);
    EXPECT_EQ(refused(mine, NONE), ErrorCode::bad_argument);
    EXPECT_EQ(refused(pair.replica->entity(gun), shot), ErrorCode::bad_argument);
    EXPECT_EQ(refused(mine, gun), ErrorCode::bad_argument);
    pair.send();
    EXPECT_EQ(pair.replica->entity(shot), mine);
    restore(pair.to, snapshot(pair.to));
    EXPECT_EQ(refused(pair.to.add_entity(), Entity{77}), ErrorCode::bad_argument);
}

TEST(LossyAdopting, N6_on_a_lossy_channel_too) {
    Pair pair(Channel::lossy);
    const Entity shot = pair.from.add_entity(Place{1, 1});
    static_cast<void>(pair.receiver->take());  // is lost
    const Entity mine = pair.to.add_entity(Place{}, Flag{}, Picture{4});
    pair.replica->adopt(mine, shot);
    for (int k = 0; k < 100; ++k) {
        pair.from.update();
        pair.replica->apply(pair.receiver->take());
        pair.receiver->acknowledge(pair.replica->acknowledgement());
    }
    EXPECT_EQ(pair.replica->entity(shot), mine);
    EXPECT_TRUE(pair.same({shot}));
    EXPECT_EQ(pair.to.get<Picture>(mine).number, 4);
}

TEST(Replication, N6_X4_an_adopted_entity_arrives_when_the_bytes_are_applied_again) {
    int failures = 0;
    for (int n = 0, failed = 1; failed > 0 && !testing::Test::HasFailure(); ++n, failures += failed) {
        failed = 0;
        Pair pair;
        const Entity gun = pair.from.add_entity(Called{pair.from.string("a name that is not short")});
        pair.send();
        const Entity shot = pair.from.add_entity(Place{1, 2}, Route{std::vector<std::uint8_t>(40)}, Life{});
        const Entity smoke = pair.from.add_entity(Aim{shot, {}});
        pair.from.set_parent(smoke, shot);
        const Entity mine = pair.to.add_entity(Place{}, Flag{}, Called{pair.to.string("another name that is long")});
        pair.to.set_parent(mine, pair.replica->entity(gun));
        const auto attempt = [&](auto&& call) {
            test::allocations_left = n;
            test::fails_once = true;
            try {
                call();
            } catch (const std::bad_alloc&) {
                ++failed;
            }
            test::allocations_left = -1;
            test::fails_once = false;
        };
        attempt([&] { pair.replica->adopt(mine, shot); });
        pair.replica->adopt(mine, shot);
        const auto bytes = pair.receiver->take();
        attempt([&] { pair.replica->apply(bytes); });
        pair.replica->apply(bytes);
        EXPECT_EQ(pair.replica->entity(shot), mine) << n;
        EXPECT_TRUE(pair.same({gun, shot, smoke})) << n;
    }
    EXPECT_GT(failures, 10);
}

}  // namespace
}  // namespace crateful::test_changes
