// Components of the parent in the rows of queries (rule H5).
#include <vector>

#include "world.hpp"

using namespace test;

namespace {

using Placed = decltype(std::declval<ECS&>().query<const Position>(parent<Position, const Health>, exclude<Tag>,
                                                                   optional<Velocity>));
static_assert(std::is_same_v<Placed::Row, std::tuple<Entity, const Position&, Velocity*, Position*, const Health*>>);
using ReadingParents = decltype(std::declval<const ECS&>().query<Position>(parent<Health>));
static_assert(std::is_same_v<ReadingParents::Row, std::tuple<Entity, const Position&, const Health*>>);
using Several = decltype(std::declval<ECS&>().query<Tag>(parent<Position>, parent<Health>));
static_assert(std::is_same_v<Several::Row, std::tuple<Entity, Tag&, Position*, Health*>>);
static_assert(std::is_constructible_v<ReadingParents, const ECS&> && !std::is_constructible_v<Placed, const ECS&>);

/// A ship with a turret on it, and a rock without a parent. All have a Position, only the ship has Health.
struct ParentRows : testing::Test {
    ECS ecs;
    Entity ship = ecs.add_entity(Position{100, 0}, Health{7});
    Entity turret = ecs.add_entity(Position{10, 0});
    Entity barrel = ecs.add_entity(Position{1, 0});
    Entity rock = ecs.add_entity(Position{5, 0});
    ParentRows() {
        ecs.set_parent(turret, ship);
        ecs.set_parent(barrel, turret);
    }
    /// What rows contain of the parent of each entity, in the order of the ship, turret, barrel and rock.
    struct Expected {
        const Position* position;
        const Health* health;
        bool operator==(const Expected&) const = default;
    };
    [[nodiscard]] std::vector<Expected> expected() const {
        const ECS& c = ecs;
        return {{nullptr, nullptr},
                {c.try_get<Position>(ship), c.try_get<Health>(ship)},
                {c.try_get<Position>(turret), nullptr},
                {nullptr, nullptr}};
    }
};

}  // namespace

TEST_F(ParentRows, H5_every_way_to_read_rows_finds_the_components_of_the_parent) {
    const auto query = ecs.query<const Position>(parent<Position, Health>);
    std::vector<Expected> looped, visited, changed, found;
    for (auto [entity, position, above, health] : query) looped.push_back({above, health});
    query.each([&](const Position&, Position* above, Health* health) { visited.push_back({above, health}); });
    query.change([&](Entity, const Position&, Position* above, Health* health) { changed.push_back({above, health}); });
    for (auto [entity, position, above, health] : query.of(Ids{ship, turret, barrel, rock})) {
        found.push_back({above, health});
        const auto row = query.at(entity);
        ASSERT_TRUE(row.has_value());
        EXPECT_EQ(&std::get<1>(*row), &position);
        EXPECT_EQ(std::get<2>(*row), above);
        EXPECT_EQ(std::get<3>(*row), health);
    }
    EXPECT_EQ(looped, expected());
    EXPECT_EQ(visited, expected());
    EXPECT_EQ(changed, expected());
    EXPECT_EQ(found, expected());
    const auto first = ecs.query<const Position>(parent<const Health>, exclude<Health>).first();
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(std::get<0>(*first), turret);
    EXPECT_EQ(std::get<2>(*first), ecs.try_get<Health>(ship));
}

TEST_F(ParentRows, H5_the_components_of_the_parent_do_not_affect_which_entities_are_selected) {
    const auto query = ecs.query<Position>(parent<Health>);
    EXPECT_EQ(query.ids(), (Ids{ship, turret, barrel, rock}));
    EXPECT_EQ(query.count(), 4u);
    EXPECT_TRUE(query.has(rock));
    EXPECT_EQ(ecs.query<Position>(parent<Health>, exclude<Health>).count(), 3u);
}

