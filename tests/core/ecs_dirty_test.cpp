// Signals and dirty sets (rules D1 to D11).
#include "world.hpp"

using namespace test;

namespace {

using Watcher = Spy<Requires<Position>, Watches<Position>>;

struct Signals : testing::Test {
    ECS ecs;
    Ids all = ecs.add_entities(5);
    Signals() {
        for (const Entity e : all) ecs.add<Position>(e);
    }
    /// Adds a system and updates once, so that its dirty set is empty.
    template <class S>
    S& add_clean(double priority = 0) {
        S& system = ecs.add_system<S>(priority);
        ecs.update();
        return system;
    }
};

}  // namespace

TEST_F(Signals, D2_what_signals) {
    auto& spy = add_clean<Spy<Requires<Position>, Watches<Position, Health>>>();
    ecs.dirty<Position>(all[0]);
    ecs.modify<Position>(all[1], [](Position& p) { p.x = 1; });
    ecs.add<Position>(all[2], {2, 2});  // a replacement
    ecs.add<Health>(all[3]);
    EXPECT_EQ(spy.dirty(), (Ids{all[0], all[1], all[2], all[3]}));
    ecs.update();
    ecs.remove<Health>(all[3]);  // it stays tracked
    EXPECT_EQ(spy.dirty(), Ids{all[3]});
    ecs.update();
    ecs.dirty<Position>(std::span(all).subspan(3));
    EXPECT_EQ(spy.dirty(), (Ids{all[3], all[4]}));
}

TEST_F(Signals, D2_what_does_not_signal) {
    auto& spy = add_clean<Spy<Requires<Position>, Watches<Position, Health>>>();
    ecs.storage<Position>().at(0).x = 99;
    ecs.storage<Position>().values()[1].y = 99;
    ecs.add<Velocity>(all[0]);
    ecs.remove<Velocity>(all[0]);
    ecs.remove<Health>(all[1]);  // it has none
    static_cast<void>(ecs.get<Position>(all[2]));
    ecs.remove_entity(all[3]);
    EXPECT_TRUE(spy.dirty().empty());
}

TEST_F(Signals, D2_modify_signals_even_if_it_adds_components_of_the_class) {
    auto& spy = add_clean<Watcher>();
    const Entity other = ecs.add_entity();
    ecs.modify<Position>(all[1], [&](Position&) { ecs.add<Position>(other); });
    EXPECT_EQ(spy.dirty(), (Ids{other, all[1]}));
}

TEST_F(Signals, D2_modify_does_not_signal_for_a_component_that_it_has_removed) {
    auto& spy = add_clean<Spy<Requires<Position>, Watches<Health>>>();
    ecs.add<Health>(all[0]);
    ecs.modify<Health>(all[0], [&](Health&) {
        ecs.remove<Health>(all[0]);
        ecs.update();  // processes the removal
    });
    EXPECT_TRUE(spy.dirty().empty());
}

TEST_F(Signals, D2_modify_that_removes_the_component_signals_the_removal) {
    auto& spy = add_clean<Spy<Requires<Position>, Watches<Health>>>();
    ecs.add<Health>(all[0], {1});
    ecs.update();
    ecs.modify<Health>(all[0], [&](Health&) { ecs.remove<Health>(all[0]); });
    EXPECT_EQ(spy.dirty(), Ids{all[0]});
}

TEST_F(Signals, D3_only_systems_that_watch_the_class_and_track_the_entity_get_it) {
    auto& watcher = add_clean<Watcher>();
    auto& watches_other = add_clean<Spy<Requires<Position>, Watches<Health>>>();
    auto& tracks_other = add_clean<Spy<Requires<Health>, Watches<Position>>>();
    ecs.dirty<Position>(all[2]);
    EXPECT_EQ(watcher.dirty(), Ids{all[2]});
    EXPECT_TRUE(watches_other.dirty().empty());
    EXPECT_TRUE(tracks_other.dirty().empty());
}

TEST_F(Signals, D3_a_watched_class_need_not_be_required) {
    auto& spy = add_clean<Spy<Requires<Position>, Watches<Health>>>();
    ecs.add<Health>(all[1]);
    const Entity other = ecs.add_entity();
    ecs.add<Health>(other);
    EXPECT_EQ(spy.dirty(), Ids{all[1]});
}

