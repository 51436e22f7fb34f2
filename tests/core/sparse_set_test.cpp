#include "crateful/detail/sparse_set.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <utility>

#include "world.hpp"

using namespace test;

namespace {

Ids filled(SparseSet& set, std::uint32_t n) {
    for (std::uint32_t i = 0; i < n; ++i) set.insert(id(i));
    return copy(set.entities());
}

}  // namespace

TEST(SparseSet, T1_elements_are_contiguous_in_the_order_of_insertion) {
    SparseSet set;
    EXPECT_TRUE(set.empty());
    EXPECT_EQ(set.insert(id(5000)), 0u);
    EXPECT_EQ(set.insert(id(3)), 1u);
    EXPECT_EQ(set.slot(id(3)), 1u);
    EXPECT_EQ(copy(set.entities()), (Ids{id(5000), id(3)}));
    EXPECT_FALSE(set.contains(id(4)));
    EXPECT_FALSE(set.contains(id(1'000'000)));
    EXPECT_FALSE(set.contains(NONE));
}

TEST(SparseSet, T2_erasing_moves_the_last_element_into_the_gap) {
    SparseSet set;
    filled(set, 4);
    EXPECT_TRUE(set.erase(id(1)));
    EXPECT_FALSE(set.erase(id(1)));
    EXPECT_EQ(copy(set.entities()), (Ids{id(0), id(3), id(2)}));
    EXPECT_EQ(set.slot(id(3)), 1u);
}

TEST(SparseSet, S14_erasing_in_order_keeps_the_order_of_the_others) {
    SparseSet set;
    filled(set, 6);
    EXPECT_TRUE(set.erase_in_order(id(1)));
    EXPECT_FALSE(set.erase_in_order(id(1)));
    EXPECT_TRUE(set.erase_in_order(id(5)));
    EXPECT_EQ(copy(set.entities()), (Ids{id(0), id(2), id(3), id(4)}));
    for (std::uint32_t i = 0; i < set.size(); ++i) EXPECT_EQ(set.slot(set[i]), i);
    EXPECT_TRUE(set.erase_in_order(id(0)));
    set.insert(id(1));
    EXPECT_EQ(copy(set.entities()), (Ids{id(2), id(3), id(4), id(1)}));
}

TEST(SparseSet, T4_borrowed_positions_are_given_back_before_elements_move) {
    // Sets its position to that behind the element that it is at.
    struct Counting : IterationPosition {
        const SparseSet* set = nullptr;
        Entity at = id(2);
        int times = 0;
    } position;
    position.give_back = [](IterationPosition& p) {
        auto& self = static_cast<Counting&>(p);
        ++self.times;
        if (self.set->contains(self.at)) self.position = self.set->slot(self.at) + 1;
    };
    {
        SparseSet set;
        filled(set, 8);
        set.reserve(id(9), 16);
        position.set = &set;
        set.link(position);
        const auto given_back = [&] {
            position.borrowed = 1;
            return std::exchange(position.times, 0);
        };
        given_back();
        set.insert(id(9));
        EXPECT_EQ(given_back(), 0);
        set.reserve(id(9), 1000);
        EXPECT_EQ(given_back(), 1) << "the memory of the elements has moved";
        set.erase(id(0));  // a visited element: the one at the position moves into the gap
        EXPECT_EQ(copy(set.entities()).front(), id(2));
        EXPECT_EQ(position.position, 2u) << "3 when it was given back, one of which was erased";
        EXPECT_EQ(given_back(), 1);
        set.erase_in_order(id(6));
        EXPECT_EQ(position.position, 1u);
        EXPECT_EQ(given_back(), 1);
        set.erase_front(1);
        EXPECT_EQ(position.position, 0u);
        EXPECT_EQ(given_back(), 1);
        position.borrowed = 0;
        set.erase(id(3));
        EXPECT_EQ(given_back(), 0) << "it is not borrowed";
    }
    EXPECT_EQ(position.times, 1) << "the set was destroyed";
}

