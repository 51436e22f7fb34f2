// Sorting the components of a class (rule T6).
#include <algorithm>
#include <map>
#include <random>
#include <stdexcept>

#include "world.hpp"

using namespace test;

namespace {

constexpr auto by_x = [](const Position& a, const Position& b) { return a.x < b.x; };

struct Sorting : testing::Test {
    ECS ecs;
    Ids all = ecs.add_entities(6);
    /// The entities have these values, in the order of creation. y is the number of the entity.
    void set_up(std::initializer_list<float> xs) {
        std::size_t i = 0;
        for (const float x : xs) {
            ecs.add<Position>(all[i], {x, static_cast<float>(i)});
            ++i;
        }
    }
    [[nodiscard]] Ids list(std::initializer_list<std::size_t> numbers) const {
        Ids ids;
        for (const std::size_t i : numbers) ids.push_back(all[i]);
        return ids;
    }
    [[nodiscard]] Ids order() { return copy(ecs.storage<Position>().entities()); }
    void expect_own_values() {
        const auto& positions = ecs.storage<Position>();
        for (std::uint32_t slot = 0; slot < positions.count(); ++slot) {
            const Entity e = positions.entities()[slot];
            EXPECT_EQ(positions.slot(e), slot);
            EXPECT_EQ(all[static_cast<std::size_t>(positions.at(slot).y)], e);
        }
    }
};

}  // namespace

TEST_F(Sorting, T6_components_are_sorted_by_their_values_and_equal_ones_keep_their_order) {
    set_up({3, 1, 2, 1, 3, 0});
    ecs.sort<Position>(by_x);
    EXPECT_EQ(order(), list({5, 1, 3, 2, 0, 4}));
    expect_own_values();
    ecs.sort<Position>([](const auto& a, const auto& b) { return a.x > b.x; });  // could not compare entities
    EXPECT_EQ(order(), list({0, 4, 2, 1, 3, 5}));
    expect_own_values();
}

TEST_F(Sorting, T6_components_and_tags_are_sorted_by_their_entities) {
    set_up({3, 1, 2});
    for (const std::size_t i : {2u, 0u, 1u}) ecs.add<Tag>(all[i]);
    ecs.sort<Position>([](Entity a, Entity b) { return b < a; });
    EXPECT_EQ(order(), list({2, 1, 0}));
    const auto& positions = ecs.storage<Position>();
    ecs.sort<Tag>([&](Entity a, Entity b) { return positions.slot(a) < positions.slot(b); });
    EXPECT_EQ(copy(ecs.storage<Tag>().entities()), order());
}

TEST_F(Sorting, T6_Q1_loops_over_queries_follow_the_order_of_the_rarest_class) {
    set_up({3, 1, 2, 0});
    for (const Entity e : all) ecs.add<Velocity>(e);
    ecs.sort<Position>(by_x);
    const auto query = ecs.query<Velocity, const Position>();
    EXPECT_EQ(query.ids(), list({3, 1, 2, 0}));
    Ids visited;
    for (auto [e, velocity, position] : query) {
        visited.push_back(e);
        EXPECT_EQ(&position, ecs.try_get<Position>(e));
    }
    EXPECT_EQ(visited, query.ids());
    ecs.remove<Position>(all[3]);  // the last one fills the gap
    ecs.add<Position>(all[4], {-1, 4});
    EXPECT_EQ(order(), list({0, 1, 2, 4}));
    expect_own_values();
}

TEST_F(Sorting, T6_components_that_are_sorted_already_do_not_move) {
    set_up({1, 1, 2, 3});
    const std::uint32_t version = ecs.storage<Position>().control().version;
    ecs.sort<Position>(by_x);
    ecs.sort<Health>([](const Health&, const Health&) { return true; });  // there is none
    EXPECT_EQ(ecs.storage<Position>().control().version, version);
    set_up({5});
    ecs.sort<Position>(by_x);
    EXPECT_NE(ecs.storage<Position>().control().version, version);
}

