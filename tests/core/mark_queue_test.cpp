// Marks that another language appends in memory: nobody can tell them from immediate ones (D2, D9).
#include "world.hpp"

using namespace test;

namespace {

using Watcher = Spy<Requires<Position>, Watches<Position, Velocity>>;

/// Marks a component as a language binding does, without entering the core.
template <class T>
void queue(ECS& ecs, Entity e) {
    Storage& s = ecs.storage<T>();
    std::uint8_t& flags = s.flags(s.slot(e));
    if (s.control().watchers == 0 || (flags & Storage::QUEUED) != 0) return;
    flags |= Storage::QUEUED;
    auto& control = const_cast<MarkQueue::Control&>(ecs.by_id().marks().control());
    *control.next++ = {component_id<T>(), e, s.slot(e)};
    if (control.next == control.end) ecs.by_id().drain_marks();
}

struct Marks : testing::Test {
    ECS ecs;
    Recorder& spy = ecs.add_system<Watcher>(0);
    Ids all = ecs.add_entities(5);
    Marks() {
        for (const Entity e : all) {
            ecs.add<Position>(e);
            ecs.add<Velocity>(e);
        }
        ecs.update();
    }
    ~Marks() override { EXPECT_TRUE(flags_are_down()); }

private:
    [[nodiscard]] bool flags_are_down() {
        ecs.by_id().drain_marks();
        bool down = true;
        ecs.storage<Position>().each([&](Entity e) {
            const auto flags = ecs.storage<Position>().flags(ecs.storage<Position>().slot(e));
            down = down && (flags & Storage::QUEUED) == 0;
        });
        return down;
    }
};

}  // namespace

TEST_F(Marks, D2_a_queued_mark_signals) {
    queue<Position>(ecs, all[2]);
    queue<Velocity>(ecs, all[2]);
    queue<Position>(ecs, all[0]);
    EXPECT_EQ(spy.dirty(), (Ids{all[2], all[0]}));
    EXPECT_TRUE(ecs.by_id().marks().empty());
    ecs.update();
    EXPECT_EQ(spy.heard, (Ids{all[2], all[0]}));
}

TEST_F(Marks, D9_the_order_against_immediate_marks_is_that_of_the_calls) {
    queue<Position>(ecs, all[4]);
    ecs.dirty<Velocity>(all[1]);
    queue<Position>(ecs, all[3]);
    ecs.add<Position>(all[2], {1, 1});
    queue<Velocity>(ecs, all[0]);
    EXPECT_EQ(spy.dirty(), (Ids{all[4], all[1], all[3], all[2], all[0]}));
}

TEST_F(Marks, D9_the_order_against_newly_tracked_entities_is_that_of_the_calls) {
    queue<Position>(ecs, all[4]);
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e);
    queue<Position>(ecs, all[0]);
    const Entity f = ecs.add_entity();
    ecs.add<Velocity>(f);
    ecs.add<Position>(f);
    EXPECT_EQ(spy.dirty(), (Ids{all[4], e, all[0], f}));
}

TEST_F(Marks, D9_the_order_against_a_removed_component_is_that_of_the_calls) {
    queue<Position>(ecs, all[4]);
    ecs.remove<Velocity>(all[1]);
    EXPECT_EQ(spy.dirty(), (Ids{all[4], all[1]}));
}

TEST_F(Marks, D4_queued_marks_wait_for_a_disabled_system) {
    ecs.disable_system(spy);
    queue<Position>(ecs, all[3]);
    ecs.update();
    queue<Position>(ecs, all[1]);
    ecs.update();
    ecs.enable_system(spy);
    ecs.update();
    EXPECT_EQ(spy.heard, (Ids{all[3], all[1]}));
}

TEST_F(Marks, D6_a_queued_mark_dies_with_its_component) {
    queue<Position>(ecs, all[1]);
    ecs.remove<Position>(all[1]);
    EXPECT_TRUE(spy.dirty().empty());
    queue<Velocity>(ecs, all[2]);
    ecs.remove<Velocity>(all[2]);
    EXPECT_EQ(spy.dirty(), Ids{all[2]}) << "it stays tracked";
}