TEST_F(Signals, D4_a_disabled_system_keeps_its_dirty_set) {
    auto& spy = add_clean<Watcher>();
    ecs.disable_system(spy);
    ecs.dirty<Position>(all[4]);
    ecs.update();
    ecs.dirty<Position>(all[1]);
    ecs.update();
    EXPECT_EQ(spy.dirty(), (Ids{all[4], all[1]}));
    ecs.enable_system(spy);
    ecs.update();
    EXPECT_EQ(spy.dirty_at_update, (Ids{all[4], all[1]}));
    EXPECT_TRUE(spy.dirty().empty());
}

TEST_F(Signals, D4_a_paused_system_keeps_its_dirty_set) {
    auto& spy = add_clean<Watcher>();
    ecs.set_paused(true);
    ecs.dirty<Position>(all[0]);
    ecs.update();
    ecs.update();
    ecs.set_paused(false);
    ecs.update();
    EXPECT_EQ(spy.dirty_at_update, Ids{all[0]});
}

TEST_F(Signals, D4_a_system_that_throws_keeps_its_dirty_set_also_what_it_had_visited) {
    auto& spy = add_clean<Watcher>();
    ecs.dirty<Position>(all[0]);
    spy.at_update = [&](double, auto&, DirtySet& dirty) {
        for ([[maybe_unused]] const Entity e : dirty) ecs.dirty<Position>(all[1]);
        throw Oops("update");
    };
    EXPECT_THROW(ecs.update(), Oops);
    EXPECT_EQ(spy.dirty(), (Ids{all[0], all[1]}));
    spy.at_update = nullptr;
    ecs.update();
    EXPECT_EQ(spy.dirty_at_update, (Ids{all[0], all[1]}));
    EXPECT_TRUE(spy.dirty().empty());
}

TEST_F(Signals, D4_a_run_clears_the_dirty_set_even_if_nothing_was_read) {
    auto& spy = add_clean<Watcher>();
    ecs.dirty<Position>(all[0]);
    ecs.update();
    EXPECT_TRUE(spy.dirty().empty());
}

TEST_F(Signals, D5_all_entities_are_dirty_for_a_system_that_is_added_late) {
    auto& spy = ecs.add_system<Watcher>(0);
    EXPECT_EQ(spy.dirty(), all);
    ecs.update();
    EXPECT_EQ(spy.dirty_at_update, all);
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e);
    ecs.update();
    EXPECT_EQ(spy.dirty_at_update, Ids{e});
}

TEST_F(Signals, D5_a_newly_tracked_entity_is_dirty_whatever_component_was_added) {
    auto& spy = add_clean<Spy<Requires<Position, Velocity>, Watches<Position>>>();
    ecs.add<Velocity>(all[3]);
    EXPECT_EQ(spy.dirty(), Ids{all[3]});
}

TEST_F(Signals, D6_an_entity_that_stops_being_tracked_is_removed_immediately) {
    auto& spy = add_clean<Watcher>();
    ecs.dirty<Position>(all);
    ecs.remove<Position>(all[0]);
    EXPECT_EQ(spy.dirty(), (Ids{all[4], all[1], all[2], all[3]}));
    ecs.remove_entity(all[1]);
    EXPECT_EQ(spy.dirty().size(), 4u) << "still tracked";
    spy.at_remove = [&](Aspect& a) { EXPECT_FALSE(spy.dirty_set().contains(a.entity())); };
    ecs.disable_system(spy);
    ecs.update();
    EXPECT_EQ(spy.dirty().size(), 3u);
}

TEST_F(Signals, D7_entities_that_become_dirty_during_the_own_update_are_visited_by_the_running_iteration) {
    auto& spy = add_clean<Watcher>();
    ecs.dirty<Position>(all[0]);
    Entity made = NONE;
    Ids visited;
    spy.at_update = [&](double, auto&, DirtySet& dirty) {
        for (const Entity e : dirty) {
            visited.push_back(e);
            if (e == all[0]) ecs.dirty<Position>(all[3]);
            if (e == all[3]) {
                made = ecs.add_entity();
                ecs.add<Position>(made);
            }
        }
    };
    ecs.update();
    EXPECT_EQ(visited, (Ids{all[0], all[3], made}));
    EXPECT_TRUE(spy.dirty().empty());
}

