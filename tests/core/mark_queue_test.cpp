// Marks that a language binding appends in memory have the same effect as immediate ones (rules D2, D9).
#include "crateful/detail/mark_queue.hpp"

#include "world.hpp"

using namespace test;

namespace {

using TwoWatched = Spy<Requires<Position>, Watches<Position, Velocity>>;

/// Marks a component as a language binding does, without entering the core.
template <class T>
void queue(ECS& ecs, Entity e) {
    queue_mark(ecs, component_id<T>(), e);
}

/// A queue that is drained into one dirty set.
struct Drain final : MarkDrain {
    void drain_queue() override {
        for (const Mark& m : marks_.drain()) dirty->mark(id(m.first));
    }
    /// Appends a mark in memory, as a language binding does. Every entity has the slot of its index.
    void append(Entity e) { marks_.append({0, index_of(e), index_of(e) + 1}); }
    DirtySet* dirty = nullptr;
};

struct QueuedMarks : testing::Test {
    ECS ecs;
    Recorder& spy = ecs.add_system<TwoWatched>(0);
    Ids all = ecs.add_entities(5);
    QueuedMarks() {
        for (const Entity e : all) {
            ecs.add<Position>(e);
            ecs.add<Velocity>(e);
        }
        ecs.update();
    }
};

}  // namespace

TEST(MarkQueue, D2_draining_returns_the_marks_in_order_and_empties_the_queue) {
    MarkQueue queue;
    const auto& control = queue.control();
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(control.end - control.next, std::ptrdiff_t{MarkQueue::CAPACITY});
    queue.append({3, 7, 9});
    queue.append({1, 8, 9});
    const auto all = queue.drain();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].component, 3u);
    EXPECT_EQ(all[0].first, 7u);
    EXPECT_EQ(all[0].end, 9u);
    EXPECT_EQ(all[1].component, 1u);
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(control.last.component, MarkQueue::NO_COMPONENT);
    EXPECT_TRUE(queue.drain().empty());
}

TEST_F(QueuedMarks, D9_a_mark_of_several_slots_signals_for_each_in_their_order) {
    ecs.by_id().marks().append({component_id<Velocity>(), 3, 4});
    ecs.by_id().marks().append({component_id<Position>(), 1, 5});
    EXPECT_EQ(spy.dirty(), (Ids{all[3], all[1], all[2], all[4]}));
}

TEST(MarkQueue, D2_every_call_that_reads_the_set_drains_the_queue) {
    Drain drain;
    DirtySet dirty;
    drain.dirty = &dirty;
    dirty.connect(drain);
    drain.append(id(1));
    EXPECT_EQ(dirty.size(), 1u);
    drain.append(id(2));
    EXPECT_TRUE(dirty.contains(id(2)));
    drain.append(id(3));
    EXPECT_EQ(dirty.ids().size(), 3u);
    drain.append(id(4));
    EXPECT_EQ(iterate(dirty), (Ids{id(1), id(2), id(3), id(4)}));
}

TEST(MarkQueue, D7_an_iteration_visits_an_entity_whose_mark_is_queued_at_its_end) {
    Drain drain;
    DirtySet dirty;
    drain.dirty = &dirty;
    dirty.connect(drain);
    dirty.mark(id(1));
    dirty.begin_run();
    Ids visited;
    for (const Entity e : dirty) {
        visited.push_back(e);
        if (e == id(1)) drain.append(id(2));
        if (e == id(2)) drain.append(id(3));
    }
    EXPECT_EQ(visited, (Ids{id(1), id(2), id(3)}));
    dirty.end_run();
    EXPECT_TRUE(dirty.empty());
}

TEST_F(QueuedMarks, D2_a_queued_mark_signals) {
    queue<Position>(ecs, all[2]);
    queue<Velocity>(ecs, all[2]);
    queue<Position>(ecs, all[0]);
    EXPECT_EQ(spy.dirty(), (Ids{all[2], all[0]}));
    EXPECT_TRUE(ecs.by_id().marks().empty());
    ecs.update();
    EXPECT_EQ(spy.dirty_at_update, (Ids{all[2], all[0]}));
}

