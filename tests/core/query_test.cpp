#include "crateful/query.hpp"

#include <random>
#include <ranges>
#include <set>

#include "world.hpp"

using namespace test;

namespace {

using Moving = decltype(std::declval<ECS&>().query<Position, const Velocity>(exclude<Tag>, optional<Health>));
static_assert(std::ranges::input_range<Moving> && std::ranges::input_range<const Moving>);
static_assert(std::ranges::input_range<DirtySet> && std::ranges::input_range<Entities<Aspect>>);
static_assert(std::ranges::input_range<decltype(std::declval<Moving&>().of(std::declval<DirtySet&>()))>);
static_assert(std::ranges::input_range<decltype(std::declval<Moving&>().of(Ids{}))>);
static_assert(std::is_same_v<Moving::Row, std::tuple<Entity, Position&, const Velocity&, Health*>>);

using Reading = decltype(std::declval<const ECS&>().query<Position, Velocity>(optional<Health>));
static_assert(std::is_same_v<Reading::Row, std::tuple<Entity, const Position&, const Velocity&, const Health*>>);
static_assert(std::is_constructible_v<Reading, const ECS&> && !std::is_constructible_v<Moving, const ECS&>);

/// The entities that a loop over rows visits.
[[nodiscard]] Ids visited_in(auto&& rows) {
    Ids all;
    for (const auto& row : rows) all.push_back(std::get<0>(row));
    return all;
}
[[nodiscard]] std::multiset<Entity> as_multiset(const Ids& ids) { return {ids.begin(), ids.end()}; }

/// A handle that is stale, although an entity with the same index has a Position.
[[nodiscard]] Entity stale_handle(ECS& ecs) {
    const Entity stale = ecs.add_entity();
    for (Entity e = stale;;) {
        ecs.remove_entity(e);
        ecs.update();
        e = ecs.add_entity();
        if (index_of(e) == index_of(stale)) return ecs.add<Position>(e), stale;
    }
}

struct Queries : testing::Test {
    ECS ecs;
    Ids all = ecs.add_entities(6);
    Queries() {
        for (std::size_t i = 0; i < all.size(); ++i) ecs.add<Position>(all[i], {static_cast<float>(i), 0});
    }
};

}  // namespace

TEST_F(Queries, Q1_a_query_selects_the_entities_with_all_required_components) {
    ecs.add<Velocity>(all[1], {10});
    ecs.add<Velocity>(all[4], {40});
    Ids found;
    for (auto [e, position, velocity] : ecs.query<Position, const Velocity>()) {
        found.push_back(e);
        EXPECT_EQ(&position, ecs.try_get<Position>(e));
        EXPECT_EQ(&velocity, ecs.try_get<Velocity>(e));
    }
    EXPECT_EQ(found, (Ids{all[1], all[4]}));
    EXPECT_EQ(visited_in(ecs.query<const Velocity>()), (Ids{all[1], all[4]}));
}

TEST_F(Queries, Q1_exclude_and_any_and_optional_can_be_combined_in_any_order) {
    ecs.add<Tag>(all[0]);
    ecs.add<Velocity>(all[1]);
    ecs.add<Health>(all[2], {2});
    for (const Entity e : {all[0], all[3]}) ecs.add<Velocity>(e), ecs.add<Health>(e, {1});
    EXPECT_EQ(visited_in(ecs.query<Position>(exclude<Tag>)), Ids(all.begin() + 1, all.end()));
    EXPECT_EQ(visited_in(ecs.query<Position>(exclude<Tag, Health>)), (Ids{all[1], all[4], all[5]}));
    EXPECT_EQ(visited_in(ecs.query<Position>(any<Velocity, Health>)), Ids(all.begin(), all.begin() + 4));
    EXPECT_EQ(visited_in(ecs.query<Position>(any<Velocity, Health>, exclude<Tag>, exclude<Name>)),
              Ids(all.begin() + 1, all.begin() + 4));
    std::vector<int> points;
    const auto query = ecs.query<Position>(optional<const Velocity>, exclude<Tag>, optional<Health>);
    for (auto [e, position, velocity, health] : query) {
        EXPECT_EQ(velocity, ecs.try_get<Velocity>(e));
        EXPECT_EQ(health, ecs.try_get<Health>(e));
        points.push_back(health == nullptr ? -1 : health->points);
    }
    EXPECT_EQ(points, (std::vector{-1, 2, 1, -1, -1}));
}

