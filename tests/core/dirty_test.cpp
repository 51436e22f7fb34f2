#include "crateful/dirty.hpp"

#include "world.hpp"

using namespace test;

namespace {
Ids ids_of(DirtySet& dirty) { return copy(dirty.ids()); }

}  // namespace

TEST(DirtySet, D9_the_order_is_that_of_the_first_marks) {
    DirtySet dirty;
    for (const std::uint32_t i : {5u, 2u, 9u, 2u, 5u}) dirty.mark(id(i));
    EXPECT_EQ(ids_of(dirty), (Ids{id(5), id(2), id(9)}));
    EXPECT_EQ(dirty.size(), 3u);
}

TEST(DirtySet, D9_reading_clears_nothing) {
    DirtySet dirty;
    dirty.mark(id(1));
    dirty.mark(id(2));
    EXPECT_EQ(iterate(dirty), (Ids{id(1), id(2)}));
    EXPECT_EQ(iterate(dirty), (Ids{id(1), id(2)}));
    EXPECT_TRUE(dirty.contains(id(1)));
    EXPECT_FALSE(dirty.empty());
    EXPECT_EQ(dirty.size(), 2u);
}

TEST(DirtySet, D9_a_const_dirty_set_contains_the_queued_marks) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Position>, Watches<Position>>>(0);
    const Ids all{ecs.add_entity(Position{}), ecs.add_entity(Position{}), ecs.add_entity(Position{})};
    ecs.update();
    const DirtySet& dirty = spy.dirty_set();
    EXPECT_TRUE(dirty.empty());
    queue_mark(ecs, component_id<Position>(), all[1]);
    EXPECT_EQ(dirty.size(), 1u);
    queue_mark(ecs, component_id<Position>(), all[2]);
    EXPECT_TRUE(dirty.contains(all[2]));
    queue_mark(ecs, component_id<Position>(), all[0]);
    EXPECT_EQ(copy(dirty.ids()), (Ids{all[1], all[2], all[0]}));
}

TEST(DirtySet, D9_erasing_moves_the_last_entity_into_the_gap) {
    DirtySet dirty;
    for (std::uint32_t i = 0; i < 4; ++i) dirty.mark(id(i));
    dirty.erase(id(1));
    EXPECT_EQ(ids_of(dirty), (Ids{id(0), id(3), id(2)}));
}

TEST(DirtySet, D7_a_run_clears_the_entities_at_its_start) {
    DirtySet dirty;
    dirty.mark(id(1));
    dirty.mark(id(2));
    dirty.begin_run();
    dirty.end_run();
    EXPECT_TRUE(dirty.empty());
    EXPECT_EQ(dirty.last_visited(), 2u);
}

TEST(DirtySet, D7_entities_that_were_added_and_not_visited_stay) {
    DirtySet dirty;
    dirty.mark(id(1));
    dirty.begin_run();
    dirty.mark(id(2));
    dirty.mark(id(3));
    dirty.end_run();
    EXPECT_EQ(ids_of(dirty), (Ids{id(2), id(3)}));
    dirty.begin_run();
    dirty.end_run();
    EXPECT_TRUE(dirty.empty());
}

TEST(DirtySet, D7_entities_that_an_iteration_visited_are_cleared_and_the_others_stay) {
    DirtySet dirty;
    dirty.mark(id(1));
    dirty.begin_run();
    for (const Entity e : dirty) {
        if (e == id(1)) {
            for (std::uint32_t i = 2; i <= 5; ++i) dirty.mark(id(i));
        }
        if (e == id(3)) break;
    }
    dirty.end_run();
    EXPECT_EQ(ids_of(dirty), (Ids{id(4), id(5)}));
    EXPECT_EQ(dirty.last_visited(), 3u);
}

TEST(DirtySet, D7_the_entities_at_the_start_are_cleared_even_if_an_iteration_ends_early) {
    DirtySet dirty;
    for (std::uint32_t i = 1; i <= 4; ++i) dirty.mark(id(i));
    dirty.begin_run();
    for (const Entity e : dirty) {
        dirty.mark(id(10));
        if (e == id(2)) break;
    }
    dirty.end_run();
    EXPECT_EQ(ids_of(dirty), Ids{id(10)});
}