TEST_F(QueuedMarks, D9_queued_and_immediate_marks_are_in_the_order_of_the_calls) {
    queue<Position>(ecs, all[4]);
    ecs.dirty<Velocity>(all[1]);
    queue<Position>(ecs, all[3]);
    ecs.add<Position>(all[2], {1, 1});
    queue<Velocity>(ecs, all[0]);
    EXPECT_EQ(spy.dirty(), (Ids{all[4], all[1], all[3], all[2], all[0]}));
}

TEST_F(QueuedMarks, D9_queued_marks_and_newly_tracked_entities_are_in_the_order_of_the_calls) {
    queue<Position>(ecs, all[4]);
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e);
    queue<Position>(ecs, all[0]);
    const Entity f = ecs.add_entity();
    ecs.add<Velocity>(f);
    ecs.add<Position>(f);
    EXPECT_EQ(spy.dirty(), (Ids{all[4], e, all[0], f}));
}

TEST_F(QueuedMarks, D9_queued_marks_and_removed_components_are_in_the_order_of_the_calls) {
    queue<Position>(ecs, all[4]);
    ecs.remove<Velocity>(all[1]);
    EXPECT_EQ(spy.dirty(), (Ids{all[4], all[1]}));
}

TEST_F(QueuedMarks, D4_a_disabled_system_keeps_queued_marks) {
    ecs.disable_system(spy);
    queue<Position>(ecs, all[3]);
    ecs.update();
    queue<Position>(ecs, all[1]);
    ecs.update();
    ecs.enable_system(spy);
    ecs.update();
    EXPECT_EQ(spy.dirty_at_update, (Ids{all[3], all[1]}));
}

TEST_F(QueuedMarks, D6_a_queued_mark_is_discarded_when_its_component_is_removed) {
    queue<Position>(ecs, all[1]);
    ecs.remove<Position>(all[1]);
    EXPECT_TRUE(spy.dirty().empty());
    queue<Velocity>(ecs, all[2]);
    ecs.remove<Velocity>(all[2]);
    EXPECT_EQ(spy.dirty(), Ids{all[2]}) << "it stays tracked";
}

TEST_F(QueuedMarks, D6_a_mark_queued_during_the_removal_of_its_entity_is_discarded) {
    spy.at_remove = [&](Aspect& a) {
        queue<Position>(ecs, a.entity());
        queue<Velocity>(ecs, a.entity());
    };
    ecs.remove_entity(all[0]);
    ecs.update();
    EXPECT_TRUE(spy.dirty().empty());
    spy.at_remove = [&](Aspect& a) { queue<Velocity>(ecs, a.entity()); };
    ecs.remove<Position>(all[1]);
    EXPECT_TRUE(spy.dirty().empty());
    ecs.clear();
    EXPECT_TRUE(spy.dirty().empty());
    for (const Entity e : ecs.add_entities(1100)) ecs.add<Position>(e);
    EXPECT_EQ(spy.dirty().size(), 1100u);
}

TEST_F(QueuedMarks, D7_marks_queued_in_the_own_update_are_visited_or_stay) {
    queue<Position>(ecs, all[0]);
    spy.at_update = [&](double, auto&, DirtySet& dirty) {
        Ids visited;
        for (const Entity e : dirty) {
            visited.push_back(e);
            if (e == all[0]) queue<Position>(ecs, all[1]);
        }
        EXPECT_EQ(visited, (Ids{all[0], all[1]}));
        queue<Position>(ecs, all[0]);  // was visited
        queue<Velocity>(ecs, all[2]);  // is not visited
    };
    ecs.update();
    EXPECT_EQ(spy.dirty(), Ids{all[2]});
}

TEST_F(QueuedMarks, D8_marks_queued_by_an_earlier_system_are_visible_in_this_frame) {
    auto& early = ecs.add_system<Spy<Requires<Position>>>(-1);
    auto& late = ecs.add_system<Spy<Requires<Position>>>(1);
    early.at_update = [&](double, auto&, auto&) { queue<Position>(ecs, all[0]); };
    late.at_update = [&](double, auto&, auto&) { queue<Position>(ecs, all[1]); };
    ecs.update();
    EXPECT_EQ(spy.dirty_at_update, Ids{all[0]});
    ecs.update();
    EXPECT_EQ(spy.dirty_at_update, (Ids{all[1], all[0]}));
}