TEST_F(ParentRows, H5_filters_can_be_in_any_order_and_pointers_of_the_parent_are_last) {
    ecs.add<Velocity>(turret, {3});
    ecs.add<Tag>(rock);
    std::size_t rows = 0;
    for (auto [entity, position, velocity, health] :
         ecs.query<Position>(parent<const Health>, exclude<Tag>, optional<Velocity>, any<Velocity, Tag>)) {
        EXPECT_EQ(entity, turret);
        EXPECT_EQ(velocity, ecs.try_get<Velocity>(turret));
        EXPECT_EQ(health, ecs.try_get<Health>(ship));
        ++rows;
    }
    EXPECT_EQ(rows, 1u);
}

TEST_F(ParentRows, H5_rows_follow_changes_of_the_hierarchy_and_of_the_parents_components) {
    const auto query = ecs.query<Position>(parent<const Health>);
    ecs.set_parent(rock, ship);
    EXPECT_EQ(std::get<2>(*query.at(rock)), ecs.try_get<Health>(ship));
    ecs.remove<Health>(ship);
    EXPECT_EQ(std::get<2>(*query.at(rock)), nullptr);
    ecs.add<Health>(ship, {1});
    ecs.set_parent(rock, NONE);
    EXPECT_EQ(std::get<2>(*query.at(rock)), nullptr);
    ecs.set_parent(turret, NONE);
    ecs.set_parent(barrel, NONE);
    ecs.remove_entity(ship);
    ecs.update();
    const Entity other = ecs.add_entity(Health{2});
    EXPECT_EQ(index_of(other), index_of(ship));
    EXPECT_EQ(std::get<2>(*query.at(turret)), nullptr);
}

TEST_F(ParentRows, H5_a_loop_may_change_parents_and_their_components) {
    std::vector<const Health*> found;
    const auto query = ecs.query<const Position>(parent<const Health>);
    for (auto [entity, position, health] : query) {
        found.push_back(health);
        if (entity == ship) ecs.set_parent(rock, ship);
        if (entity == turret) ecs.add<Health>(turret, {3});
    }
    EXPECT_EQ(found[2], ecs.try_get<Health>(turret));
    EXPECT_EQ(found[3], ecs.try_get<Health>(ship));
    std::vector<const Health*> visited;
    query.each([&](Entity entity, const Position&, const Health* health) {
        visited.push_back(health);
        if (entity == ship) ecs.set_parent(rock, NONE);
    });
    EXPECT_EQ(visited[3], nullptr);
}

TEST_F(ParentRows, H5_linear_classes_of_the_parent_are_found) {
    const Entity grid = ecs.add_entity(Indexed{4});
    ecs.set_parent(rock, grid);
    std::vector<const Indexed*> found;
    ecs.query<Position>(parent<const Indexed>).each([&](Position&, const Indexed* indexed_above) {
        found.push_back(indexed_above);
    });
    EXPECT_EQ(found, (std::vector<const Indexed*>{nullptr, nullptr, nullptr, ecs.try_get<Indexed>(grid)}));
}

TEST_F(ParentRows, H5_D2_change_signals_for_the_parent_whose_component_it_has_changed) {
    struct Watching final : Recorder {
        Watching() {
            require<Health>();
            watch<Health>();
        }
    };
    auto& system = ecs.add_system<Watching>(0);
    ecs.add<Health>(rock, {1});
    ecs.update();
    const auto query = ecs.query<const Position>(parent<Health>);
    query.change([](const Position&, Health* health) {
        if (health != nullptr) health->points += 1;
    });
    EXPECT_EQ(iterate(system.dirty_set()), Ids{ship});
    ecs.update();
    query.change([](const Position&, Health*) {});
    EXPECT_TRUE(system.dirty_set().empty());
    query.change([&](Entity e, const Position&, Health* health) {
        if (e != turret) return;
        health->points += 1;
        ecs.set_parent(turret, rock);  // the component is still that of the ship
    });
    EXPECT_EQ(iterate(system.dirty_set()), Ids{ship});
}

#ifndef NDEBUG
TEST_F(ParentRows, H5_Q9_each_does_not_allow_adding_components_of_the_parents_classes) {
    EXPECT_ERROR(ecs.query<Position>(parent<Health>).each([&](Entity e, Position&, Health*) { ecs.add<Health>(e); }),
                 ErrorCode::bad_argument);
}
#endif
