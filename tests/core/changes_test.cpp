// Changes and replicas (rules N5, N6, N8).
#include "crateful/changes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "../../core/src/state/packet.hpp"
#include "changes_world.hpp"
#include "crateful/ecs.hpp"
#include "crateful/rewind.hpp"
#include "crateful/state.hpp"

namespace crateful::test_changes {
namespace {

template <class C>
struct Watch : System<> {
    std::vector<Entity> seen;
    Watch() {
        require<C>();
        watch<C>();
    }
    void update(double, Entities&, Dirty& dirty) override {
        for (const Entity e : dirty) seen.push_back(e);
    }
};

TEST(Replication, N5_N6_what_is_created_changed_and_removed_arrives) {
    Pair pair;
    const Entity e = pair.from.add_entity();
    pair.from.add<Place>(e, {1, 2});
    pair.from.add<Life>(e, {7, true});
    EXPECT_GT(pair.send(), 0u);
    const Entity copy = pair.replica->entity(e);
    ASSERT_NE(copy, NONE);
    EXPECT_EQ(pair.to.get<Place>(copy).y, 2);
    EXPECT_EQ(pair.to.get<Life>(copy).points, 7);
    EXPECT_TRUE(pair.to.get<Life>(copy).hurt);
    EXPECT_EQ(pair.replica->remote(copy), e);

    EXPECT_EQ(pair.send(), 0u) << "nothing has changed";
    pair.from.modify<Place>(e, [](Place& place) { place.x = 9; });
    pair.from.remove<Life>(e);
    pair.send();
    EXPECT_EQ(pair.to.get<Place>(copy).x, 9);
    EXPECT_FALSE(pair.to.has<Life>(copy));

    pair.from.remove_entity(e);
    pair.from.update();
    pair.send();
    EXPECT_FALSE(pair.to.alive(copy));
    EXPECT_EQ(pair.replica->entity(e), NONE);
}

TEST(Replication, N5_what_exists_before_the_source_is_sent_first) {
    describe_all();
    ECS from;
    const Entity e = from.add_entity();
    from.add<Place>(e, {1, 2});
    Changes changes(from);
    Receiver receiver = changes.receiver();
    ECS to;
    Replica replica(to);
    replica.apply(receiver.take());
    EXPECT_EQ(to.get<Place>(replica.entity(e)).y, 2);
    EXPECT_TRUE(receiver.take().empty());
}

TEST(Replication, N6_what_the_world_has_again_in_the_same_bytes_signals_only_if_it_differs) {
    Pair pair;
    const Entity world = ECS::world();
    auto& places = pair.to.add_system<Watch<Place>>(0);
    auto& flags = pair.to.add_system<Watch<Flag>>(0);
    pair.from.add(world, Place{1, 2}, Flag{}, Life{});
    pair.send();
    pair.to.update();
    places.seen.clear();
    flags.seen.clear();
    pair.from.remove<Place, Flag, Life>(world);
    static_cast<void>(pair.changes->receiver().take());  // for others, it has vanished meanwhile
    pair.from.add(world, Place{3, 2}, Flag{});
    pair.send();
    pair.to.update();
    EXPECT_EQ(places.seen, std::vector{world});
    EXPECT_EQ(flags.seen, std::vector<Entity>{});
    EXPECT_FALSE(pair.to.has<Life>(world));
    EXPECT_EQ(pair.to.get<Place>(world).x, 3);
}

TEST(Replication, N6_only_what_differs_is_dirty) {
    Pair pair;
    auto& watch = pair.to.add_system<Watch<Place>>(0);
    std::vector<Entity> all;
    for (int i = 0; i < 10; ++i) {
        all.push_back(pair.from.add_entity());
        pair.from.add<Place>(all.back(), {1, 1});
    }
    pair.send();
    pair.to.update();
    EXPECT_EQ(watch.seen.size(), 10u);
    watch.seen.clear();
    pair.from.modify<Place>(all[3], [](Place& place) { place.x = 5; });
    pair.from.dirty<Place>(all[4]);
    pair.send();
    pair.to.update();
    EXPECT_EQ(watch.seen, std::vector<Entity>{pair.replica->entity(all[3])});
}

/// Writes what its callbacks see of an entity, and then calls a function.
struct Sees : System<> {
    explicit Sees(Pair& of) : pair(of) { require<Place>(); }
    void on_add(Aspect& aspect) override { see("+", aspect.entity()); }
    void on_remove(Aspect& aspect) override { see("-", aspect.entity()); }
    void see(const char* what, Entity e) {
        std::string text = what + std::to_string(ecs().get<Place>(e).x);
        text.resize(text.find('.'));
        if (const auto* life = ecs().try_get<Life>(e)) text += " life " + std::to_string(life->points);
        if (const auto* route = ecs().try_get<Route>(e)) text += " stops " + std::to_string(route->stops.size());
        if (const auto* called = ecs().try_get<Called>(e)) text += " called " + std::string(ecs().text(called->name));
        if (ecs().has<Flag>(e)) text += " flag";
        const auto name = [&](const char* of, Entity other) {
            if (const auto* level = ecs().alive(other) ? ecs().try_get<Level>(other) : nullptr)
                text += of + std::to_string(level->number);
        };
        if (const auto* aim = ecs().try_get<Aim>(e)) name(" at ", aim->at);
        if (const auto* chase = ecs().try_get<Chase>(e)) name(" prey ", chase->prey);
        name(" below ", ecs().parent(e));
        log.push_back(text);
        then(e);
    }
    Pair& pair;
    std::vector<std::string> log{};
    std::function<void(Entity)> then = [](Entity) {};
};

TEST(Replication, N6_callbacks_find_everything_as_before_or_as_afterwards) {
    Pair pair;
    auto& sees = pair.to.add_system<Sees>(0, pair);
    const Entity a = pair.from.add_entity(Place{1, 0}, Life{5, false});
    const Entity other = pair.from.add_entity(Level{6});  // classes behind that of the system, and entities behind
    pair.from.add(a, Route{{1, 2}}, Called{pair.from.string("Ada")}, Flag{}, Aim{other, {}}, Chase{Link(other)});
    pair.from.set_parent(a, other);
    pair.send();
    const char* const whole = " life 5 stops 2 called Ada flag at 6 prey 6 below 6";
    EXPECT_EQ(sees.log, std::vector<std::string>{"+1" + std::string(whole)});

    // Everything about it changes, and the others vanish.
    sees.log.clear();
    pair.from.modify<Life>(a, [](Life& life) { life.points = 9; });
    pair.from.modify<Level>(other, [](Level& level) { level.number = 8; });
    pair.from.modify<Place>(a, [](Place& place) { place.x = 2; });
    pair.from.remove<Called>(a);
    pair.from.remove<Place>(a);
    pair.send();
    EXPECT_EQ(sees.log, std::vector<std::string>{"-1" + std::string(whole)});

    sees.log.clear();
    pair.from.add(a, Place{3, 0});
    pair.from.remove<Flag>(a);
    pair.send();
    EXPECT_EQ(sees.log, std::vector<std::string>{"+3 life 9 stops 2 at 8 prey 8 below 8"});

    sees.log.clear();
    pair.from.remove_entity(other);  // and its child
    const Entity b = pair.from.add_entity(Place{4, 0}, Life{1, false});
    pair.from.update();
    pair.send();
    EXPECT_EQ(sees.log, (std::vector<std::string>{"-3 life 9 stops 2 at 8 prey 8 below 8", "+4 life 1"}));
    EXPECT_FALSE(pair.from.alive(a));
    EXPECT_NE(pair.replica->entity(b), NONE);
}

TEST(Replication, N6_a_system_that_does_not_select_an_entity_before_or_afterwards_is_not_called) {
    struct Plain : System<> {
        Plain() { require<Place>(exclude<Level>); }  // whose class is behind
        void on_add(Aspect& aspect) override {
            log.push_back("+" + std::to_string(aspect.get<Place>().x).substr(0, 1));
        }
        void on_remove(Aspect& aspect) override {
            log.push_back("-" + std::to_string(aspect.get<Place>().x).substr(0, 1));
            EXPECT_FALSE(ecs().has<Level>(aspect.entity()));
        }
        std::vector<std::string> log{};
    };
    Pair pair;
    auto& plain = pair.to.add_system<Plain>(0);
    const Entity e = pair.from.add_entity(Place{1, 0}, Level{});
    const Entity other = pair.from.add_entity(Place{2, 0});
    pair.send();
    EXPECT_EQ(plain.log, std::vector<std::string>{"+2"});
    pair.from.remove<Level>(e);
    pair.from.add(other, Level{});
    pair.send();
    EXPECT_EQ(plain.log, (std::vector<std::string>{"+2", "-2", "+1"}));
}

TEST(Replication, N6_on_remove_must_not_change_the_world_and_everything_else_is_applied) {
    const std::array<std::function<void(Pair&, Entity)>, 8> changes{
        [](Pair& pair, Entity) { static_cast<void>(pair.to.add_entity()); },
        [](Pair& pair, Entity e) { pair.to.set_parent(pair.to.add_entity(), e); },
        [](Pair& pair, Entity) { pair.to.clear(); },
        [](Pair& pair, Entity e) { pair.to.remove<Place>(e); },
        [](Pair& pair, Entity e) { pair.replica->predict(e); },
        [](Pair& pair, Entity) { pair.replica->reset(); },
        [](Pair& pair, Entity) { pair.replica->apply(std::vector<std::byte>(64)); },
        [](Pair& pair, Entity e) { pair.to.add(e, Flag{}); },
    };
    for (const auto& change : changes) {
        for (const bool of_world : {false, true}) {
            Pair pair;
            auto& sees = pair.to.add_system<Sees>(0, pair);
            const Entity first = of_world ? ECS::world() : pair.from.add_entity();
            pair.from.add(first, Place{1, 2});
            pair.send();
            sees.then = [&](Entity e) { change(pair, e); };
            if (of_world) pair.from.remove<Place>(first);
            else pair.from.remove_entity(first);
            pair.from.update();
            const Entity second = pair.from.add_entity(Life{8, false});
            EXPECT_THROW(pair.send(), Error);
            EXPECT_TRUE(pair.same({first, second}));
            EXPECT_EQ(pair.to.get<Life>(pair.replica->entity(second)).points, 8);
            EXPECT_EQ(pair.to.count(), 1u);
        }
    }
}

TEST(Replication, N6_on_add_is_called_by_entities_and_systems_and_may_change_anything) {
    Pair pair;
    auto& first = pair.to.add_system<Sees>(0, pair);
    auto* second = &pair.to.add_system<Sees>(1, pair);
    std::vector<std::string> log;
    std::vector<Entity> all;
    for (int k = 0; k < 4; ++k) all.push_back(pair.from.add_entity());
    for (int k = 3; k >= 0; --k) pair.from.add(all[static_cast<std::size_t>(k)], Place{static_cast<float>(k), 0});
    const auto here = [&](std::size_t k) { return pair.replica->entity(all[k]); };
    first.then = [&](Entity e) {
        const Entity remote = pair.replica->remote(e);
        log.push_back("first " + (remote == NONE ? "local" : std::to_string(index_of(remote) - index_of(all[0]))));
        if (e != here(1)) return;
        pair.to.remove<Place>(here(2));   // the systems do not start with it
        pair.to.remove_system(*second);   // it starts with nothing any more
        pair.to.add_entity(Place{7, 0});  // at once
    };
    second->then = [&](Entity) { log.push_back("second"); };
    pair.send();
    EXPECT_EQ(log, (std::vector<std::string>{"first 0", "second", "first 1", "second", "first local", "first 3"}));
    EXPECT_EQ(first.log.size(), 4u);
}

TEST(Replication, N6_S9_a_callback_that_ends_a_prediction_during_reset_loses_no_entity) {
    struct Bare : System<> {
        Bare() { require<Place>(exclude<Life>); }
        void on_add(Aspect& aspect) override {
            log.push_back('+');
            EXPECT_FALSE(ecs().has<Life>(aspect.entity()));
        }
        void on_remove(Aspect& aspect) override {
            log.push_back('-');
            pair->replica->stop_predicting(aspect.entity());
        }
        void update(double /*delta*/, Entities& entities) override { tracked = entities.size(); }
        Pair* pair = nullptr;
        std::string log{};
        std::size_t tracked = 0;
    };
    Pair pair;
    const Entity e = pair.from.add_entity(Place{1, 0}, Life{});
    pair.send();
    const Entity copy = pair.replica->entity(e);
    pair.replica->predict(copy);
    pair.to.remove<Life>(copy);
    auto& bare = pair.to.add_system<Bare>(0);
    bare.pair = &pair;
    pair.replica->reset();
    EXPECT_FALSE(pair.to.has<Life>(copy)) << "it is not predicted any more";
    EXPECT_EQ(bare.log, "+-+");
    pair.to.update();
    EXPECT_EQ(bare.tracked, 1u);
}

TEST(Replication, N6_on_add_of_reset_is_called_when_all_kept_values_are_written) {
    Pair pair;
    std::vector<Entity> all;
    for (int k = 1; k < 3; ++k) all.push_back(pair.from.add_entity(Place{1, 0}, Life{k, false}, Level{4}));
    pair.send();
    for (const Entity e : all) {
        pair.replica->predict(pair.replica->entity(e));
        pair.to.remove<Place>(pair.replica->entity(e));
        pair.to.remove<Life>(pair.replica->entity(e));
    }
    auto& sees = pair.to.add_system<Sees>(0, pair);
    sees.then = [&](Entity) { EXPECT_EQ(pair.to.get<Life>(pair.replica->entity(all[1])).points, 2); };
    pair.replica->reset();
    EXPECT_EQ(sees.log, (std::vector<std::string>{"+1 life 1", "+1 life 2"}));
}

/// A sender that knows more than this program: other classes with the names of ours.
struct Newer {
    struct Coin {
        std::int32_t value = 0;
        String text;
    };
    struct Mode {
        std::uint8_t kind = 0;
    };
};
struct Mode {
    std::uint8_t kind = 0;
};

TEST(Replication, N6_classes_fields_and_names_that_do_not_exist_here_are_passed_over) {
    for (const bool unknown : {true, false}) {
        Pair older;  // describes Place and Life
        describe_component<Mode>("changes.Mode").field("kind", &Mode::kind).names({"idle", "hunt"});
        ECS from;
        describe_component<Newer::Coin>("newer.Coin")
            .field("value", &Newer::Coin::value)
            .field("text", &Newer::Coin::text);
        describe_component<Newer::Mode>("changes.Mode")
            .field("kind", &Newer::Mode::kind)
            .names({"hunt", "flee", "idle"});
        static_cast<void>(from.query<Newer::Mode>());
        Changes changes(from, {{"changes.Life", "newer.Coin", "changes.Mode"}, {}});
        Receiver receiver = changes.receiver();
        const Entity a = from.add_entity(Life{4, false}, Newer::Coin{3, from.string("gold")}, Newer::Mode{2});
        const Entity b = from.add_entity(Newer::Coin{5, {}});
        ECS to;
        static_cast<void>(to.query<Mode>());
        ReplicaOptions options;
        auto bytes = receiver.take();
        if (unknown) {  // what the program does not have: another name of the same length
            constexpr std::string_view NAME = "newer.Coin";
            const auto is_it = [](std::byte byte, char c) { return byte == std::byte(c); };
            const auto at = std::search(bytes.begin(), bytes.end(), NAME.begin(), NAME.end(), is_it);
            ASSERT_NE(at, bytes.end());
            *at = std::byte{'N'};
            const std::uint32_t sum = internal::packet_checksum(std::span(bytes).first(bytes.size() - sizeof sum));
            std::memcpy(bytes.data() + bytes.size() - sizeof sum, &sum, sizeof sum);
            EXPECT_THROW(Replica(to).apply(bytes), Error);
            options.ignore_unknown = true;
        } else {
            options.ignore = {"newer.Coin"};
        }
        Replica replica(to, options);
        EXPECT_TRUE(replica.ignored().empty());
        replica.apply(bytes);
        EXPECT_EQ(to.get<Life>(replica.entity(a)).points, 4);
        EXPECT_EQ(to.get<Mode>(replica.entity(a)).kind, 0) << "idle";
        EXPECT_TRUE(to.alive(replica.entity(b)));
        const char* const coin = unknown ? "Newer.Coin" : "newer.Coin";
        EXPECT_EQ(replica.ignored(), (std::vector<std::string>{"changes.Mode.kind: flee", coin}));
        from.modify<Newer::Coin>(a, [](Newer::Coin& coin) { coin.value = 9; });
        from.remove<Newer::Coin>(b);
        from.modify<Life>(a, [](Life& life) { life.points = 5; });
        replica.apply(receiver.take());
        EXPECT_EQ(to.get<Life>(replica.entity(a)).points, 5);
        EXPECT_EQ(replica.entity(b), NONE);
        replica.predict(replica.entity(a));
        to.modify<Life>(replica.entity(a), [](Life& life) { life.points = 7; });
        replica.reset();
        EXPECT_EQ(to.get<Life>(replica.entity(a)).points, 5);
        from.add(from.world(), Newer::Coin{}, Life{});
        replica.apply(receiver.take());
        from.remove<Newer::Coin>(from.world());
        from.remove<Life>(from.world());
        replica.apply(receiver.take());
        EXPECT_FALSE(to.has<Life>(to.world()));

        from.modify<Newer::Mode>(a, [](Newer::Mode& mode) { mode.kind = 1; });  // flee
        bytes = receiver.take();
        if (unknown) {
            to.modify<Mode>(replica.entity(a), [](Mode& mode) { mode.kind = 1; });
            replica.apply(bytes);
            EXPECT_EQ(to.get<Mode>(replica.entity(a)).kind, 0) << "the default";
        } else {
            EXPECT_THROW(replica.apply(bytes), Error);
        }
    }
}

TEST(Replication, N6_references_are_mapped_and_wait_for_their_target) {
    Pair pair;
    const Entity target = pair.from.add_entity();
    const Entity e = pair.from.add_entity();
    pair.from.add<Aim>(e, {target, {1, 2, 3}});
    pair.from.add<Chase>(e, {Link(target)});
    pair.from.set_parent(e, target);
    pair.send();
    const Entity copy = pair.replica->entity(e);
    EXPECT_EQ(pair.to.get<Aim>(copy).at, NONE) << "the target has no component, so it was not sent";
    EXPECT_EQ(pair.to.parent(copy), NONE);
    auto& aims = pair.to.add_system<Watch<Aim>>(0);
    auto& chases = pair.to.add_system<Watch<Chase>>(0);
    const auto signalled = [&] {
        aims.seen.clear();
        chases.seen.clear();
        pair.to.update();
        return aims.seen.size() + chases.seen.size();
    };
    EXPECT_EQ(signalled(), 2u) << "they were added";
    EXPECT_EQ(signalled(), 0u);
    pair.from.add<Flag>(target);
    pair.send();
    EXPECT_EQ(signalled(), 2u);
    const Entity to = pair.replica->entity(target);
    EXPECT_EQ(pair.to.get<Aim>(copy).at, to);
    EXPECT_EQ(Entity(pair.to.get<Chase>(copy).prey), to);
    EXPECT_EQ(pair.to.parent(copy), to);
    EXPECT_EQ(pair.to.linked<Chase>(to).entities().size(), 1u);
    pair.from.remove<Flag>(target);
    pair.send();
    EXPECT_EQ(signalled(), 2u);
    EXPECT_EQ(pair.to.get<Aim>(copy).at, NONE);
    EXPECT_EQ(pair.to.parent(copy), NONE);
}

TEST(Replication, N6_a_reference_that_changes_when_its_target_arrives_signals_only_if_it_differs) {
    Pair pair;
    const Entity target = pair.from.add_entity();
    const Entity e = pair.from.add_entity();
    pair.from.add<Aim>(e, {target, {}});
    pair.from.add<Chase>(e, {Link(target)});
    pair.send();
    auto& aims = pair.to.add_system<Watch<Aim>>(0);
    auto& chases = pair.to.add_system<Watch<Chase>>(0);
    pair.to.update();
    aims.seen.clear();
    chases.seen.clear();
    pair.from.modify<Aim>(e, [](Aim& aim) { aim.at = NONE; });
    pair.from.modify<Chase>(e, [](Chase& chase) { chase.prey = NONE; });
    pair.from.add<Flag>(target);
    pair.send();
    EXPECT_NE(pair.replica->entity(target), NONE);
    pair.to.update();
    EXPECT_TRUE(aims.seen.empty());
    EXPECT_TRUE(chases.seen.empty());
}

TEST(Replication, N6_siblings_keep_their_order) {
    Pair pair;
    const Entity top = pair.from.add_entity();
    pair.from.add<Flag>(top);
    std::vector<Entity> children;
    for (int i = 0; i < 5; ++i) {
        children.push_back(pair.from.add_entity());
        pair.from.set_parent(children.back(), top, i == 0 ? NONE : children.front());
    }
    const auto same = [&] {
        std::vector<Entity> here;
        for (const Entity e : pair.to.children(pair.replica->entity(top))) here.push_back(pair.replica->remote(e));
        std::vector<Entity> there;
        for (const Entity e : pair.from.children(top)) there.push_back(e);
        EXPECT_EQ(here, there);
    };
    pair.send();
    same();
    pair.from.set_parent(children[1], top, children[4]);
    pair.from.set_parent(children[4], top);
    pair.send();
    same();
}

TEST(Replication, N6_the_children_of_a_world_that_is_not_selected_any_more_lose_it) {
    Pair pair;
    Receiver near = pair.changes->receiver(Selection::selected);
    Replica replica(pair.to);
    const Entity child = pair.from.add_entity(Flag{});
    pair.from.add(ECS::world(), Flag{});
    pair.from.set_parent(child, ECS::world());
    near.select(ECS::world());
    near.select(child);
    replica.apply(near.take());
    const Entity own = pair.to.add_entity();
    pair.to.set_parent(own, ECS::world());
    const Entity copy = replica.entity(child);
    ASSERT_EQ(pair.to.parent(copy), ECS::world());
    near.deselect(ECS::world());
    replica.apply(near.take());
    EXPECT_EQ(replica.entity(ECS::world()), NONE);
    EXPECT_EQ(pair.to.parent(copy), NONE);
    EXPECT_EQ(pair.to.parent(own), ECS::world());  // it is no copy
    near.select(ECS::world());
    replica.apply(near.take());
    EXPECT_EQ(pair.to.parent(copy), ECS::world());
}

TEST(Replication, N5_N2_the_order_of_siblings_that_is_restored_is_sent) {
    Pair pair;
    const Entity top = pair.from.add_entity(Flag{});
    std::vector<Entity> children = pair.from.add_entities(3);
    for (const Entity e : children) pair.from.set_parent(e, top);
    const std::vector<std::byte> saved = snapshot(pair.from);
    pair.from.set_parent(children[2], top, children[0]);
    pair.send();
    restore(pair.from, saved);
    pair.send();
    std::vector<Entity> here;
    for (const Entity e : pair.to.children(pair.replica->entity(top))) here.push_back(pair.replica->remote(e));
    EXPECT_EQ(here, children);
}

TEST(Replication, N6_E3_apply_does_not_perform_the_removals_that_the_program_has_marked) {
    Pair pair;
    std::vector<Entity> all;
    for (int i = 0; i < 3; ++i) {
        all.push_back(pair.from.add_entity());
        pair.from.add<Place>(all.back());
    }
    pair.send();
    const Entity own = pair.to.add_entity();
    const Entity child = pair.to.add_entity();
    pair.to.set_parent(child, pair.replica->entity(all[0]));
    const std::vector<Entity> copies{pair.replica->entity(all[0]), pair.replica->entity(all[1]),
                                     pair.replica->entity(all[2])};
    pair.to.remove_entity(copies[1]);
    pair.to.remove_entity(own);
    pair.to.remove_entity(copies[2]);
    pair.from.remove_entity(all[0]);
    pair.from.remove_entity(all[1]);
    pair.from.remove_marked();
    pair.send();
    EXPECT_FALSE(pair.to.alive(copies[0]));
    EXPECT_FALSE(pair.to.alive(copies[1])) << "it was marked, too";
    EXPECT_TRUE(pair.to.alive(copies[2]));
    EXPECT_TRUE(pair.to.alive(own));
    EXPECT_TRUE(pair.to.alive(child)) << "the program's children of what is removed stay";
    const Entity again = pair.to.add_entity();  // with the index of one that was removed
    pair.to.update();
    EXPECT_FALSE(pair.to.alive(copies[2]));
    EXPECT_FALSE(pair.to.alive(own));
    EXPECT_TRUE(pair.to.alive(child));
    EXPECT_TRUE(pair.to.alive(again));
}

TEST(Replication, N5_a_receiver_gets_the_entities_that_are_selected) {
    Pair pair;
    Receiver near = pair.changes->receiver(Selection::selected);
    Replica replica(pair.to);
    std::vector<Entity> all;
    for (int i = 0; i < 4; ++i) {
        all.push_back(pair.from.add_entity());
        pair.from.add<Place>(all.back(), {static_cast<float>(i), 0});
    }
    EXPECT_TRUE(near.take().empty());
    near.select(all[1]);
    replica.apply(near.take());
    EXPECT_EQ(pair.to.count(), 1u);
    const Entity copy = replica.entity(all[1]);
    EXPECT_EQ(pair.to.get<Place>(copy).x, 1);
    pair.from.modify<Place>(all[2], [](Place& place) { place.x = 5; });
    EXPECT_TRUE(near.take().empty());
    near.select(all[2]);
    near.deselect(all[1]);
    replica.apply(near.take());
    EXPECT_FALSE(pair.to.alive(copy));
    EXPECT_EQ(pair.to.get<Place>(replica.entity(all[2])).x, 5);
    near.select(all[1]);
    replica.apply(near.take());
    EXPECT_NE(replica.entity(all[1]), NONE) << "entering again is a new creation";
    EXPECT_NE(replica.entity(all[1]), copy);
    EXPECT_THROW(pair.receiver->select(all[1]), Error);
}

TEST(Replication, N5_what_does_not_fit_stays_for_the_next_call) {
    Pair pair;
    std::vector<Entity> all;
    for (int i = 0; i < 100; ++i) {
        all.push_back(pair.from.add_entity());
        pair.from.add<Place>(all.back(), {static_cast<float>(i), 0});
    }
    int packets = 0;
    for (auto bytes = pair.receiver->take(300); !bytes.empty(); bytes = pair.receiver->take(300), ++packets) {
        EXPECT_LE(bytes.size(), 300u);
        pair.replica->apply(bytes);
        if (packets == 1) {
            pair.from.remove_entity(all[99]);
            pair.from.update();
            pair.from.modify<Place>(all[0], [](Place& place) { place.x = -1; });
        }
    }
    EXPECT_GT(packets, 3);
    for (std::size_t i = 0; i < 99; ++i)
        EXPECT_EQ(pair.to.get<Place>(pair.replica->entity(all[i])).x, pair.from.get<Place>(all[i]).x);
    EXPECT_EQ(pair.to.count(), 99u);
    pair.from.modify<Place>(all[0], [](Place& place) { place.x = 8; });
    EXPECT_THROW(static_cast<void>(pair.receiver->take(10)), Error);
    EXPECT_GT(pair.send(), 0u);
    EXPECT_EQ(pair.to.get<Place>(pair.replica->entity(all[0])).x, 8);
}

TEST(Replication, N5_each_entity_gets_its_turn_if_all_change_and_few_fit) {
    Pair pair;
    std::vector<Entity> all;
    for (int i = 0; i < 50; ++i) {
        all.push_back(pair.from.add_entity());
        pair.from.add<Place>(all.back());
    }
    pair.send();
    for (int step = 1; step <= 20; ++step) {
        for (const Entity e : all)
            pair.from.modify<Place>(e, [&](Place& place) { place.x = static_cast<float>(step); });
        pair.replica->apply(pair.receiver->take(80));
    }
    for (const Entity e : all) EXPECT_GT(pair.to.get<Place>(pair.replica->entity(e)).x, 5);
}

TEST(Replication, N5_an_entity_that_is_larger_than_the_limit_does_not_hold_up_others) {
    for (const Channel channel : {Channel::reliable, Channel::lossy}) {
        Pair pair(channel);
        std::vector<Entity> all;
        for (int i = 0; i < 30; ++i) all.push_back(pair.from.add_entity());
        for (const Entity e : all) pair.from.add<Place>(e);
        const auto send = [&](std::size_t most) {
            const auto bytes = pair.receiver->take(most);
            if (bytes.empty()) return false;
            pair.replica->apply(bytes);
            if (channel == Channel::lossy) pair.receiver->acknowledge(pair.replica->acknowledgement());
            return true;
        };
        send(0);
        constexpr std::size_t LIMIT = 80;
        for (const std::size_t k : {3u, 4u, 20u, 29u}) {
            const std::string text(200 + k, 'x');
            pair.from.add<Called>(all[k], {pair.from.string(text)});
        }
        const auto has_all = [&] {
            for (const Entity e : all) {
                if (!pair.from.has<Called>(e) && pair.to.get<Place>(pair.replica->entity(e)).x != 7) return false;
            }
            return true;
        };
        std::set<std::string> errors;
        for (const Entity e : all) pair.from.modify<Place>(e, [](Place& place) { place.x = 7; });
        for (int call = 0; call < 60; ++call) {
            try {
                send(LIMIT);
            } catch (const Error& error) {
                EXPECT_EQ(error.code(), ErrorCode::bad_argument);
                errors.insert(error.what());
            }
        }
        EXPECT_TRUE(has_all());
        EXPECT_EQ(errors.size(), 4u);
        for (const std::size_t k : {3u, 4u, 20u, 29u}) {
            const auto names = [&](const std::string& message) {
                return message.find(to_string(all[k])) != std::string::npos;
            };
            EXPECT_EQ(std::count_if(errors.begin(), errors.end(), names), 1);
            EXPECT_FALSE(pair.to.has<Called>(pair.replica->entity(all[k])));
        }
        pair.from.set<Called>(all[3], {pair.from.string("short")});
        for (int call = 0; call < 10; ++call) {
            try {
                send(LIMIT);
            } catch (const Error&) {
            }
        }
        EXPECT_EQ(pair.to.text(pair.to.get<Called>(pair.replica->entity(all[3])).name), "short");
        EXPECT_TRUE(send(0));
        EXPECT_TRUE(pair.same(all));
        EXPECT_FALSE(send(LIMIT));
    }
}

struct Wide {
    Wide() { at.fill(NONE); }
    std::array<Entity, 70> at;  // a field for each
    std::int32_t number = 1;
};

TEST(Replication, N5_N6_a_class_can_have_any_number_of_fields) {
    describe_component<Wide>("changes.Wide").field("at", &Wide::at).field("number", &Wide::number);
    for (const Channel channel : {Channel::reliable, Channel::lossy}) {
        Pair pair;
        Changes changes(pair.from, {{"changes.Wide"}, {}});
        Receiver receiver = changes.receiver(Selection::all, channel);
        Replica replica(pair.to);
        const auto send = [&] {
            const auto bytes = receiver.take();
            replica.apply(bytes);
            if (channel == Channel::lossy) receiver.acknowledge(replica.acknowledgement());
            return bytes.size();
        };
        const Entity e = pair.from.add_entity();
        const Entity late = pair.from.add_entity();
        pair.from.add<Wide>(e);
        send();
        const Entity copy = replica.entity(e);
        const auto here = [&]() -> const Wide& { return pair.to.get<Wide>(copy); };
        for (const std::size_t k : {0u, 61u, 62u, 63u, 64u, 69u}) {
            pair.from.modify<Wide>(e, [&](Wide& wide) { wide.at[k] = e; });
            send();
            EXPECT_EQ(here().at[k], copy);
        }
        pair.from.modify<Wide>(e, [](Wide& wide) { wide.number = 5; });
        EXPECT_GT(send(), 0u);
        EXPECT_EQ(here().number, 5);
        EXPECT_EQ(send(), 0u);
        pair.from.modify<Wide>(e, [&](Wide& wide) { wide.at[5] = wide.at[69] = late; });
        send();
        EXPECT_EQ(here().at[5], NONE);
        EXPECT_EQ(here().at[69], NONE);
        replica.predict(copy);
        pair.from.add<Wide>(late);
        send();
        EXPECT_EQ(here().at[5], replica.entity(late));
        EXPECT_EQ(here().at[69], replica.entity(late));
        pair.to.modify<Wide>(copy, [](Wide& wide) { wide.at[69] = NONE, wide.number = 9; });
        replica.reset();
        EXPECT_EQ(here().at[69], replica.entity(late));
        EXPECT_EQ(here().number, 5);
    }
}

TEST(Replication, N5_the_last_call_of_select_or_deselect_counts) {
    Pair pair;
    std::vector<Entity> all;
    for (int i = 0; i < 40; ++i) {
        all.push_back(pair.from.add_entity());
        pair.from.add<Place>(all.back());
    }
    Receiver near = pair.changes->receiver(Selection::selected);
    Replica replica(pair.to);
    std::mt19937 random(3);
    std::set<Entity> chosen;
    for (int step = 0; step < 20; ++step) {
        for (int k = 0; k < 300; ++k) {  // more than are collected
            const Entity e = all[random() % all.size()];
            if (random() % 2 == 0) near.select(e), chosen.insert(e);
            else near.deselect(e), chosen.erase(e);
        }
        if (step % 5 != 0) continue;
        pair.from.modify<Place>(all[random() % all.size()], [&](Place& place) { place.x = static_cast<float>(step); });
        replica.apply(near.take());
        for (const Entity e : all) {
            const Entity copy = replica.entity(e);
            ASSERT_EQ(copy != NONE, chosen.contains(e));
            if (copy != NONE) {
                EXPECT_EQ(pair.to.get<Place>(copy).x, pair.from.get<Place>(e).x);
            }
        }
    }
}

TEST(Replication, N8_bytes_that_are_damaged_or_not_the_next_ones_change_nothing) {
    Pair pair;
    const Entity e = pair.from.add_entity();
    pair.from.add<Place>(e, {1, 2});
    pair.from.add<Called>(e, {pair.from.string("Ann")});
    const auto first = pair.receiver->take();
    pair.from.modify<Place>(e, [](Place& place) { place.x = 3; });
    const auto second = pair.receiver->take();
    EXPECT_THROW(pair.replica->apply(second), Error);
    for (std::size_t at = 0; at < first.size(); ++at) {
        for (const int bit : {0, 3, 7}) {
            auto damaged = first;
            damaged[at] ^= static_cast<std::byte>(1 << bit);
            EXPECT_THROW(pair.replica->apply(damaged), Error);
        }
        if (at > 0) {
            EXPECT_THROW(pair.replica->apply(std::span(first).first(at)), Error);
        }
    }
    EXPECT_EQ(pair.to.count(), 0u);
    pair.replica->apply(first);
    pair.replica->apply(first);
    pair.replica->apply(second);
    pair.replica->apply(first);
    EXPECT_EQ(pair.to.count(), 1u);
    EXPECT_EQ(pair.to.get<Place>(pair.replica->entity(e)).x, 3);
    EXPECT_EQ(pair.to.text(pair.to.get<Called>(pair.replica->entity(e)).name), "Ann");
}

TEST(Replication, N8_a_number_that_is_no_value_of_an_enum_is_refused) {
    struct Temper {
        std::int8_t mood = 0;
    };
    describe_component<Temper>("changes.Temper").field("mood", &Temper::mood).names({"calm", "glad"});
    ECS from;
    Changes changes(from, {{"changes.Temper"}, {}});
    Receiver receiver = changes.receiver();
    const Entity e = from.add_entity();
    from.add<Temper>(e, {-1});
    ECS to;
    Replica replica(to);
    EXPECT_THROW(replica.apply(receiver.take()), Error);
    EXPECT_EQ(to.count(), 0u);
}

TEST(Replication, N6_reset_writes_the_last_received_values_of_predicted_entities_back) {
    Pair pair;
    pair.to.by_id().strings().slack(0);
    const Entity e = pair.from.add_entity();
    const Entity late = pair.from.add_entity();
    pair.from.add<Place>(e, {1, 2});
    pair.from.add<Aim>(e, {late, {1, 2, 3}});
    pair.from.add<Called>(e, {pair.from.string("received")});
    pair.send();
    const Entity copy = pair.replica->entity(e);
    pair.to.add_system<Watch<Place>>(0);
    pair.to.update();
    pair.replica->predict(copy);
    const auto predict = [&] {
        pair.to.modify<Place>(copy, [](Place& place) { place = {7, 8}; });
        pair.to.modify<Called>(copy, [&](Called& called) { called.name = pair.to.string("predicted"); });
        pair.to.remove<Aim>(copy);
        for (int i = 0; i < 3; ++i) static_cast<void>(pair.to.string("another " + std::to_string(i)));
    };
    predict();
    pair.to.update();
    std::vector<Entity>& seen = pair.to.get_system<Watch<Place>>().seen;
    seen.clear();
    pair.replica->reset();
    EXPECT_EQ(pair.to.get<Place>(copy).x, 1);
    EXPECT_EQ(pair.to.get<Place>(copy).y, 2);
    EXPECT_EQ(pair.to.text(pair.to.get<Called>(copy).name), "received");
    EXPECT_EQ(pair.to.get<Aim>(copy).way[2], 3);
    pair.to.update();
    EXPECT_EQ(seen, std::vector<Entity>{copy});
    pair.replica->reset();
    pair.to.update();
    EXPECT_EQ(seen.size(), 1u) << "nothing differs";

    predict();
    pair.from.modify<Place>(e, [](Place& place) { place.y = 5; });
    pair.from.modify<Called>(e, [&](Called& called) { called.name = pair.from.string("new"); });
    pair.from.add<Flag>(late);
    pair.send();
    predict();
    pair.replica->reset();
    EXPECT_EQ(pair.to.get<Place>(copy).x, 1);
    EXPECT_EQ(pair.to.get<Place>(copy).y, 5);
    EXPECT_EQ(pair.to.text(pair.to.get<Called>(copy).name), "new");
    EXPECT_EQ(pair.to.get<Aim>(copy).at, pair.replica->entity(late)) << "it has arrived meanwhile";
    pair.replica->stop_predicting(copy);
    pair.to.modify<Place>(copy, [](Place& place) { place.x = 9; });
    pair.replica->reset();
    EXPECT_EQ(pair.to.get<Place>(copy).x, 9);

    pair.replica->predict(copy);
    pair.from.remove<Place>(e);
    pair.send();
    pair.replica->reset();
    EXPECT_FALSE(pair.to.has<Place>(copy)) << "the sender has removed it";
    EXPECT_THROW(pair.replica->predict(pair.to.add_entity()), Error);
    pair.from.remove_entity(e);
    pair.from.remove_marked();
    pair.send();
    pair.replica->reset();
    EXPECT_FALSE(pair.to.alive(copy));
}

/// A receiver that selects, and values of all kinds of components of one entity.
struct Selected {
    explicit Selected(Channel channel) : lossy(channel == Channel::lossy) {
        describe_all();
        changes.emplace(from, EVERYTHING);
        receiver.emplace(changes->receiver(Selection::selected, channel));
    }
    [[nodiscard]] std::vector<std::byte> take() {
        from.update();
        return receiver->take();
    }
    void apply(const std::vector<std::byte>& bytes) {
        if (bytes.empty()) return;
        replica.apply(bytes);
        if (lossy) receiver->acknowledge(replica.acknowledgement());
    }
    void send() { apply(take()); }
    void add_all(Entity e) {
        from.add<Place>(e, {1, 2});
        from.add<Called>(e, {from.string("received")});
        from.add<Flag>(e);
        from.add<Level>(e, {5});
        from.add<Route>(e, {{1, 2}});
    }
    void remove_all(Entity e) {
        from.remove<Place>(e);
        from.remove<Called>(e);
        from.remove<Flag>(e);
        from.remove<Level>(e);
        from.remove<Route>(e);
    }
    void change_all(Entity e) {
        to.modify<Place>(e, [](Place& place) { place.x = 7; });
        to.modify<Called>(e, [&](Called& called) { called.name = to.string("predicted"); });
        to.remove<Flag>(e);
        to.modify<Level>(e, [](Level& level) { level.number = 8; });
        to.modify<Route>(e, [](Route& route) { route.stops = {9}; });
    }
    [[nodiscard]] std::string values(Entity e) {
        std::string text;
        if (to.has<Place>(e)) text += std::to_string(to.get<Place>(e).x);
        if (to.has<Called>(e)) text += to.text(to.get<Called>(e).name);
        if (to.has<Flag>(e)) text += " flag";
        if (to.has<Level>(e)) text += std::to_string(to.get<Level>(e).number);
        if (to.has<Route>(e)) text += " stops " + std::to_string(to.get<Route>(e).stops.size());
        return text;
    }
    bool lossy;
    ECS from;
    ECS to;
    std::optional<Changes> changes;
    std::optional<Receiver> receiver;
    Replica replica{to};
};

TEST(Replication, N6_the_world_stays_predicted_while_it_is_not_sent) {
    for (const Channel channel : {Channel::reliable, Channel::lossy}) {
        for (const bool deselects : {true, false}) {
            for (const bool at_once : {true, false}) {
                SCOPED_TRACE(std::string(channel == Channel::lossy ? "lossy" : "reliable") +
                             (deselects ? ", deselected" : ", without components") + (at_once ? ", at once" : ""));
                Selected test(channel);
                constexpr Entity world = ECS::world();
                test.add_all(world);
                test.receiver->select(world);
                test.send();
                const std::string received = test.values(world);
                test.replica.predict(world);
                const auto vanish = [&] {
                    if (deselects) test.receiver->deselect(world);
                    else test.remove_all(world);
                    if (at_once) return;
                    test.send();
                    EXPECT_EQ(test.values(world), "");
                    test.replica.reset();
                    EXPECT_EQ(test.values(world), "") << "nothing was received";
                };
                const auto appear = [&] {
                    if (deselects) test.receiver->select(world);
                    else test.add_all(world);
                    test.send();
                    EXPECT_EQ(test.values(world), received);
                    test.change_all(world);
                };
                vanish();
                appear();
                EXPECT_NE(test.values(world), received);
                test.replica.reset();
                EXPECT_EQ(test.values(world), received);
                vanish();
                test.replica.stop_predicting(world);
                appear();
                const std::string predicted = test.values(world);
                test.replica.reset();
                EXPECT_EQ(test.values(world), predicted);
            }
        }
    }
}

TEST(Replication, N6_a_component_that_the_sender_removes_and_adds_again_stays_predicted) {
    for (const Channel channel : {Channel::reliable, Channel::lossy}) {
        for (const bool at_once : {true, false}) {
            Selected test(channel);
            const Entity e = test.from.add_entity();
            test.from.add<Life>(e);
            test.add_all(e);
            test.receiver->select(e);
            test.send();
            const Entity copy = test.replica.entity(e);
            const std::string received = test.values(copy);
            test.replica.predict(copy);
            test.remove_all(e);
            if (!at_once) test.send();
            test.add_all(e);
            test.send();
            test.change_all(copy);
            test.replica.reset();
            EXPECT_EQ(test.values(copy), received);
        }
    }
}

TEST(Replication, N6_an_entity_that_is_created_again_is_predicted_if_it_is_the_same_one_here) {
    Selected test(Channel::lossy);
    const Entity e = test.from.add_entity();
    test.add_all(e);
    test.receiver->select(e);
    test.send();
    const Entity copy = test.replica.entity(e);
    const std::string received = test.values(copy);
    test.replica.predict(copy);
    test.receiver->deselect(e);
    static_cast<void>(test.take());  // is lost
    test.receiver->select(e);
    test.send();
    ASSERT_EQ(test.replica.entity(e), copy);
    test.change_all(copy);
    test.replica.reset();
    EXPECT_EQ(test.values(copy), received);

    test.receiver->deselect(e);
    test.send();
    test.receiver->select(e);
    test.send();
    const Entity another = test.replica.entity(e);
    ASSERT_NE(another, copy);
    test.change_all(another);
    const std::string changed = test.values(another);
    test.replica.reset();
    EXPECT_EQ(test.values(another), changed) << "another entity is not predicted";
}

TEST(Replication, N6_reset_does_not_change_parents) {
    Pair pair;
    const Entity parent = pair.from.add_entity();
    const Entity child = pair.from.add_entity();
    pair.from.add<Place>(parent);
    pair.from.add<Place>(child);
    pair.from.set_parent(child, parent);
    pair.send();
    const Entity copy = pair.replica->entity(child);
    pair.replica->predict(copy);
    pair.to.set_parent(copy, NONE);
    pair.to.modify<Place>(copy, [](Place& place) { place.x = 7; });
    pair.replica->reset();
    EXPECT_EQ(pair.to.get<Place>(copy).x, 0);
    EXPECT_EQ(pair.to.parent(copy), NONE);
}

TEST(Replication, N6_callbacks_of_apply_find_the_entities_and_the_frame_of_the_bytes) {
    struct Asks : System<> {
        Asks() { require<Place>(); }
        void on_add(Aspect& aspect) override { ask("+", aspect.entity()); }
        void on_remove(Aspect& aspect) override { ask("-", aspect.entity()); }
        void ask(const char* what, Entity e) {
            const Entity remote = replica->remote(e);
            EXPECT_EQ(replica->entity(remote), e);
            log.push_back(what + std::to_string(index_of(remote)) + " in " +
                          std::to_string(static_cast<int>(replica->frame())));
            for (const Entity other : others) log.back() += replica->entity(other) == NONE ? " -" : " here";
        }
        const Replica* replica = nullptr;
        std::vector<Entity> others;
        std::vector<std::string> log;
    };
    Pair pair;
    Asks& asks = pair.to.add_system<Asks>(0);
    asks.replica = &*pair.replica;
    const Entity a = pair.from.add_entity();
    const Entity b = pair.from.add_entity();
    asks.others = {a, b};
    pair.from.add<Place>(a);
    pair.from.update();
    pair.send();
    const Entity copy = pair.replica->entity(a);
    pair.from.add<Place>(b);
    pair.from.remove_entity(a);
    pair.from.update();
    pair.send();
    EXPECT_EQ(asks.log, (std::vector<std::string>{"+1 in 1 here -", "-1 in 2 here -", "+2 in 2 - here"}));
    EXPECT_EQ(pair.replica->remote(copy), NONE);
    EXPECT_EQ(pair.replica->entity(a), NONE);
}

TEST(Replication, N6_after_restore_a_replica_finds_no_entity_and_its_frame_stays) {
    for (const bool rewinds : {false, true}) {
        struct Asks : System<> {
            Asks() { require<Place>(); }
            void on_add(Aspect&) override { found.push_back(replica == nullptr ? NONE : replica->entity(remote)); }
            void on_remove(Aspect&) override { found.push_back(replica == nullptr ? NONE : replica->entity(remote)); }
            const Replica* replica = nullptr;
            Entity remote = NONE;
            std::vector<Entity> found;
        };
        Pair pair;
        const Entity e = pair.from.add_entity();
        pair.from.add<Place>(e);
        pair.from.update();
        pair.send();
        Asks& asks = pair.to.add_system<Asks>(0);
        const Entity copy = pair.replica->entity(e);
        pair.to.update();
        std::optional<Rewind> rewind;
        if (rewinds) rewind.emplace(pair.to);
        const std::vector<std::byte> saved = snapshot(pair.to);
        pair.to.remove<Place>(copy);
        const Entity other = pair.to.add_entity();
        pair.to.add<Place>(other);
        pair.to.update();
        asks.found.clear();
        asks.replica = &*pair.replica;
        asks.remote = e;
        if (rewinds) rewind->to(1);
        else restore(pair.to, saved);
        EXPECT_EQ(asks.found, (std::vector<Entity>{copy, NONE})) << "on_remove is called for the state before";
        EXPECT_EQ(pair.replica->entity(e), NONE);
        EXPECT_EQ(pair.replica->remote(copy), NONE);
        EXPECT_EQ(pair.replica->frame(), 1);
        EXPECT_THROW(pair.replica->predict(copy), Error);
        pair.replica->stop_predicting(copy);
    }
}

TEST(Replication, N6_bytes_of_another_receiver_are_refused) {
    Pair pair;
    const Entity e = pair.from.add_entity();
    pair.from.add<Place>(e, {1, 2});
    pair.send();
    const auto refusal = [](Replica& replica, const std::vector<std::byte>& bytes) -> std::string {
        try {
            replica.apply(bytes);
        } catch (const Error& error) {
            return error.code() == ErrorCode::bad_data ? error.what() : "";
        }
        return "";
    };
    Receiver other = Changes(pair.from, EVERYTHING).receiver();  // as after the sender was started again
    const auto first = other.take();
    EXPECT_NE(refusal(*pair.replica, first).find("use a new Replica"), std::string::npos);
    pair.from.modify<Place>(e, [](Place& place) { place.x = 3; });
    const auto second = other.take();
    EXPECT_NE(refusal(*pair.replica, second).find("use a new Replica"), std::string::npos);
    Replica late(pair.to);
    EXPECT_NE(refusal(late, second).find("use a new one"), std::string::npos);
    EXPECT_EQ(pair.to.get<Place>(pair.replica->entity(e)).x, 1);
    pair.send();
    EXPECT_EQ(pair.to.get<Place>(pair.replica->entity(e)).x, 3);
}

TEST(Replication, N5_one_field_of_each_of_100_entities_takes_5_and_a_half_bytes) {
    Pair pair;
    std::vector<Entity> all = pair.from.add_entities(100'000);
    for (const Entity e : all) pair.from.add<Place>(e, {1, 1});
    pair.send();
    std::mt19937 random(5);
    std::set<std::size_t> chosen;
    while (chosen.size() < 100) chosen.insert(random() % all.size());
    for (const std::size_t i : chosen)
        pair.from.modify<Place>(all[i], [&](Place& place) { place.x = static_cast<float>(random()) / 3; });
    EXPECT_LE(pair.send(), 580u);
    for (const std::size_t i : chosen) {
        pair.from.modify<Place>(all[i], [&](Place& place) {
            place.x = static_cast<float>(random()) / 3;
            place.y = static_cast<float>(random()) / 3;
        });
    }
    EXPECT_LE(pair.send(), 980u);
}

TEST(Replication, N5_without_names_the_classes_are_those_that_the_ECS_has_used) {
    describe_all();
    ECS from;
    const auto message = [&](const ChangesOptions& options = {}) {
        try {
            const Changes changes(from, options);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(message().find("`components`"), std::string::npos) << "there is nothing that could be sent";
    struct Hidden {  // not described, so that it is left out
        int value = 0;
    };
    static_cast<void>(from.query<const Hidden>());
    EXPECT_NE(message().find("`components`"), std::string::npos) << "this class cannot be sent";
    from.add_system<Watch<Place>>(0);
    static_cast<void>(from.query<const Flag>());
    EXPECT_NE(message({.without = {"changes.Place", "changes.Flag"}}).find("`components`"), std::string::npos)
        << "nothing is left";
    static_cast<void>(from.query<const Route>());  // has a codec
    static_cast<void>(from.storage<Level>());
    EXPECT_NE(message({.components = {"changes.Place"}, .without = {"changes.Place"}}).find("no class is left"),
              std::string::npos)
        << "nothing is left";
    EXPECT_EQ(message({.components = {"Parent"}}), "") << "the hierarchy alone";
    Changes changes(from);
    Receiver receiver = changes.receiver();
    const Entity e = from.add_entity(Place{1, 2}, Flag{}, Life{}, Route{{7}}, Level{3});
    ECS to;
    Replica replica(to);
    replica.apply(receiver.take());
    const Entity copy = replica.entity(e);
    EXPECT_EQ(to.get<Place>(copy).y, 2);
    EXPECT_TRUE(to.has<Flag>(copy));
    EXPECT_EQ(to.get<Route>(copy).stops, std::vector<std::uint8_t>{7});
    EXPECT_EQ(to.get<Level>(copy).number, 3);
    EXPECT_FALSE(to.has<Life>(copy)) << "nothing had named it";
}

}  // namespace
}  // namespace crateful::test_changes