TEST_F(QueuedMarks, D5_a_system_added_after_the_mark_has_the_entity_once_in_tracking_order) {
    queue<Position>(ecs, all[3]);
    auto& late = ecs.add_system<TwoWatched>(1);
    EXPECT_EQ(late.dirty(), all);
    EXPECT_EQ(spy.dirty(), Ids{all[3]});
}

TEST_F(QueuedMarks, D3_a_mark_queued_before_the_entity_is_tracked_has_no_effect) {
    auto& both = ecs.add_system<Spy<Requires<Health, Position>, Watches<Position>>>(1);
    queue<Position>(ecs, all[2]);
    ecs.add<Health>(all[1]);
    ecs.add<Health>(all[2]);
    EXPECT_EQ(both.dirty(), (Ids{all[1], all[2]})) << "in the order in which the system started to track them";
}

TEST_F(QueuedMarks, D11_a_queued_mark_causes_an_update) {
    auto& lazy = ecs.add_system<TwoWatched>(1, [](Recorder& r) { r.only_when_dirty(); });
    ecs.update();
    EXPECT_EQ(lazy.updates, 1);
    ecs.update();
    EXPECT_EQ(lazy.updates, 1);
    queue<Position>(ecs, all[0]);
    ecs.update();
    EXPECT_EQ(lazy.updates, 2);
}

TEST_F(QueuedMarks, D2_the_queued_flag_moves_with_its_component) {
    queue<Position>(ecs, all[4]);
    ecs.remove<Position>(all[0]);
    EXPECT_EQ(spy.dirty(), Ids{all[4]});
    ecs.update();
    queue<Position>(ecs, all[4]);
    EXPECT_EQ(spy.dirty(), Ids{all[4]});
}

TEST_F(QueuedMarks, D2_more_marks_than_the_capacity_are_all_kept) {
    const Ids many = ecs.add_entities(MarkQueue::CAPACITY * 2 + 10);
    const Position origin;
    ecs.add<Position>(many, std::span(&origin, 1));
    ecs.update();
    for (const Entity e : many) queue<Position>(ecs, e);
    EXPECT_EQ(spy.dirty(), many);
}

TEST_F(QueuedMarks, D2_a_mark_queued_during_a_removal_is_kept_although_its_value_moves) {
    spy.at_remove = [&](Aspect&) { queue<Position>(ecs, all[4]); };  // its value then moves into the gap
    ecs.remove_entity(all[0]);
    ecs.update();
    EXPECT_EQ(spy.dirty(), Ids{all[4]});
    ecs.update();
    queue<Position>(ecs, all[4]);
    EXPECT_EQ(spy.dirty(), Ids{all[4]});
}

// A list may be the memory of a set that grows during the call. The address sanitizer detects the use of freed memory.
TEST_F(QueuedMarks, D2_the_list_of_a_dirty_set_can_be_passed_to_a_call_that_makes_the_set_grow) {
    const Ids many = ecs.add_entities(500);
    const Position origin;
    ecs.add<Position>(many, std::span(&origin, 1));
    ecs.add<Velocity>(many, std::vector<Velocity>(1));
    auto& other = ecs.add_system<TwoWatched>(1);
    ecs.update();
    struct Fresh {};
    for (const std::size_t first : {std::size_t{1}, std::size_t{2}}) {  // a list of one entity is a special case
        auto& fresh = ecs.add_system<Spy<Requires<Velocity>, Watches<Position>>>(2);
        ecs.update();
        for (std::size_t i = 0; i < first; ++i) ecs.dirty<Position>(many[i]);
        const std::span<const Entity> list = fresh.dirty_set().ids();
        for (std::size_t i = first; i < many.size(); ++i) queue<Position>(ecs, many[i]);
        ecs.dirty<Velocity>(list);
        EXPECT_EQ(fresh.dirty(), many);
        ecs.update();

        for (std::size_t i = 0; i < first; ++i) ecs.dirty<Position>(many[i]);
        const std::span<const Entity> again = other.dirty_set().ids();
        for (const Entity e : many) queue<Position>(ecs, e);
        ecs.add<Fresh>(again, std::vector<Fresh>(1));
        EXPECT_TRUE(ecs.has<Fresh>(many[0]));
        ecs.remove<Fresh>(many);
        ecs.update();
    }
}