TEST(SortingRandom, T6_any_order_equals_that_of_a_sorted_list) {
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        ECS ecs;
        std::vector<std::pair<int, Entity>> expected;
        for (const Entity e : ecs.add_entities(random() % 40)) {
            const int value = static_cast<int>(random() % 10);
            ecs.add(e, Name{"a text that is too long for a short string " + std::to_string(value)});
            expected.push_back({value, e});
        }
        std::stable_sort(expected.begin(), expected.end(), [](auto& a, auto& b) { return a.first < b.first; });
        ecs.sort<Name>([](const Name& a, const Name& b) { return a.text < b.text; });
        const auto& names = ecs.storage<Name>();
        ASSERT_EQ(names.count(), expected.size());
        for (std::uint32_t slot = 0; slot < names.count(); ++slot) {
            EXPECT_EQ(names.entities()[slot], expected[slot].second);
            EXPECT_EQ(names.slot(expected[slot].second), slot);
            EXPECT_EQ(names.at(slot).text.back(), '0' + expected[slot].first);
        }
    }
}

TEST_F(Sorting, T6_D2_nothing_signals_and_queued_marks_count_for_their_entities) {
    set_up({3, 1, 2});
    auto& system = ecs.add_system<Spy<Requires<Position>, Watches<Position>>>(0);
    ecs.update();
    queue_mark(ecs, component_id<Position>(), all[0]);
    ecs.sort<Position>(by_x);
    EXPECT_EQ(system.dirty(), list({0}));
    queue_mark(ecs, component_id<Position>(), all[1]);
    EXPECT_EQ(iterate(system.dirty_set()), list({0, 1}));
}

TEST_F(Sorting, T6_flags_of_objects_move_with_their_components) {
    set_up({3, 1, 2});
    ecs.by_id().add(all[2], component_id<Position>(), nullptr, Storage::HAS_OBJECT);
    ecs.modify<Position>(all[2], [](Position& p) { p.x = 2; });
    ecs.sort<Position>(by_x);
    const auto& positions = ecs.storage<Position>();
    EXPECT_EQ(order(), list({1, 2, 0}));
    for (std::uint32_t slot = 0; slot < 3; ++slot) EXPECT_EQ(positions.has_object(slot), slot == 1);
}

TEST_F(Sorting, T6_the_world_takes_part) {
    set_up({3, 1});
    ecs.add<Position>(ecs.world(), {2, 0});
    ecs.sort<Position>(by_x);
    EXPECT_EQ(order(), (Ids{all[1], ecs.world(), all[0]}));
}

TEST_F(Sorting, T6_a_linear_class_and_one_that_is_iterated_cannot_be_sorted) {
    set_up({3, 1, 2});
    ecs.add<Velocity>(all[0]);
    ecs.add<Indexed>(all[0]);
    const auto sort = [&] { ecs.sort<Position>(by_x); };
    EXPECT_ERROR(ecs.sort<Indexed>([](const Indexed& a, const Indexed& b) { return a.value < b.value; }),
                 ErrorCode::bad_argument);
    int loops = 0;
    for ([[maybe_unused]] auto row : ecs.query<Position>()) {
        ++loops;
        EXPECT_ERROR(sort(), ErrorCode::bad_argument);
    }
    ecs.storage<Position>().each([&](Entity) {
        ++loops;
        EXPECT_ERROR(sort(), ErrorCode::bad_argument);
    });
    ecs.add_system<Spy<Requires<Position>>>(0, [&](Recorder& r) {
        r.at_add = [&](Aspect&) {
            ++loops;
            EXPECT_ERROR(sort(), ErrorCode::bad_argument);
        };
    });
    EXPECT_EQ(loops, 9);
    EXPECT_EQ(order(), list({0, 1, 2}));
    for (auto [e, position, velocity] : ecs.query<Position, Velocity>()) {  // iterates the velocities
        sort();
        EXPECT_EQ(ecs.get<Position>(e).x, 3);
    }
    EXPECT_EQ(order(), list({1, 2, 0}));
    sort();  // no iteration is left
}

