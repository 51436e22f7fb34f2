// Sorted queries (rule Q10).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "world.hpp"

using namespace test;

namespace {

enum class Plane : std::uint8_t { floor, crates, effects };
struct Sprite {
    float depth = 0;
    std::int16_t row = 0;
    Plane layer = Plane::floor;
    double time = 0;
    std::int32_t x = 0;
    std::uint32_t y = 0;
    std::int8_t small = 0;
    bool front = false;
};

template <class Query>
Ids rows_of(const Query& query) {
    Ids all;
    for (auto row : query) all.push_back(std::get<0>(row));
    return all;
}

struct Sorted : testing::Test {
    ECS ecs;
    Ids all;
    Ids with(std::initializer_list<float> depths) {
        for (const float depth : depths) all.push_back(ecs.add_entity(Sprite{.depth = depth}));
        return all;
    }
    Ids picked(std::initializer_list<std::size_t> numbers) {
        Ids list;
        for (const std::size_t k : numbers) list.push_back(all[k]);
        return list;
    }
};

}  // namespace

TEST_F(Sorted, Q10_rows_are_in_the_order_of_a_member_and_equal_ones_in_that_of_indices) {
    with({3, 1, 2, 1, -5});
    const auto query = ecs.query<Sprite>(order_by(&Sprite::depth));
    EXPECT_EQ(rows_of(query), picked({4, 1, 3, 2, 0}));
    EXPECT_EQ(rows_of(ecs.query<const Sprite>(order_by(&Sprite::depth, Direction::descending))),
              picked({0, 2, 1, 3, 4}));
    EXPECT_EQ(std::get<0>(*query.first()), all[4]);
    EXPECT_EQ(query.count(), 5u);
    EXPECT_EQ(query.ids(), rows_of(query));
    EXPECT_TRUE(query.has(all[2]));
    EXPECT_FLOAT_EQ(std::get<1>(*query.at(all[2])).depth, 2);
    Ids visited;
    query.each([&](Entity e, Sprite&) { visited.push_back(e); });
    EXPECT_EQ(visited, rows_of(query));
}

TEST_F(Sorted, Q9_Q10_change_visits_the_rows_in_order_and_signals_for_what_it_has_changed) {
    with({3, 1, 2});
    auto& watcher = ecs.add_system<Spy<Requires<Sprite>, Watches<Sprite>>>(0);
    ecs.update();
    const auto query = ecs.query<Sprite>(order_by(&Sprite::depth));
    Ids visited;
    query.change([&](Entity e, Sprite& sprite) {
        visited.push_back(e);
        if (sprite.depth < 3) sprite.depth += 5;
    });
    EXPECT_EQ(visited, picked({1, 2, 0}));
    EXPECT_EQ(watcher.dirty(), picked({1, 2}));
    EXPECT_EQ(rows_of(query), picked({0, 1, 2}));
}

TEST_F(Sorted, Q10_a_const_ecs_can_be_sorted_too) {
    with({3, 1, 2});
    const ECS& constant = ecs;
    const auto query = constant.query<Sprite>(order_by(&Sprite::depth));
    static_assert(std::is_same_v<decltype(*query.begin()), std::tuple<Entity, const Sprite&>>);
    EXPECT_EQ(rows_of(query), picked({1, 2, 0}));
    ecs.set<Sprite>(all[1], {.depth = 9});
    EXPECT_EQ(rows_of(query), picked({2, 0, 1}));
}

TEST_F(Sorted, Q10_nan_is_last_and_minus_zero_equals_zero) {
    constexpr float INF = std::numeric_limits<float>::infinity();
    with({std::nanf(""), 0.f, -0.f, INF, -INF, -std::nanf(""), 1e-40f, -1e-40f});
    EXPECT_EQ(rows_of(ecs.query<Sprite>(order_by(&Sprite::depth))), picked({4, 7, 1, 2, 6, 3, 0, 5}));
    EXPECT_EQ(rows_of(ecs.query<Sprite>(order_by(&Sprite::depth, Direction::descending))),
              picked({3, 6, 1, 2, 7, 4, 0, 5}));
}

