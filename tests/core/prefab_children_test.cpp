// Prefabs with children (rule E12).
#include <array>
#include <stdexcept>

#include "world.hpp"

using namespace test;

namespace {

/// Its copies throw when `copies_left` is 0.
struct Brittle {
    static inline int copies_left = -1;
    Brittle() = default;
    Brittle(const Brittle& other) : value(other.value) {}
    Brittle(Brittle&&) noexcept = default;
    Brittle& operator=(const Brittle& other) {
        if (copies_left-- == 0) throw Oops("copy");
        value = other.value;
        return *this;
    }
    Brittle& operator=(Brittle&&) noexcept = default;
    std::string value = "a text that is too long for a short string";
};

[[nodiscard]] Ids children_of(ECS& ecs, Entity e) {
    Ids all;
    for (const Entity child : ecs.children(e)) all.push_back(child);
    return all;
}

/// A ship with a turret, which has two barrels, and with an engine.
struct PrefabTrees : testing::Test {
    ECS ecs;
    Prefab<Position, Name> ship = ecs.prefab(Position{1}, Name{"ship"});
    Prefab<Position, Velocity> turret = ecs.prefab(Position{2}, Velocity{20});
    Prefab<Position> barrel = ecs.prefab(Position{3});
    Prefab<Name, Indexed> engine = ecs.prefab(Name{"engine"}, Indexed{4});
    PrefabTrees() {
        turret.child(barrel).child(barrel);
        ship.child(turret).child(engine);
    }
    void expect_ship(Entity e) {
        EXPECT_EQ(ecs.parent(e), NONE);
        EXPECT_FALSE(ecs.has<Parent>(e));
        const Ids parts = children_of(ecs, e);
        ASSERT_EQ(parts.size(), 2u);
        EXPECT_EQ(ecs.get<Position>(parts[0]).x, 2);
        EXPECT_EQ(ecs.get<Velocity>(parts[0]).x, 20);
        EXPECT_EQ(ecs.get<Name>(parts[1]).text, "engine");
        EXPECT_EQ(ecs.get<Indexed>(parts[1]).value, 4u);
        EXPECT_FALSE(ecs.has<Position>(parts[1]));
        const Ids barrels = children_of(ecs, parts[0]);
        ASSERT_EQ(barrels.size(), 2u);
        for (const Entity b : barrels) {
            EXPECT_EQ(ecs.get<Position>(b).x, 3);
            EXPECT_EQ(ecs.get<Parent>(b).entity(), parts[0]);
        }
        for (const Entity part : parts) EXPECT_EQ(ecs.get<Parent>(part).entity(), e);
    }
};

}  // namespace

TEST_F(PrefabTrees, E12_an_entity_is_created_with_its_children_in_the_order_of_declaration) {
    const Entity e = ship.spawn();
    EXPECT_EQ(ecs.count(), 5u);
    expect_ship(e);
    EXPECT_EQ(ecs.get<Position>(e).x, 1);
    EXPECT_EQ(ecs.get<Name>(e).text, "ship");
    const Entity other = ship.spawn(Position{9}, Name{"other"});  // not those of children
    expect_ship(other);
    EXPECT_EQ(ecs.get<Position>(other).x, 9);
    EXPECT_EQ(ecs.get<Name>(other).text, "other");
    ecs.remove_entity(e);
    ecs.update();
    EXPECT_EQ(ecs.count(), 5u);
    expect_ship(other);
}

TEST_F(PrefabTrees, E12_many_entities_have_children_of_their_own) {
    const std::array xs{Position{5}, Position{6}, Position{7}};
    Ids ships(3);
    ship.spawn(std::span(ships), std::span<const Position>(xs));
    EXPECT_EQ(ecs.count(), 15u);
    for (std::size_t i = 0; i < ships.size(); ++i) {
        expect_ship(ships[i]);
        EXPECT_EQ(ecs.get<Position>(ships[i]).x, xs[i].x);
    }
    for (const Entity e : ship.spawn(2)) expect_ship(e);
    EXPECT_TRUE(ship.spawn(0).empty());
    EXPECT_EQ(ecs.count(), 25u);
}