TEST_F(Sorting, T6_a_function_that_throws_or_changes_the_components_changes_nothing_else) {
    set_up({3, 1, 2});
    EXPECT_THROW(ecs.sort<Position>([](const Position&, const Position&) -> bool { throw Oops("comparison"); }), Oops);
    EXPECT_EQ(order(), list({0, 1, 2}));
    const auto add = [&](const Position& a, const Position& b) {
        const bool less = a.x < b.x;
        ecs.add<Position>(ecs.add_entity(), {0, 0});
        return less;
    };
    EXPECT_ERROR(ecs.sort<Position>(add), ErrorCode::bad_argument);
    EXPECT_EQ(order().size(), 4u);
    const auto clear = [&](Entity, Entity) { return ecs.clear(), true; };
    EXPECT_ERROR(ecs.sort<Position>(clear), ErrorCode::bad_argument);
    EXPECT_TRUE(order().empty());
    set_up({});
    all = ecs.add_entities(2);
    set_up({2, 1});
    const auto nested = [&](const Position& a, const Position& b) {
        const bool less = a.x < b.x;
        ecs.sort<Position>([](const Position& c, const Position& d) { return c.x < d.x; });
        return less;
    };
    EXPECT_ERROR(ecs.sort<Position>(nested), ErrorCode::bad_argument);
    EXPECT_EQ(order(), list({1, 0}));
}

TEST_F(Sorting, T6_a_function_that_leaves_an_iteration_over_the_components_open_changes_nothing) {
    set_up({3, 1, 2});
    const auto query = ecs.query<Position>();
    auto open = std::optional(query.begin());
    open.reset();
    const auto begins = [&](const Position& a, const Position& b) {
        if (!open) open.emplace(query.begin());
        return a.x < b.x;
    };
    EXPECT_ERROR(ecs.sort<Position>(begins), ErrorCode::bad_argument);
    EXPECT_EQ(order(), list({0, 1, 2}));
    EXPECT_EQ(std::get<0>(**open), all[0]);
    open.reset();
    ecs.sort<Position>(by_x);
    EXPECT_EQ(order(), list({1, 2, 0}));
}

TEST_F(Sorting, T6_S6_callbacks_can_sort) {
    set_up({3, 1, 2});
    auto& system = ecs.add_system<Spy<Requires<Position>>>(0);
    system.at_add = [&](Aspect& aspect) {
        ecs.sort<Position>(by_x);
        EXPECT_EQ(aspect.get<Position>().x, 0);
    };
    system.at_remove = [&](Aspect& aspect) {
        ecs.sort<Position>([](const Position& a, const Position& b) { return a.x > b.x; });
        EXPECT_EQ(aspect.get<Position>().x, 0);
    };
    ecs.add<Position>(all[3], {0, 3});
    EXPECT_EQ(order(), list({3, 1, 2, 0}));
    ecs.remove<Position>(all[3]);
    EXPECT_EQ(order(), list({0, 2, 1}));
    system.at_update = [&](double, auto& entities, auto&) {
        for ([[maybe_unused]] auto row : entities) ecs.sort<Position>(by_x);  // iterates the entities of the system
    };
    ecs.update();
    EXPECT_EQ(order(), list({1, 2, 0}));
    ecs.modify<Position>(all[1], [&](Position& p) {
        p.x = 9;
        ecs.sort<Position>(by_x);
    });
    EXPECT_EQ(order(), list({2, 0, 1}));
    expect_own_values();
}

TEST_F(Sorting, T6_the_addition_of_a_system_iterates_the_storage) {
    struct Sorter final : System<> {
        Sorter() { require<Position>(); }
        void on_add(Aspect&) override { ecs().sort<Position>(by_x); }
    };
    set_up({3, 1, 2});
    EXPECT_ERROR(ecs.add_system<Sorter>(0), ErrorCode::bad_argument);
    EXPECT_EQ(order(), list({0, 1, 2}));
    ecs.remove<Position>(all[1]);
    ecs.add<Position>(all[1], {9, 1});
    EXPECT_EQ(order(), list({2, 0, 1}));
    expect_own_values();
}

#ifndef NDEBUG
TEST_F(Sorting, T6_Q9_a_function_that_each_calls_cannot_sort) {
    set_up({3, 1});
    const auto message = [](auto&& call) -> std::string {
        try {
            call();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::bad_argument);
            return error.what();
        }
        return {};
    };
    const std::string rest =
        ": the function added, replaced, removed or sorted components of Position, which this loop does not allow; use "
        "a "
        "range-for loop over the query, and sort outside of the loop";
    EXPECT_EQ(message([&] { ecs.each<Position>([&](const Position&) { ecs.sort<Position>(by_x); }); }), "each" + rest);
    set_up({1, 3});
    EXPECT_EQ(message([&] { ecs.query<Position>().change([&](Position&) { ecs.sort<Position>(by_x); }); }),
              "change" + rest);
}
#endif