TEST_F(Signals, D7_entities_that_become_dirty_after_the_iteration_stay_for_the_next_run) {
    auto& spy = add_clean<Watcher>();
    ecs.dirty<Position>(all[0]);
    Entity made = NONE;
    spy.at_update = [&](double, auto&, DirtySet& dirty) {
        static_cast<void>(iterate(dirty));
        ecs.dirty<Position>(all[0]);  // is in the set and was visited
        ecs.dirty<Position>(all[2]);
        made = ecs.add_entity();
        ecs.add<Position>(made);
    };
    ecs.update();
    EXPECT_EQ(spy.dirty(), (Ids{all[2], made}));
    spy.at_update = nullptr;
    ecs.update();
    EXPECT_EQ(spy.dirty_at_update, (Ids{all[2], made}));
    EXPECT_TRUE(spy.dirty().empty());
}

TEST_F(Signals, D7_a_component_removed_and_added_again_during_the_own_update_is_new) {
    auto& spy = add_clean<Watcher>();
    for (const bool iterates : {false, true}) {
        ecs.dirty<Position>(all);
        spy.at_update = [&](double, auto&, DirtySet& dirty) {
            if (iterates) {
                int visits = 0;
                for (const Entity e : dirty) {
                    if (e != all[1]) continue;
                    if (++visits > 1) break;  // visited again as a new entity
                    ecs.remove<Position>(e);
                    ecs.add<Position>(e);
                }
                EXPECT_EQ(visits, 2);
            } else {
                ecs.remove<Position>(all[1]);
                ecs.add<Position>(all[1]);
            }
        };
        ecs.update();
        EXPECT_EQ(spy.dirty(), iterates ? Ids{} : Ids{all[1]});
        spy.at_update = nullptr;
        ecs.update();
    }
}

TEST_F(Signals, D7_an_entity_that_the_update_untracks_is_not_visited) {
    auto& spy = add_clean<Watcher>();
    ecs.dirty<Position>(all);
    Ids visited;
    spy.at_update = [&](double, auto&, DirtySet& dirty) {
        for (const Entity e : dirty) {
            visited.push_back(e);
            if (e == all[0]) {
                ecs.remove<Position>(all[1]);
                ecs.remove<Position>(all[4]);
            }
        }
    };
    ecs.update();
    std::sort(visited.begin(), visited.end());
    EXPECT_EQ(visited, (Ids{all[0], all[2], all[3]}));
}

TEST_F(Signals, D8_an_earlier_change_is_visible_in_this_frame_a_later_one_in_the_next) {
    auto& early = ecs.add_system<Spy<Requires<Position>>>(0);
    auto& spy = ecs.add_system<Watcher>(5);
    auto& late = ecs.add_system<Spy<Requires<Position>>>(10);
    ecs.update();
    early.at_update = [&](double, auto&, auto&) { ecs.dirty<Position>(all[0]); };
    late.at_update = [&](double, auto&, auto&) { ecs.dirty<Position>(all[4]); };
    ecs.update();
    EXPECT_EQ(spy.dirty_at_update, Ids{all[0]});
    ecs.update();
    EXPECT_EQ(spy.dirty_at_update, (Ids{all[4], all[0]}));
}

TEST_F(Signals, D9_the_order_is_that_of_the_first_signal) {
    auto& spy = add_clean<Watcher>();
    for (const std::size_t i : {3u, 1u, 3u, 4u, 1u, 0u}) ecs.dirty<Position>(all[i]);
    EXPECT_EQ(spy.dirty(), (Ids{all[3], all[1], all[4], all[0]}));
    ecs.remove<Position>(all[1]);
    EXPECT_EQ(spy.dirty(), (Ids{all[3], all[0], all[4]}));
}