TEST_F(PrefabTrees, E12_a_child_is_a_copy_of_its_prefab) {
    turret.child(engine);  // the ship has the turret as it was
    expect_ship(ship.spawn());
    auto node = ecs.prefab(Tag{});
    node.child(node).child(node);  // a node with one child, which has a child then
    const Entity root = node.spawn();
    const Ids below = children_of(ecs, root);
    ASSERT_EQ(below.size(), 2u);
    EXPECT_TRUE(children_of(ecs, below[0]).empty());
    EXPECT_EQ(children_of(ecs, below[1]).size(), 1u);
    const auto copied = [&] { return ecs.prefab(Tag{}).child(ecs.prefab(Tag{})).child(node); };
    EXPECT_EQ(children_of(ecs, copied().spawn()).size(), 2u);
}

TEST_F(PrefabTrees, E12_systems_see_all_entities_complete_and_ancestors_first) {
    std::vector<Position> log;
    auto& all = ecs.add_system<Spy<Requires<Position>, Watches<Position, Parent>>>(0);
    auto& parts = ecs.add_system<Spy<Requires<Parent>>>(1);
    struct Roots final : Recorder {
        Roots() { require<Position>(exclude<Parent>); }
    };
    auto& roots = ecs.add_system<Roots>(2);
    bool complete = true;
    all.at_add = [&](Aspect&) { complete = complete && ecs.count() == 5 && ecs.storage<Parent>().count() == 4; };
    const Entity e = ship.spawn();
    const Ids below = children_of(ecs, e);
    const Ids barrels = children_of(ecs, below[0]);
    EXPECT_TRUE(complete);
    EXPECT_EQ(all.added, (Ids{e, below[0], barrels[0], barrels[1]}));
    EXPECT_EQ(parts.added, (Ids{below[0], barrels[0], barrels[1], below[1]}));
    EXPECT_EQ(roots.added, Ids{e});
    EXPECT_TRUE(all.removed.empty() && roots.removed.empty());
    EXPECT_EQ(all.dirty(), all.added) << "rule D5";
}

TEST_F(PrefabTrees, E12_systems_without_callbacks_track_what_they_select) {
    struct Silent final : System<> {
        Silent() {
            require<Position, Parent>();
            watch<Position>();
            watch_ancestors<Position>();
        }
        void update(double) override {}
    };
    auto& system = ecs.add_system<Silent>(0);
    const Ids ships = ship.spawn(3);
    EXPECT_EQ(system.tracked().size(), 9u);
    EXPECT_EQ(system.dirty_set().size(), 9u);
    ecs.update();
    ecs.dirty<Position>(ships[1]);
    EXPECT_EQ(system.dirty_set().size(), 3u);
}

TEST_F(PrefabTrees, E12_callbacks_are_called_for_children_also_if_there_are_none_for_the_prefab) {
    auto& system = ecs.add_system<Spy<Requires<Velocity>>>(0);
    const Ids ships = ship.spawn(2);
    EXPECT_EQ(system.added, (Ids{children_of(ecs, ships[0])[0], children_of(ecs, ships[1])[0]}));
}

TEST_F(PrefabTrees, E12_S6_callbacks_may_change_what_was_created) {
    auto& first = ecs.add_system<Spy<Requires<Name>>>(0);
    struct Later final : System<> {
        Later() { require<Velocity>(); }
        void update(double) override {}
    };
    auto& later = ecs.add_system<Later>(1);
    auto& last = ecs.add_system<Spy<Requires<Indexed>>>(2);
    first.at_add = [&](Aspect& aspect) {
        if (aspect.get<Name>().text != "ship") return;
        ecs.remove<Velocity>(children_of(ecs, aspect.entity())[0]);
        ecs.remove_system(last);
    };
    const Entity e = ship.spawn();
    EXPECT_EQ(later.tracked().size(), 0u);
    EXPECT_EQ(first.added, (Ids{e, children_of(ecs, e)[1]}));
    first.at_add = [&](Aspect&) { ecs.clear(); };
    const Entity gone = ship.spawn();
    EXPECT_FALSE(ecs.alive(gone));
    EXPECT_EQ(ecs.count(), 0u);
    first.at_add = nullptr;
    expect_ship(ship.spawn());
}