TEST_F(Sorted, Q10_filters_and_other_classes_apply) {
    with({3, 1, 2});
    ecs.add<Position>(all[0], {1, 1});
    ecs.add<Position>(all[1], {2, 2});
    ecs.add<Tag>(all[1]);
    EXPECT_EQ(rows_of(ecs.query<Sprite, Position>(order_by(&Sprite::depth))), picked({1, 0}));
    EXPECT_EQ(rows_of(ecs.query<Sprite>(exclude<Tag>, order_by(&Sprite::depth))), picked({2, 0}));
    EXPECT_EQ(rows_of(ecs.query<Sprite>(order_by(&Sprite::depth), optional<Position>)), picked({1, 2, 0}));
}

TEST_F(Sorted, Q10_an_order_of_a_linear_class_needs_no_memory_for_free_indices) {
    for (std::uint32_t k = 0; k < 10; ++k) all.push_back(ecs.add_entity(Indexed{10 - k}));
    ecs.remove_entity(all[5]);
    ecs.remove_marked();
    const auto query = ecs.query<const Indexed>(order_by(&Indexed::value));
    EXPECT_EQ(rows_of(query), picked({9, 8, 7, 6, 4, 3, 2, 1, 0}));
    EXPECT_LT(ecs.storage<Indexed>().bytes(), 10'000u);
}

TEST_F(Sorted, Q10_a_member_of_a_base_class) {
    struct Base {
        float depth = 0;
    };
    struct First {
        float x = 0;
    };
    struct Derived : First, Base {};
    for (const float depth : {2.f, 1.f}) {
        all.push_back(ecs.add_entity(Derived{}));
        ecs.modify<Derived>(all.back(), [&](Derived& d) { d.depth = depth; });
    }
    EXPECT_EQ(rows_of(ecs.query<const Derived>(order_by(&Derived::depth))), picked({1, 0}));
}

TEST_F(Sorted, Q10_changes_that_signal_count_when_the_next_iteration_begins) {
    with({1, 2, 3, 4});
    const auto query = ecs.query<Sprite>(order_by(&Sprite::depth));
    EXPECT_EQ(rows_of(query), picked({0, 1, 2, 3}));
    ecs.modify<Sprite>(all[0], [](Sprite& s) { s.depth = 5; });
    EXPECT_EQ(rows_of(query), picked({1, 2, 3, 0}));
    ecs.storage<Sprite>().at(3).depth = -1;
    EXPECT_EQ(rows_of(query), picked({1, 2, 3, 0})) << "a write without a signal";
    ecs.dirty<Sprite>(all[3]);
    EXPECT_EQ(rows_of(query), picked({3, 1, 2, 0}));
    ecs.remove<Sprite>(all[1]);
    ecs.remove_entity(all[2]);
    ecs.remove_marked();
    EXPECT_EQ(rows_of(query), picked({3, 0}));
    all.push_back(ecs.add_entity(Sprite{.depth = 0}));  // has the index of the removed one
    EXPECT_EQ(rows_of(query), picked({3, 4, 0}));
    ecs.clear();
    EXPECT_EQ(rows_of(query), Ids{});
}

TEST_F(Sorted, Q10_T4_changes_during_an_iteration) {
    with({1, 2, 3, 4, 5});
    const auto query = ecs.query<Sprite>(order_by(&Sprite::depth));
    Ids visited;
    Ids inner;
    for (auto [e, sprite] : query) {
        visited.push_back(e);
        if (e != all[0]) continue;
        ecs.set<Sprite>(all[1], {.depth = 9});  // counts for the next iteration
        ecs.remove<Sprite>(all[2]);
        ecs.remove<Sprite>(all[3]);
        ecs.add<Sprite>(all[3], {.depth = 4});  // counts as added
        all.push_back(ecs.add_entity(Sprite{.depth = 4.5}));
        inner = rows_of(query);
    }
    EXPECT_EQ(visited, picked({0, 1, 4}));
    EXPECT_EQ(inner, picked({0, 3, 5, 4, 1})) << "an iteration that begins later sees the changes";
    EXPECT_EQ(rows_of(query), inner);
}

TEST_F(Sorted, Q10_a_loop_that_spawns_what_it_visits_ends) {
    with({1, 2, 3});
    int steps = 0;
    for (auto [e, sprite] : ecs.query<Sprite>(order_by(&Sprite::depth))) {
        ++steps;
        ecs.add_entity(Sprite{.depth = sprite.depth + 1});
    }
    EXPECT_EQ(steps, 3);
    EXPECT_EQ(ecs.query<Sprite>(order_by(&Sprite::depth)).ids().size(), 6u);
}

namespace {

/// Compares the order by a member with a sort of all components, during random changes. There are also `others`: entities without
/// the component.
template <class M>
void compare_with_sort(M Sprite::* member, Direction direction, std::uint32_t seed, std::size_t others = 0) {
    ECS ecs;
    ecs.add_entities(others);
    std::mt19937 random(seed);
    const auto number = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    const auto any_sprite = [&] {
        Sprite s;
        const double values[] = {0.0, -0.0, 1.5, -3.25, 1e9, -1e9, std::nan(""), static_cast<double>(number(100))};
        s.time = values[number(8)];
        s.depth = static_cast<float>(values[number(8)]);
        s.row = static_cast<std::int16_t>(random());
        s.layer = static_cast<Plane>(number(3));
        s.x = static_cast<std::int32_t>(random());
        s.y = static_cast<std::uint32_t>(random());
        s.small = static_cast<std::int8_t>(random());
        s.front = number(2) == 1;
        return s;
    };
    const auto query = ecs.query<const Sprite>(order_by(member, direction));
    Ids living;
    for (int step = 0; step < 250; ++step) {
        const std::uint32_t many = number(20) == 0 ? 200 : number(4);
        for (std::uint32_t k = 0; k < many; ++k) {
            const std::uint32_t what = number(8);
            if (what < 3 || living.empty()) living.push_back(ecs.add_entity(any_sprite()));
            else if (what < 6) ecs.add<Sprite>(living[number(static_cast<std::uint32_t>(living.size()))], any_sprite());
            else if (what < 7) ecs.remove<Sprite>(living[number(static_cast<std::uint32_t>(living.size()))]);
            else {
                const std::size_t at = number(static_cast<std::uint32_t>(living.size()));
                ecs.remove_entity(living[at]);
                ecs.remove_marked();
                living.erase(living.begin() + static_cast<std::ptrdiff_t>(at));
            }
        }
        if (number(300) == 0) {
            ecs.clear();
            living.clear();
        }
        Ids expected;
        ecs.query<const Sprite>().each([&](Entity e, const Sprite&) { expected.push_back(e); });
        std::sort(expected.begin(), expected.end(), [](Entity a, Entity b) { return index_of(a) < index_of(b); });
        std::stable_sort(expected.begin(), expected.end(), [&](Entity a, Entity b) {
            const M x = ecs.get<Sprite>(a).*member;
            const M y = ecs.get<Sprite>(b).*member;
            if (x != x || y != y) return x == x && y != y;
            return direction == Direction::ascending ? x < y : y < x;
        });
        ASSERT_EQ(query.ids(), expected) << "step " << step;
    }
}

}  // namespace

TEST(SortedModel, Q10_the_order_equals_a_sort_after_random_changes) {
    for (const Direction d : {Direction::ascending, Direction::descending}) {
        compare_with_sort(&Sprite::depth, d, 1);
        compare_with_sort(&Sprite::time, d, 2);
        compare_with_sort(&Sprite::row, d, 3);
        compare_with_sort(&Sprite::layer, d, 4);
        compare_with_sort(&Sprite::x, d, 5);
        compare_with_sort(&Sprite::y, d, 6);
        compare_with_sort(&Sprite::small, d, 7);
        compare_with_sort(&Sprite::front, d, 8);
    }
}

TEST(SortedModel, Q10_the_order_of_few_entities_among_many_equals_a_sort) {
    compare_with_sort(&Sprite::time, Direction::ascending, 9, 20'000);
    compare_with_sort(&Sprite::layer, Direction::descending, 10, 20'000);
}