TEST(DirtySet, D7_the_longest_of_several_iterations_determines_what_is_cleared) {
    DirtySet dirty;
    dirty.begin_run();
    for (std::uint32_t i = 1; i <= 4; ++i) dirty.mark(id(i));
    for (const Entity e : dirty) {
        if (e == id(3)) break;
    }
    for (const Entity e : dirty) {
        if (e == id(1)) break;
    }
    dirty.end_run();
    EXPECT_EQ(ids_of(dirty), Ids{id(4)});
}

TEST(DirtySet, D7_an_entity_erased_and_marked_again_during_the_run_is_new) {
    DirtySet dirty;
    for (std::uint32_t i = 1; i <= 3; ++i) dirty.mark(id(i));
    dirty.begin_run();
    dirty.erase(id(1));
    dirty.mark(id(1));
    dirty.end_run();
    EXPECT_EQ(ids_of(dirty), Ids{id(1)});
}

TEST(DirtySet, D7_after_removals_during_the_run_exactly_the_visited_entities_are_cleared) {
    DirtySet dirty;
    for (std::uint32_t i = 1; i <= 3; ++i) dirty.mark(id(i));
    dirty.begin_run();
    for (const Entity e : dirty) {
        if (e == id(1)) {
            for (std::uint32_t i = 11; i <= 14; ++i) dirty.mark(id(i));
        }
        if (e == id(11)) {
            dirty.erase(id(2));   // visited
            dirty.erase(id(13));  // not visited
            break;
        }
    }
    dirty.end_run();
    EXPECT_EQ(dirty.size(), 2u);
    EXPECT_TRUE(dirty.contains(id(12)));
    EXPECT_TRUE(dirty.contains(id(14)));
}

TEST(DirtySet, D4_a_run_that_did_not_end_clears_nothing) {
    DirtySet dirty;
    dirty.mark(id(1));
    dirty.begin_run();
    dirty.mark(id(2));
    EXPECT_EQ(iterate(dirty).size(), 2u);
    dirty.mark(id(3));
    EXPECT_EQ(ids_of(dirty), (Ids{id(1), id(2), id(3)}));
    dirty.begin_run();
    dirty.end_run();
    EXPECT_TRUE(dirty.empty());
}

TEST(DirtySet, T4_iterations_can_be_nested_with_removals_meanwhile) {
    DirtySet dirty;
    for (std::uint32_t i = 0; i < 6; ++i) dirty.mark(id(i));
    Ids outer;
    for (const Entity e : dirty) {
        outer.push_back(e);
        for (const Entity f : dirty) {
            if (f == e) break;
        }
        dirty.erase(e);
        if (e == id(0)) dirty.erase(id(5));
    }
    EXPECT_EQ(outer.size(), 5u);
    EXPECT_TRUE(dirty.empty());
}

TEST(DirtySet, D10_memory_that_a_system_no_longer_needs_is_freed) {
    DirtySet dirty;
    const auto run = [&] {
        dirty.begin_run();
        dirty.end_run();
    };
    EntityPool pool;
    Ids all;
    for (int i = 0; i < 5000; ++i) all.push_back(pool.create());
    dirty.append(all);
    const std::size_t before = dirty.set().bytes();
    run();
    EXPECT_EQ(dirty.set().bytes(), before) << "it may be needed again in the next frame";
    dirty.mark(all[7]);
    auto iteration = dirty.begin();
    for (int i = 0; i < 1000; ++i) run();
    EXPECT_EQ(dirty.set().bytes(), 0u);
    EXPECT_FALSE(dirty.contains(all[7]));
    dirty.mark(all[4000]);
    dirty.mark(all[8]);
    EXPECT_EQ(ids_of(dirty), (Ids{all[4000], all[8]}));
    ++iteration;
    EXPECT_EQ(*iteration, all[4000]) << "an iteration continues with what is added";
}

TEST(DirtySet, D10_memory_that_a_system_uses_now_and_then_is_kept) {
    DirtySet dirty;
    EntityPool pool;
    Ids all;
    for (int i = 0; i < 5000; ++i) all.push_back(pool.create());
    dirty.append(all);
    const std::size_t before = dirty.set().bytes();
    for (int i = 0; i < 1000; ++i) {
        if (i % 10 == 0) {
            for (std::size_t k = 0; k < 1000; ++k) dirty.mark(all[k]);
        }
        dirty.begin_run();
        dirty.end_run();
    }
    EXPECT_EQ(dirty.set().bytes(), before);
}