TEST_F(PrefabTrees, E12_S7_a_callback_that_throws_does_not_prevent_the_others) {
    auto& system = ecs.add_system<Spy<Requires<Position>>>(0);
    system.at_add = [&](Aspect&) { throw Oops("on_add"); };
    EXPECT_THROW(ship.spawn(), Oops);
    EXPECT_EQ(system.added.size(), 4u);
    EXPECT_EQ(ecs.count(), 5u);
    expect_ship(system.added.front());
}

TEST_F(PrefabTrees, E12_E8_if_a_value_of_a_child_cannot_be_copied_nothing_is_created) {
    auto& system = ecs.add_system<Spy<Requires<Position>>>(0);
    auto fragile = ecs.prefab(Brittle{}, Position{});
    ship.child(fragile).child(fragile);
    for (int copies = 0; copies < 6; ++copies) {
        Brittle::copies_left = copies;
        EXPECT_THROW(static_cast<void>(ship.spawn(3)), Oops);
    }
    Brittle::copies_left = 0;
    EXPECT_THROW(ship.spawn(), Oops);
    Brittle::copies_left = -1;
    EXPECT_EQ(ecs.count(), 0u);
    EXPECT_EQ(ecs.storage<Parent>().count() + ecs.storage<Position>().count() + ecs.storage<Brittle>().count(), 0u);
    EXPECT_TRUE(system.added.empty());
    const Entity e = ship.spawn();
    EXPECT_EQ(children_of(ecs, e).size(), 4u);
    EXPECT_EQ(ecs.get<Brittle>(children_of(ecs, e)[3]).value, Brittle{}.value);
}

TEST_F(PrefabTrees, E12_X3_overrides_columns_and_the_result_may_be_in_storages_that_grow) {
    struct Fleet {
        std::array<Entity, 2> ships{NONE, NONE};
        std::array<Position, 2> places{Position{5}, Position{6}};
    };
    auto flagship = ecs.prefab(Position{}, Name{"flagship"});
    flagship.child(ecs.prefab(Fleet{}, Position{8}));
    const Entity fleet = ecs.add_entity(Fleet{}, Position{7});
    const auto fill = [&] {
        while (ecs.storage<Fleet>().count() < ecs.storage<Fleet>().capacity()) ecs.add_entity(Fleet{});
        while (ecs.storage<Position>().count() < ecs.storage<Position>().capacity()) ecs.add_entity(Position{});
    };
    fill();
    EXPECT_EQ(ecs.get<Position>(flagship.spawn(ecs.get<Position>(fleet))).x, 7);
    fill();
    Fleet& known = ecs.storage<Fleet>().at(0);
    flagship.spawn(std::span<Entity>(known.ships), std::span<const Position>(known.places));
    EXPECT_EQ(ecs.get<Position>(ecs.get<Fleet>(fleet).ships[0]).x, 5);
    EXPECT_EQ(ecs.get<Position>(ecs.get<Fleet>(fleet).ships[1]).x, 6);
}

TEST_F(PrefabTrees, E12_a_prefab_of_another_ecs_is_no_child_and_parent_is_no_component_of_one) {
    ECS other;
    EXPECT_ERROR(ship.child(other.prefab(Tag{})), ErrorCode::bad_argument);
    expect_ship(ship.spawn());
    ship.child(ecs.prefab(Parent{}));
    EXPECT_ERROR(ship.spawn(), ErrorCode::bad_argument);
    EXPECT_EQ(ecs.count(), 5u);
}

TEST_F(PrefabTrees, E12_a_prefab_can_have_many_levels) {
    auto chain = ecs.prefab(Tag{});
    for (int level = 1; level < 200; ++level) {
        auto longer = ecs.prefab(Tag{});
        longer.child(chain);
        chain = longer;
    }
    Entity e = chain.spawn();
    int levels = 1;
    for (Ids below = children_of(ecs, e); !below.empty(); below = children_of(ecs, e), ++levels) e = below[0];
    EXPECT_EQ(levels, 200);
}
