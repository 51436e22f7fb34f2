// A receiver that begins again (rules N5, N6).
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "changes_world.hpp"
#include "crateful/changes.hpp"
#include "crateful/ecs.hpp"

namespace crateful::test_changes {
namespace {

ErrorCode code_of(Replica& replica, const std::vector<std::byte>& bytes) {
    try {
        replica.apply(bytes);
    } catch (const Error& error) {
        return error.code();
    }
    return ErrorCode{};
}

/// A sender with a tree, values of each kind, and a component of the world.
struct Restarting : testing::Test {
    Pair pair;
    std::vector<Entity> all;
    Restarting() {
        for (int i = 0; i < 20; ++i) {
            const Entity e = pair.from.add_entity();
            pair.from.add<Place>(e, {static_cast<float>(i), 1});
            pair.from.add<Called>(e, {pair.from.string("name " + std::to_string(i))});
            pair.from.add<Route>(e, {{1, 2, 3}});
            if (i > 0) pair.from.add<Chase>(e, {Link(all[0])});
            if (i > 5) pair.from.set_parent(e, all[static_cast<std::size_t>(i / 2)]);
            all.push_back(e);
        }
        pair.from.add<Level>(pair.from.world(), {7});
    }
    /// The entities of the sender that have arrived, and their handles here.
    [[nodiscard]] std::map<Entity, Entity> arrived() const {
        std::map<Entity, Entity> found;
        for (const Entity e : all) {
            if (pair.replica->entity(e) != NONE) found[e] = pair.replica->entity(e);
        }
        return found;
    }
    void lose() { ASSERT_FALSE(pair.receiver->take().empty()); }
    void change() {
        pair.from.modify<Place>(all[3], [](Place& place) { place.x = 99; });
        pair.from.remove<Route>(all[4]);
        pair.from.set_parent(all[7], NONE);
        pair.from.remove_entity(all[10]);
        pair.from.remove_marked();
        pair.from.remove<Level>(pair.from.world());
        all.push_back(pair.from.add_entity());  // with the index of the one that was removed
        pair.from.add<Flag>(all.back(), {});
        std::erase_if(all, [&](Entity e) { return !pair.from.alive(e); });
    }
};

TEST_F(Restarting, N5_N6_a_restart_repairs_what_was_lost_and_handles_stay) {
    pair.send();
    const auto before = arrived();
    change();
    lose();
    pair.from.modify<Place>(all[0], [](Place& place) { place.y = 5; });
    const auto refused = pair.receiver->take();
    EXPECT_EQ(code_of(*pair.replica, refused), ErrorCode::bad_data);
    pair.receiver->restart();
    const auto bytes = pair.receiver->take();
    EXPECT_EQ(code_of(*pair.replica, bytes), ErrorCode{});
    EXPECT_TRUE(pair.same(all));
    EXPECT_FALSE(pair.to.has<Level>(pair.to.world()));
    for (const auto& [e, local] : before) {
        if (!pair.from.alive(e)) continue;
        EXPECT_EQ(pair.replica->entity(e), local);
    }
    EXPECT_EQ(code_of(*pair.replica, bytes), ErrorCode{});    // has no effect
    EXPECT_EQ(code_of(*pair.replica, refused), ErrorCode{});  // is older
    EXPECT_TRUE(pair.same(all));
    EXPECT_TRUE(pair.receiver->take().empty());
    pair.from.modify<Place>(all[1], [](Place& place) { place.x = -4; });
    pair.send();
    EXPECT_TRUE(pair.same(all));
}

TEST_F(Restarting, N5_N6_a_restart_with_the_world_removes_what_the_program_has_added_to_it) {
    pair.from.remove<Level>(pair.from.world());
    pair.send();
    pair.to.add<Life>(pair.to.world(), {5, true});
    pair.to.add<Route>(pair.to.world(), {{1}});
    pair.from.add<Level>(pair.from.world(), {8});
    pair.receiver->restart();
    pair.send();
    EXPECT_EQ(pair.to.get<Level>(pair.to.world()).number, 8);
    EXPECT_FALSE(pair.to.has<Life>(pair.to.world()));
    EXPECT_FALSE(pair.to.has<Route>(pair.to.world()));
    pair.from.remove<Level>(pair.from.world());
    pair.send();
    EXPECT_FALSE(pair.to.has<Level>(pair.to.world()));
}

TEST_F(Restarting, N6_what_a_restart_does_not_change_does_not_signal) {
    struct Watching : System<> {
        std::size_t signals = 0;
        std::size_t calls = 0;
        Watching() {
            require<Place>();
            watch<Place>();
        }
        void on_add(Aspect&) override { ++calls; }
        void on_remove(Aspect&) override { ++calls; }
        void update(double, Entities&, Dirty& dirty) override { signals += dirty.size(); }
    };
    pair.send();
    auto& system = pair.to.add_system<Watching>(0);
    pair.to.update();
    system.signals = system.calls = 0;
    pair.from.modify<Place>(all[3], [](Place& place) { place.x = 99; });
    pair.receiver->restart();
    pair.send();
    pair.to.update();
    EXPECT_EQ(system.signals, 1u);
    EXPECT_EQ(system.calls, 0u);
}

TEST_F(Restarting, N6_a_restart_removes_what_the_program_of_the_replica_has_added) {
    pair.send();
    const Entity copy = pair.replica->entity(all[0]);
    const Entity own = pair.to.add_entity();
    pair.to.add<Flag>(copy, {});
    pair.to.set_parent(copy, own);
    pair.to.set_parent(pair.replica->entity(all[1]), pair.replica->entity(all[2]));
    pair.to.remove<Place>(pair.replica->entity(all[3]));
    pair.to.remove_entity(pair.replica->entity(all[19]));
    pair.to.remove_marked();
    pair.receiver->restart();
    pair.send();
    EXPECT_EQ(pair.replica->entity(all[19]), NONE);  // stays removed
    EXPECT_FALSE(pair.to.has<Flag>(copy));
    EXPECT_EQ(pair.to.parent(copy), own);  // its parent is no entity of the sender
    EXPECT_EQ(pair.to.parent(pair.replica->entity(all[1])), NONE);
    EXPECT_EQ(pair.to.get<Place>(pair.replica->entity(all[3])).x, 3);
    EXPECT_TRUE(pair.to.alive(own));
}

TEST_F(Restarting, N5_N6_a_new_replica_can_begin_with_a_restart) {
    lose();
    pair.from.remove_entity(all[2]);
    pair.from.remove_marked();
    EXPECT_EQ(code_of(*pair.replica, pair.receiver->take()), ErrorCode::bad_data);
    pair.receiver->restart();
    pair.send();
    EXPECT_TRUE(pair.same(all));
}

TEST_F(Restarting, N5_a_restart_in_parts_changes_only_what_each_part_contains) {
    pair.send();
    const auto before = arrived();
    change();
    lose();
    pair.receiver->restart();
    int parts = 0;
    for (auto bytes = pair.receiver->take(500); !bytes.empty(); bytes = pair.receiver->take(500), ++parts) {
        EXPECT_LE(bytes.size(), 500u);
        pair.replica->apply(bytes);
        for (const Entity e : all) {
            const auto at = before.find(e);
            if (at == before.end()) continue;
            EXPECT_EQ(pair.replica->entity(e), at->second);
        }
        if (parts == 1) {
            pair.from.modify<Place>(all.front(), [](Place& place) { place.x = 7; });
            pair.from.modify<Place>(all[15], [](Place& place) { place.x = 8; });
            pair.from.remove_entity(all[17]);
            pair.from.remove_marked();
            all.erase(all.begin() + 17);
        }
    }
    EXPECT_GT(parts, 2);
    EXPECT_TRUE(pair.same(all));
}

TEST_F(Restarting, N5_parts_of_a_restart_must_arrive_in_their_order) {
    pair.send();
    pair.receiver->restart();
    const auto first = pair.receiver->take(500);
    const auto second = pair.receiver->take(500);
    EXPECT_EQ(code_of(*pair.replica, second), ErrorCode::bad_data);
    EXPECT_EQ(code_of(*pair.replica, first), ErrorCode{});
    EXPECT_EQ(code_of(*pair.replica, second), ErrorCode{});
    pair.receiver->restart();  // in the middle
    pair.send();
    EXPECT_TRUE(pair.same(all));
}

TEST_F(Restarting, N5_an_entity_that_does_not_fit_waits_and_is_there_when_it_fits) {
    pair.send();
    pair.from.modify<Route>(all[4], [](Route& route) { route.stops.assign(2000, 1); });
    pair.receiver->restart();
    int refused = 0;
    for (int i = 0; i < 20; ++i) {
        try {
            if (const auto bytes = pair.receiver->take(600); !bytes.empty()) pair.replica->apply(bytes);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::bad_argument);
            ++refused;
        }
    }
    EXPECT_GT(refused, 0);
    EXPECT_EQ(arrived().size(), all.size() - 1);
    pair.send();
    EXPECT_TRUE(pair.same(all));
}

TEST_F(Restarting, N5_a_restart_without_entities_removes_all) {
    pair.send();
    pair.from.clear();
    lose();
    pair.receiver->restart();
    EXPECT_THROW(static_cast<void>(pair.receiver->take(1)), Error);
    pair.send();
    EXPECT_EQ(pair.to.count(), 0u);
    EXPECT_TRUE(pair.receiver->take().empty());
    pair.receiver->restart();
    EXPECT_FALSE(pair.receiver->take(500).empty());
    pair.from.add<Place>(pair.from.add_entity(), {});
    EXPECT_FALSE(pair.receiver->take(500).empty());
}

TEST_F(Restarting, N5_a_restart_of_a_receiver_that_selects_contains_what_is_selected) {
    ECS other;
    Replica part(other);
    Receiver receiver = pair.changes->receiver(Selection::selected);
    for (const Entity e : {all[1], all[2], all[3]}) receiver.select(e);
    part.apply(receiver.take());
    const Entity copy = part.entity(all[3]);
    receiver.deselect(all[1]);
    receiver.select(all[4]);
    ASSERT_FALSE(receiver.take().empty());  // is lost
    receiver.deselect(all[2]);
    receiver.restart();
    part.apply(receiver.take());
    EXPECT_EQ(other.count(), 2u);
    EXPECT_EQ(part.entity(all[3]), copy);
    EXPECT_NE(part.entity(all[4]), NONE);
    receiver.deselect(all[3]);
    part.apply(receiver.take());
    EXPECT_EQ(other.count(), 1u);
}

TEST_F(Restarting, N5_a_lossy_channel_needs_no_restart) {
    Receiver lossy = pair.changes->receiver(Selection::all, Channel::lossy);
    try {
        lossy.restart();
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::bad_argument);
    }
    EXPECT_FALSE(lossy.take().empty());
}

TEST_F(Restarting, N6_what_is_predicted_gets_the_values_of_a_restart) {
    pair.send();
    const Entity copy = pair.replica->entity(all[3]);
    pair.replica->predict(copy);
    pair.to.modify<Place>(copy, [](Place& place) { place.x = 1000; });
    pair.from.modify<Place>(all[3], [](Place& place) { place.x = 99; });
    lose();
    pair.replica->reset();
    pair.receiver->restart();
    pair.send();
    pair.to.modify<Place>(copy, [](Place& place) { place.x = 1000; });
    pair.replica->reset();
    EXPECT_EQ(pair.to.get<Place>(copy).x, 99);
}

}  // namespace
}  // namespace crateful::test_changes