TEST_F(Queries, Q1_a_query_is_always_up_to_date) {
    // No component of some classes was ever added when these are created.
    const auto tagged = ecs.query<Tag>(exclude<Name>, optional<Health>);
    const auto constant = std::as_const(ecs).query<Velocity>(any<Name, Tag>);
    EXPECT_EQ(visited_in(tagged), Ids{});
    EXPECT_EQ(visited_in(constant), Ids{});
    for (const Entity e : all) ecs.add<Tag>(e), ecs.add<Velocity>(e);
    ecs.add<Name>(all[0]);
    ecs.add<Health>(all[5], {5});
    EXPECT_EQ(visited_in(tagged), Ids(all.begin() + 1, all.end()));
    EXPECT_EQ(std::get<2>(*tagged.at(all[5]))->points, 5);
    EXPECT_EQ(visited_in(constant), all);
    ecs.clear();
    EXPECT_EQ(visited_in(tagged), Ids{});
    ecs.add<Tag>(ecs.add_entity());
    EXPECT_EQ(visited_in(tagged).size(), 1u);
}

TEST_F(Queries, Q1_a_query_of_a_const_ecs_reads_components) {
    const ECS& constant = ecs;
    float sum = 0;
    for (auto [e, position] : constant.query<Position>()) sum += position.x;
    constant.query<Position>(exclude<Tag>).each([&](const Position& position) { sum += position.x; });
    constant.each<Position>([&](auto& position) {
        static_assert(std::is_same_v<decltype(position), const Position&>);
        sum += position.x;
    });
    EXPECT_EQ(sum, 45);
    EXPECT_EQ(constant.query<Position>().of(all).begin().entity(), all[0]);
}

TEST_F(Queries, Q6_single_entities_and_counts) {
    ecs.add<Velocity>(all[3], {30});
    ecs.add<Velocity>(all[1], {10});
    ecs.add<Tag>(all[1]);
    const auto query = ecs.query<Position, const Velocity>();
    EXPECT_TRUE(query.has(all[1]));
    EXPECT_FALSE(query.has(all[0]));
    EXPECT_FALSE(query.has(NONE));
    EXPECT_FALSE(ecs.query<Position>().has(stale_handle(ecs)));
    EXPECT_EQ(query.count(), 2u);
    EXPECT_EQ(query.ids(), (Ids{all[3], all[1]}));
    EXPECT_EQ(ecs.query<Velocity>().count(), 2u);
    EXPECT_EQ(ecs.query<Velocity>(exclude<Tag>).count(), 1u);
    EXPECT_EQ(ecs.query<Velocity>(any<Tag>).count(), 1u);
    ASSERT_TRUE(query.at(all[1]));
    auto [e, position, velocity] = *query.at(all[1]);
    EXPECT_EQ(e, all[1]);
    position.x = 7;
    EXPECT_EQ(ecs.get<Position>(all[1]).x, 7);
    EXPECT_EQ(velocity.x, 10);
    EXPECT_EQ(std::get<Entity>(*query.first()), all[3]);
    EXPECT_FALSE(ecs.query<Name>().first());
    ecs.remove_entity(all[1]);
    ecs.update();
    EXPECT_FALSE(query.has(all[1]));
    EXPECT_EQ(query.count(), 1u);
}

TEST_F(Queries, Q7_loops_over_one_query_can_be_nested) {
    const auto query = ecs.query<Position>();
    std::vector<std::pair<Entity, Entity>> pairs;
    for (auto [a, p] : query) {
        for (auto [b, q] : query) pairs.emplace_back(a, b);
    }
    EXPECT_EQ(pairs.size(), 36u);
    EXPECT_EQ((std::set<std::pair<Entity, Entity>>(pairs.begin(), pairs.end()).size()), 36u);
}

// --- rule T4: changes during a loop --------------------------------------------------------------

namespace {

/// Runs `change(e)` in a loop over components T of eight entities; returns the entities that the loop visits.
template <class T, class Change>
Ids visited_while(ECS& ecs, const Ids& all, Change change) {
    for (const Entity e : all) ecs.add<T>(e);
    Ids found;
    for (auto [e, value] : ecs.query<T>(exclude<Tag>)) {
        found.push_back(e);
        change(e);
    }
    return found;
}

template <class T>
struct Changed : testing::Test {
    ECS ecs;
    Ids all = ecs.add_entities(8);
};
using Policies = testing::Types<Position, Indexed>;  // sparse, linear

}  // namespace

TYPED_TEST_SUITE(Changed, Policies);