TEST_F(Signals, D9_reading_the_dirty_set_of_another_system_clears_nothing) {
    auto& first = ecs.add_system<Spy<Requires<Position>>>(0);
    auto& spy = add_clean<Watcher>(1);
    ecs.dirty<Position>(all[0]);
    ecs.dirty<Position>(all[1]);
    first.at_update = [&](double, auto&, auto&) {
        EXPECT_EQ(iterate(spy.dirty_set()), (Ids{all[0], all[1]}));
        EXPECT_TRUE(spy.dirty_set().contains(all[0]));
    };
    ecs.update();
    EXPECT_EQ(spy.dirty_at_update, (Ids{all[0], all[1]}));
}

TEST_F(Signals, D10_without_changes_the_dirty_set_is_empty) {
    auto& spy = add_clean<Watcher>();
    for (int i = 0; i < 3; ++i) {
        ecs.update();
        EXPECT_TRUE(spy.dirty_at_update.empty());
        EXPECT_EQ(spy.dirty_set().last_visited(), 0u);
    }
    EXPECT_EQ(spy.updates, 4) << "it is updated nevertheless";
}

TEST_F(Signals, D11_with_only_when_dirty_update_is_not_called_while_nothing_is_dirty) {
    auto& spy = ecs.add_system<Watcher>(0, [](Recorder& r) { r.only_when_dirty(); });
    ecs.update();
    EXPECT_EQ(spy.updates, 1) << "all entities are new";
    ecs.update();
    EXPECT_EQ(spy.updates, 1);
    ecs.dirty<Position>(all[0]);
    ecs.update();
    EXPECT_EQ(spy.updates, 2);
    ecs.dirty<Position>(all[0]);
    ecs.remove<Position>(all[0]);
    ecs.update();
    EXPECT_EQ(spy.updates, 2) << "the dirty entity is no longer tracked";
}

TEST_F(Signals, S3_the_dirty_set_of_a_removed_system_is_discarded) {
    auto& spy = add_clean<Watcher>();
    ecs.dirty<Position>(all[0]);
    spy.at_remove = [&](Aspect& a) { ecs.dirty<Position>(a.entity()); };
    ecs.remove_system(spy);
    ecs.dirty<Position>(all[1]);
    auto& again = ecs.add_system<Watcher>(0);
    EXPECT_EQ(again.dirty(), all);
}

TEST(DirtyLoops, D7_a_loop_outside_of_the_system_goes_on_with_what_became_dirty_since_an_update_in_its_body) {
    ECS ecs;
    auto& system = ecs.add_system<Spy<Requires<Position>, Watches<Position>>>(0);
    const Ids all = ecs.add_entities(4);
    for (const Entity e : all) ecs.add(e, Position{});
    ecs.update();
    for (const std::size_t i : {0u, 1u, 2u}) ecs.dirty<Position>(all[i]);
    Ids visited;
    for (const Entity e : system.dirty_set()) {
        visited.push_back(e);
        if (visited.size() > 1) continue;
        ecs.update();
        ecs.dirty<Position>(all[3]);
        ecs.dirty<Position>(all[1]);
    }
    EXPECT_EQ(visited, (Ids{all[0], all[3], all[1]}));
    EXPECT_EQ(system.dirty_at_update, (Ids{all[0], all[1], all[2]}));
    ecs.update();
    EXPECT_EQ(system.dirty_at_update, (Ids{all[3], all[1]}));
}

TEST(DirtyLoops, S9_D5_an_entity_that_gets_the_component_again_in_on_remove_is_newly_tracked_before_the_call_returns) {
    ECS ecs;
    auto& system = ecs.add_system<Spy<Requires<Position>, Watches<Position>>>(0);
    const Entity e = ecs.add_entity(Position{});
    ecs.update();
    system.at_remove = [&](Aspect& aspect) {
        system.at_remove = nullptr;
        ecs.add(aspect.entity(), Position{});
    };
    ecs.remove<Position>(e);
    EXPECT_EQ(system.added, (Ids{e, e}));
    EXPECT_EQ(system.removed, Ids{e});
    EXPECT_EQ(system.dirty(), Ids{e});
    ecs.update();
    EXPECT_EQ(system.dirty_at_update, Ids{e});
    EXPECT_EQ(system.tracking(), Ids{e});
}