TEST(SparseSet, T6_N2_iterations_of_a_language_binding_that_may_be_abandoned_can_be_ended) {
    SparseSet set;
    filled(set, 8);
    IterationPosition begun;
    begun.position = begun.begun = 1;
    begun.end = 8;
    set.link(begun);
    EXPECT_FALSE(set.iterating());
    IterationPosition started;
    started.position = 2;
    started.end = 8;
    set.link(started);
    EXPECT_TRUE(set.iterating());
    set.end_begun();
    EXPECT_EQ(begun.position, 0u);
    EXPECT_EQ(begun.end, 0u);
    EXPECT_EQ(started.position, 2u);
    EXPECT_EQ(started.end, 8u);
    set.unlink(begun);
    set.unlink(started);
}

TEST(SparseSet, T2_each_move_is_reported_so_that_values_can_be_moved_too) {
    SparseSet set;
    std::vector<std::uint32_t> values;
    for (const Entity e : filled(set, 10)) values.push_back(static_cast<std::uint32_t>(e));
    auto outer = set.each();
    auto inner = set.each();
    Entity e = NONE;
    for (int i = 0; i < 7; ++i) ASSERT_TRUE(outer.next(e));
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(inner.next(e));
    for (const std::uint32_t erased : {1u, 9u, 5u, 0u}) {
        set.erase_at(id(erased), set.slot(id(erased)),
                     [&](std::uint32_t from, std::uint32_t to) { values[to] = values[from]; });
        values.pop_back();
        for (std::uint32_t i = 0; i < set.size(); ++i) EXPECT_EQ(static_cast<std::uint32_t>(set[i]), values[i]);
    }
}

TEST(SparseSet, E2_another_generation_of_an_index_is_another_element) {
    SparseSet set;
    set.insert(make_entity(7, 1));
    EXPECT_FALSE(set.contains(make_entity(7, 0)));
    EXPECT_FALSE(set.erase(make_entity(7, 2)));
    EXPECT_TRUE(set.contains(make_entity(7, 1)));
}

TEST(SparseSet, E2_entities_with_the_last_generation_are_found_only_if_they_are_in_the_set) {
    SparseSet set;
    set.insert(id(1));
    EXPECT_FALSE(set.contains(make_entity(2, ENTITY_LAST_GENERATION)));  // all bits of its entry are set
    EXPECT_FALSE(set.contains(NONE));
    set.insert(make_entity(2, ENTITY_LAST_GENERATION));
    EXPECT_EQ(set.slot(make_entity(2, ENTITY_LAST_GENERATION)), 1u);
    EXPECT_FALSE(set.contains(make_entity(2, ENTITY_LAST_GENERATION - 1)));
}

TEST(SparseSet, T1_after_reserving_inserting_does_not_allocate) {
    SparseSet set;
    for (std::uint32_t i = 0; i < 3000; ++i) set.reserve(id(i), 3000);
    const Entity* dense = set.control().dense;
    const std::size_t bytes = set.bytes();
    filled(set, 3000);
    EXPECT_EQ(set.control().dense, dense);
    EXPECT_EQ(set.bytes(), bytes);
}

TEST(SparseSet, T2_only_pages_with_elements_need_memory) {
    SparseSet low;
    SparseSet high;
    low.insert(id(0));
    high.insert(id(4'000'000));
    EXPECT_LT(high.bytes(), low.bytes() + 4'000'000 / SparseSet::ENTRIES_PER_PAGE * 2 * sizeof(void*));
}