TYPED_TEST(Changed, T4_entities_that_stay_are_visited_exactly_once_while_others_are_removed) {
    for (std::size_t removed = 0; removed < 8; ++removed) {
        ECS world;
        const Ids eight = world.add_entities(8);
        // In the step of the fourth entity, a visited one, the current one or a later one is removed.
        const Ids found = visited_while<TypeParam>(world, eight, [&](Entity e) {
            if (e == eight[3]) world.remove<TypeParam>(eight[removed]);
        });
        auto expected = as_multiset(eight);
        if (removed > 3) expected.erase(eight[removed]);
        EXPECT_EQ(as_multiset(found), expected) << removed;
    }
}

TYPED_TEST(Changed, T4_each_entity_can_be_removed_in_its_own_step) {
    const Ids found =
        visited_while<TypeParam>(this->ecs, this->all, [&](Entity e) { this->ecs.template remove<TypeParam>(e); });
    EXPECT_EQ(as_multiset(found), as_multiset(this->all));
    EXPECT_EQ(this->ecs.template query<TypeParam>().count(), 0u);
}

TYPED_TEST(Changed, T4_an_entity_that_gains_an_excluded_component_is_not_visited) {
    const Ids found = visited_while<TypeParam>(this->ecs, this->all, [&](Entity e) {
        if (e == this->all[2]) this->ecs.template add<Tag>(this->all[5]);
    });
    auto expected = as_multiset(this->all);
    expected.erase(this->all[5]);
    EXPECT_EQ(as_multiset(found), expected);
}

TYPED_TEST(Changed, T4_components_can_be_added_even_if_all_values_move) {
    std::size_t added = 0;
    const Ids found = visited_while<TypeParam>(this->ecs, this->all, [&](Entity) {
        if (added > 0) return;
        for (; added < 5000; ++added) this->ecs.template add<TypeParam>(this->ecs.add_entity());
    });
    EXPECT_EQ(as_multiset(found), as_multiset(this->all));
}

TYPED_TEST(Changed, T4_a_loop_that_adds_one_for_each_ends_and_what_is_added_again_is_not_visited) {
    ECS& world = this->ecs;
    const Ids removed = world.add_entities(4);  // in front of the others: their indices are used again
    const Ids eight = world.add_entities(8);
    world.remove_entities(removed);
    world.remove_marked();
    const Ids found = visited_while<TypeParam>(world, eight, [&](Entity e) {
        world.add_entity(TypeParam{});
        if (e != eight[0]) return;
        world.remove<TypeParam>(eight[5]);
        world.add<TypeParam>(eight[5]);
        world.remove<TypeParam>(eight[7]);
    });
    auto expected = as_multiset(eight);
    expected.erase(eight[5]);
    expected.erase(eight[7]);
    EXPECT_EQ(as_multiset(found), expected);
}

TYPED_TEST(Changed, T4_a_copy_of_an_iterator_does_not_visit_what_was_added_either) {
    ECS& world = this->ecs;
    for (const Entity e : this->all) world.template add<TypeParam>(e);
    const auto query = world.template query<TypeParam>();
    auto first = query.begin();
    world.template remove<TypeParam>(this->all[4]);
    world.template add<TypeParam>(this->all[4]);
    const auto second = first;
    auto third = query.begin();
    third = first;
    for (auto* iterator : {&first, &third}) {
        std::set<Entity> found;
        for (; *iterator != query.end(); ++*iterator) found.insert(iterator->entity());
        EXPECT_EQ(found.size(), 7u);
        EXPECT_EQ(found.count(this->all[4]), 0u);
    }
    EXPECT_EQ(second.entity(), this->all[0]);
}

TYPED_TEST(Changed, T4_storage_each_does_not_visit_what_is_added) {
    ECS& world = this->ecs;
    for (const Entity e : this->all) world.template add<TypeParam>(e);
    std::size_t visits = 0;
    world.template storage<TypeParam>().each([&](Entity) {
        ++visits;
        world.add_entity(TypeParam{});
    });
    EXPECT_EQ(visits, 8u);
}

TYPED_TEST(Changed, T4_the_ecs_can_be_cleared) {
    const Ids found = visited_while<TypeParam>(this->ecs, this->all, [&](Entity) { this->ecs.clear(); });
    EXPECT_EQ(found, Ids{this->all[0]});
}