TEST_F(Marks, D6_a_mark_queued_while_its_entity_leaves_dies_with_it) {
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

TEST_F(Marks, D7_queued_in_the_own_update_they_are_reached_or_stay) {
    queue<Position>(ecs, all[0]);
    spy.at_update = [&](double, auto&, DirtySet& dirty) {
        Ids visited;
        for (const Entity e : dirty) {
            visited.push_back(e);
            if (e == all[0]) queue<Position>(ecs, all[1]);
        }
        EXPECT_EQ(visited, (Ids{all[0], all[1]}));
        queue<Position>(ecs, all[0]);  // seen already
        queue<Velocity>(ecs, all[2]);  // by nobody
    };
    ecs.update();
    EXPECT_EQ(spy.dirty(), Ids{all[2]});
}

TEST_F(Marks, D8_queued_by_an_earlier_system_they_are_seen_this_frame) {
    auto& early = ecs.add_system<Spy<Requires<Position>>>(-1);
    auto& late = ecs.add_system<Spy<Requires<Position>>>(1);
    early.at_update = [&](double, auto&, auto&) { queue<Position>(ecs, all[0]); };
    late.at_update = [&](double, auto&, auto&) { queue<Position>(ecs, all[1]); };
    ecs.update();
    EXPECT_EQ(spy.heard, Ids{all[0]});
    ecs.update();
    EXPECT_EQ(spy.heard, (Ids{all[1], all[0]}));
}

TEST_F(Marks, D5_a_system_added_after_the_mark_does_not_hear_it_apart) {
    queue<Position>(ecs, all[3]);
    auto& late = ecs.add_system<Watcher>(1);
    EXPECT_EQ(late.dirty(), all);
    EXPECT_EQ(spy.dirty(), Ids{all[3]});
}

TEST_F(Marks, D3_a_mark_made_before_an_entity_matched_does_not_reach_back) {
    auto& both = ecs.add_system<Spy<Requires<Health, Position>, Watches<Position>>>(1);
    queue<Position>(ecs, all[2]);
    ecs.add<Health>(all[1]);
    ecs.add<Health>(all[2]);
    EXPECT_EQ(both.dirty(), (Ids{all[1], all[2]})) << "in the order in which it began to track them";
}

TEST_F(Marks, D11_a_queued_mark_wakes_a_system) {
    auto& lazy = ecs.add_system<Watcher>(1, [](Recorder& r) { r.only_when_dirty(); });
    ecs.update();
    EXPECT_EQ(lazy.updates, 1);
    ecs.update();
    EXPECT_EQ(lazy.updates, 1);
    queue<Position>(ecs, all[0]);
    ecs.update();
    EXPECT_EQ(lazy.updates, 2);
}

TEST_F(Marks, D2_the_flag_follows_its_component_when_another_is_swapped_into_the_gap) {
    queue<Position>(ecs, all[4]);
    ecs.remove<Position>(all[0]);
    EXPECT_EQ(spy.dirty(), Ids{all[4]});
    ecs.update();
    queue<Position>(ecs, all[4]);
    EXPECT_EQ(spy.dirty(), Ids{all[4]});
}

TEST_F(Marks, D2_more_marks_than_the_queue_holds_lose_nothing) {
    const Ids many = ecs.add_entities(MarkQueue::CAPACITY * 2 + 10);
    const Position origin;
    ecs.add<Position>(many, std::span(&origin, 1));
    ecs.update();
    for (const Entity e : many) queue<Position>(ecs, e);
    EXPECT_EQ(spy.dirty(), many);
}

TEST_F(Marks, D2_a_mark_queued_while_an_entity_leaves_is_kept_though_its_value_moves) {
    spy.at_remove = [&](Aspect&) { queue<Position>(ecs, all[4]); };  // which then moves into the gap
    ecs.remove_entity(all[0]);
    ecs.update();
    EXPECT_EQ(spy.dirty(), Ids{all[4]});
    ecs.update();
    queue<Position>(ecs, all[4]);
    EXPECT_EQ(spy.dirty(), Ids{all[4]});
}

// Lists may be those of the very sets that a call makes grow. What is freed then shows under the address sanitizer.
TEST_F(Marks, D2_a_dirty_set_may_be_given_to_what_makes_it_grow) {
    const Ids many = ecs.add_entities(500);
    const Position origin;
    ecs.add<Position>(many, std::span(&origin, 1));
    ecs.add<Velocity>(many, std::vector<Velocity>(1));
    auto& other = ecs.add_system<Watcher>(1);
    ecs.update();
    struct Fresh {};
    for (const std::size_t first : {std::size_t{1}, std::size_t{2}}) {  // lists of one are a way of their own
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