TEST(SparseSet, X2_pages_do_not_move_when_the_set_grows) {
    SparseSet set;
    set.insert(id(0));
    const std::uint32_t* first = set.control().pages[0];
    for (std::uint32_t i = 1; i < 100'000; ++i) set.insert(id(i));
    EXPECT_EQ(set.control().pages[0], first);
    EXPECT_EQ(set.control().size, 100'000u);
    EXPECT_EQ(set.control().dense[99'999], id(99'999));
}

TEST(SparseSet, D9_erasing_the_front_keeps_the_order_of_the_rest) {
    SparseSet set;
    filled(set, 6);
    set.erase_front(2);
    EXPECT_EQ(copy(set.entities()), (Ids{id(2), id(3), id(4), id(5)}));
    EXPECT_FALSE(set.contains(id(0)));
    EXPECT_EQ(set.slot(id(5)), 3u);
    set.erase_front(0);
    EXPECT_EQ(set.size(), 4u);
    set.erase_front(4);
    EXPECT_TRUE(set.empty());
}

TEST(SparseSet, T4_erasing_the_front_keeps_the_position_of_iterations) {
    SparseSet set;
    filled(set, 6);
    auto ahead = set.each();
    auto behind = set.each();
    Entity e = NONE;
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(ahead.next(e));
    ASSERT_TRUE(behind.next(e));
    set.erase_front(3);
    ASSERT_TRUE(ahead.next(e));
    EXPECT_EQ(e, id(4));
    ASSERT_TRUE(behind.next(e));
    EXPECT_EQ(e, id(3)) << "1 and 2 were erased before they were visited";
}

TEST(SparseSet, T4_removing_the_current_element_skips_nothing) {
    SparseSet set;
    const Ids all = filled(set, 100);
    Ids visited;
    auto iteration = set.each();
    for (Entity e; iteration.next(e);) {
        visited.push_back(e);
        set.erase(e);
    }
    EXPECT_EQ(std::set(visited.begin(), visited.end()), std::set(all.begin(), all.end()));
    EXPECT_EQ(visited.size(), 100u);
    EXPECT_TRUE(set.empty());
}

TEST(SparseSet, T4_removing_visited_elements_causes_no_repetition_and_no_skip) {
    SparseSet set;
    filled(set, 100);
    std::map<Entity, int> visits;
    Entity previous = NONE;
    auto iteration = set.each();
    for (Entity e; iteration.next(e);) {
        ++visits[e];
        set.erase(previous);
        previous = e;
    }
    EXPECT_EQ(visits.size(), 100u);
    for (const auto& [e, n] : visits) EXPECT_EQ(n, 1) << to_string(e);
}

TEST(SparseSet, T4_elements_added_meanwhile_are_not_visited) {
    SparseSet set;
    filled(set, 3);
    Ids visited;
    auto iteration = set.each();
    for (Entity e; iteration.next(e);) {
        visited.push_back(e);
        set.insert(id(set.size() + 10));
        if (e == id(0)) set.erase(id(2));  // the added one must not get its place
    }
    EXPECT_EQ(visited, (Ids{id(0), id(1)}));
    EXPECT_EQ(set.size(), 4u);
}

TEST(SparseSet, T4_an_element_that_is_removed_and_added_again_counts_as_added) {
    for (const bool in_order : {false, true}) {
        SparseSet set;
        filled(set, 4);
        Ids visited;
        auto iteration = set.each();
        for (Entity e; iteration.next(e);) {
            visited.push_back(e);
            if (in_order) set.erase_in_order(id(1));
            else set.erase(id(1));
            set.insert(id(1));
        }
        EXPECT_EQ(std::set(visited.begin(), visited.end()), (std::set{id(0), id(2), id(3)})) << in_order;
        EXPECT_EQ(visited.size(), 3u);
    }
}

TEST(SparseSet, T4_after_clear_an_iteration_visits_nothing_more) {
    SparseSet set;
    filled(set, 4);
    auto iteration = set.each();
    Entity e = NONE;
    ASSERT_TRUE(iteration.next(e));
    set.clear();
    filled(set, 4);
    EXPECT_FALSE(iteration.next(e));
}

TEST(SparseSet, D7_an_unlimited_iteration_at_the_end_continues_when_elements_are_added) {
    SparseSet set;
    SparseSet::Iteration iteration(set, IterationPosition::UNLIMITED);
    Entity e = NONE;
    EXPECT_FALSE(iteration.next(e));
    set.insert(id(8));
    EXPECT_TRUE(iteration.next(e));
    EXPECT_EQ(e, id(8));
    EXPECT_EQ(iteration.visited(), 1u);
}

TEST(SparseSet, T4_after_an_iteration_was_ended_early_erasing_is_a_plain_swap) {
    SparseSet set;
    filled(set, 4);
    {
        auto iteration = set.each();
        Entity e = NONE;
        ASSERT_TRUE(iteration.next(e));
        ASSERT_TRUE(iteration.next(e));
    }
    set.erase(id(0));
    EXPECT_EQ(copy(set.entities()), (Ids{id(3), id(1), id(2)})) << "the last element is moved into the gap";
}

// Several iterations at different positions, started and ended at random, compared with a model that stores for each
// iteration the elements that it must still visit.
TEST(SparseSet, T4_several_simultaneous_iterations_each_visit_exactly_the_remaining_elements) {
    struct Walk {
        explicit Walk(SparseSet& set)
            : iteration(set.each()), remaining(set.entities().begin(), set.entities().end()) {}
        SparseSet::Iteration iteration;
        std::set<Entity> remaining;
    };
    for (std::uint32_t seed = 0; seed < 25; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        const auto pick = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
        SparseSet set;
        std::set<Entity> model;
        std::list<Walk> walks;
        for (int step = 0; step < 1500; ++step) {
            const Entity e = id(pick(40) * 300);
            switch (pick(6)) {
                case 0:
                case 1:
                    if (model.insert(e).second) set.insert(e);
                    break;
                case 2:
                    ASSERT_EQ(pick(2) == 0 ? set.erase(e) : set.erase_in_order(e), model.erase(e) == 1);
                    for (Walk& walk : walks) walk.remaining.erase(e);
                    break;
                case 3:
                    if (walks.size() < 5) walks.emplace_back(set);
                    break;
                case 4:
                    if (!walks.empty() && pick(8) == 0)
                        walks.erase(std::next(walks.begin(), static_cast<std::ptrdiff_t>(
                                                                 pick(static_cast<std::uint32_t>(walks.size())))));
                    break;
                default:
                    for (Walk& walk : walks) {
                        Entity at = NONE;
                        if (!walk.iteration.next(at)) {
                            ASSERT_TRUE(walk.remaining.empty()) << "ended early";
                            continue;
                        }
                        ASSERT_TRUE(model.contains(at)) << "visited after its removal";
                        ASSERT_EQ(walk.remaining.erase(at), 1u) << "visited twice, or added meanwhile";
                    }
            }
            ASSERT_EQ(set.size(), model.size());
            for (std::uint32_t i = 0; i < set.size(); ++i) {
                ASSERT_TRUE(model.contains(set[i]));
                ASSERT_EQ(set.slot(set[i]), i);
            }
        }
    }
}

TEST(SparseSet, T2_elements_at_the_end_are_erased_without_moving_others) {
    SparseSet set;
    for (std::uint32_t i = 0; i < 6; ++i) set.insert(id(i));
    const auto erase = [&](Ids ids) { return set.erase_end(ids); };
    const Ids all = copy(set.entities());
    EXPECT_FALSE(erase({id(0)}));
    EXPECT_FALSE(erase({id(3), id(5)}));
    EXPECT_FALSE(erase({id(3), id(4), id(3)}));                       // an entity twice
    EXPECT_FALSE(erase({id(0), id(1), id(0), id(1), id(2), id(2)}));  // as long as the set
    EXPECT_EQ(copy(set.entities()), all);
    for (std::uint32_t i = 0; i < 6; ++i) EXPECT_EQ(set.slot(id(i)), i);
    EXPECT_TRUE(erase({id(4), id(5), id(4), id(9)}));
    EXPECT_EQ(copy(set.entities()), Ids(all.begin(), all.begin() + 4));
    EXPECT_FALSE(set.contains(id(4)));
    EXPECT_TRUE(erase({}));
    EXPECT_TRUE(erase(copy(set.entities())));
    EXPECT_TRUE(set.empty());
}