TEST_F(Queries, T4_a_copy_of_an_iterator_continues_on_its_own) {
    const auto query = ecs.query<Position>();
    auto first = query.begin();
    ++first;
    auto second = first;
    ++second;
    auto third = query.begin();
    third = second;
    ecs.remove<Position>(all[0]);  // visited by all: the visited ones stay in front of each position
    Ids found;
    for (; first != query.end(); ++first) found.push_back(first.entity());
    EXPECT_EQ(found.size(), 5u);
    for (auto* rest : {&second, &third}) {
        found.clear();
        for (; *rest != query.end(); ++*rest) found.push_back(rest->entity());
        EXPECT_EQ(as_multiset(found), as_multiset(Ids(all.begin() + 2, all.end())));
    }
}

// --- of --------------------------------------------------------------------------------------------

TEST_F(Queries, Q5_of_yields_rows_for_the_given_entities_in_their_order) {
    ecs.remove<Position>(all[2]);
    ecs.add<Tag>(all[4]);
    const Entity stale = stale_handle(ecs);
    const Ids list{all[5], stale, all[2], all[0], NONE, all[4], all[5]};
    const auto query = ecs.query<Position>(exclude<Tag>);
    const Ids expected{all[5], all[0], all[5]};
    EXPECT_EQ(visited_in(query.of(list)), expected);
    EXPECT_EQ(visited_in(query.of(Ids(list))), expected);
    EXPECT_EQ(visited_in(query.of(std::span(list))), expected);
    for (auto [e, position] : query.of(list)) position.y = 9;
    EXPECT_EQ(ecs.get<Position>(all[0]).y, 9);
    EXPECT_EQ(ecs.get<Position>(all[4]).y, 0);
}

TEST_F(Queries, Q5_of_accepts_the_entities_of_a_system_and_other_queries) {
    auto& spy = ecs.add_system<Spy<Requires<Position>>>(0);
    ecs.add<Velocity>(all[1]);
    ecs.add<Tag>(all[1]);
    ecs.add<Velocity>(all[2]);
    EXPECT_EQ(visited_in(ecs.query<Velocity>().of(spy.entities())), (Ids{all[1], all[2]}));
    EXPECT_EQ(visited_in(ecs.query<Position>().of(ecs.query<Velocity>(exclude<Tag>))), Ids{all[2]});
}

TEST_F(Queries, D7_iterating_of_dirty_counts_as_iterating_dirty) {
    Ids found;
    auto& watcher = ecs.add_system<Spy<Requires<Position>, Watches<Position>>>(0, [&](Recorder& spy) {
        spy.at_update = [&](double, auto&, DirtySet& dirty) {
            for (auto [e, position] : ecs.query<const Position>(exclude<Tag>).of(dirty)) {
                found.push_back(e);
                // Three become dirty during the loop; it skips the first and leaves at the second.
                if (e == all[0] && found.size() == 1) ecs.dirty<Position>(std::span(all).subspan(3));
                if (e == all[4]) break;
            }
        };
    });
    ecs.update();  // all are new
    found.clear();
    ecs.add<Tag>(all[3]);
    ecs.dirty<Position>(all[0]);
    ecs.update();
    EXPECT_EQ(found, (Ids{all[0], all[4]}));
    EXPECT_EQ(watcher.dirty(), Ids{all[5]});
}

// --- ranges ----------------------------------------------------------------------------------------

TEST_F(Queries, Q9_queries_work_with_the_algorithms_and_views_of_ranges) {
    const auto right = [](const auto& row) { return std::get<1>(row).x > 2; };
    EXPECT_EQ(std::ranges::count_if(ecs.query<Position>(), right), 3);
// Temporary ranges are views since a later change of C++20; and older Clangs cannot compile the views of libstdc++.
#if __cpp_lib_ranges >= 202110L && (!defined(__clang__) || __clang_major__ >= 16)
    EXPECT_EQ(visited_in(ecs.query<Position>() | std::views::filter(right)), Ids(all.begin() + 3, all.end()));
    EXPECT_EQ(visited_in(ecs.query<Position>().of(std::views::reverse(all))), Ids(all.rbegin(), all.rend()));
#endif
    auto& spy = ecs.add_system<Spy<Requires<Position>, Watches<Position>>>(0);
    const auto is_last = [&](Entity e) { return e == all.back(); };
    EXPECT_EQ(*std::ranges::find_if(spy.dirty_set(), is_last), all.back());
    EXPECT_EQ((*std::ranges::find_if(spy.entities(), is_last, [](auto pair) { return pair.first; })).first, all.back());
}
