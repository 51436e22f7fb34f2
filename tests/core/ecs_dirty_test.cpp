// Who hears of what changed, and when (rules D1 to D11).
#include "world.hpp"

using namespace test;

namespace {

using Watcher = Spy<Requires<Position>, Watches<Position>>;

struct Dirt : testing::Test {
    ECS ecs;
    Ids all = ecs.add_entities(5);
    Dirt() {
        for (const Entity e : all) ecs.add<Position>(e);
    }
    /// Adds a system and lets it see everything once.
    template <class S>
    S& seen(double priority = 0) {
        S& system = ecs.add_system<S>(priority);
        ecs.update();
        return system;
    }
};

}  // namespace

TEST_F(Dirt, D2_these_signal) {
    auto& spy = seen<Spy<Requires<Position>, Watches<Position, Health>>>();
    ecs.dirty<Position>(all[0]);
    ecs.modify<Position>(all[1], [](Position& p) { p.x = 1; });
    ecs.add<Position>(all[2], {2, 2});  // replacing
    ecs.add<Health>(all[3]);
    EXPECT_EQ(spy.dirty(), (Ids{all[0], all[1], all[2], all[3]}));
    ecs.update();
    ecs.remove<Health>(all[3]);  // it stays tracked
    EXPECT_EQ(spy.dirty(), Ids{all[3]});
    ecs.update();
    ecs.dirty<Position>(std::span(all).subspan(3));
    EXPECT_EQ(spy.dirty(), (Ids{all[3], all[4]}));
}

TEST_F(Dirt, D2_these_do_not) {
    auto& spy = seen<Spy<Requires<Position>, Watches<Position, Health>>>();
    ecs.storage<Position>().at(0).x = 99;
    ecs.storage<Position>().values()[1].y = 99;
    ecs.add<Velocity>(all[0]);
    ecs.remove<Velocity>(all[0]);
    ecs.remove<Health>(all[1]);  // it has none
    static_cast<void>(ecs.get<Position>(all[2]));
    ecs.remove_entity(all[3]);
    EXPECT_TRUE(spy.dirty().empty());
}

TEST_F(Dirt, D2_modify_that_takes_the_component_away_signals_what_is_left) {
    auto& spy = seen<Spy<Requires<Position>, Watches<Health>>>();
    ecs.add<Health>(all[0], {1});
    ecs.update();
    ecs.modify<Health>(all[0], [&](Health&) { ecs.remove<Health>(all[0]); });
    EXPECT_EQ(spy.dirty(), Ids{all[0]});
}

TEST_F(Dirt, D3_heard_only_by_those_that_watch_the_class_and_track_the_entity) {
    auto& watcher = seen<Watcher>();
    auto& deaf = seen<Spy<Requires<Position>, Watches<Health>>>();
    auto& elsewhere = seen<Spy<Requires<Health>, Watches<Position>>>();
    ecs.dirty<Position>(all[2]);
    EXPECT_EQ(watcher.dirty(), Ids{all[2]});
    EXPECT_TRUE(deaf.dirty().empty());
    EXPECT_TRUE(elsewhere.dirty().empty());
}

TEST_F(Dirt, D3_a_watched_class_need_not_be_required) {
    auto& spy = seen<Spy<Requires<Position>, Watches<Health>>>();
    ecs.add<Health>(all[1]);
    const Entity other = ecs.add_entity();
    ecs.add<Health>(other);
    EXPECT_EQ(spy.dirty(), Ids{all[1]});
}

TEST_F(Dirt, D4_a_disabled_system_keeps_its_dirty_set) {
    auto& spy = seen<Watcher>();
    ecs.disable_system(spy);
    ecs.dirty<Position>(all[4]);
    ecs.update();
    ecs.dirty<Position>(all[1]);
    ecs.update();
    EXPECT_EQ(spy.dirty(), (Ids{all[4], all[1]}));
    ecs.enable_system(spy);
    ecs.update();
    EXPECT_EQ(spy.heard, (Ids{all[4], all[1]}));
    EXPECT_TRUE(spy.dirty().empty());
}

TEST_F(Dirt, D4_a_paused_system_keeps_its_dirty_set) {
    auto& spy = seen<Watcher>();
    ecs.set_paused(true);
    ecs.dirty<Position>(all[0]);
    ecs.update();
    ecs.update();
    ecs.set_paused(false);
    ecs.update();
    EXPECT_EQ(spy.heard, Ids{all[0]});
}

TEST_F(Dirt, D4_a_system_that_throws_keeps_its_dirty_set_also_what_it_had_iterated) {
    auto& spy = seen<Watcher>();
    ecs.dirty<Position>(all[0]);
    spy.at_update = [&](double, auto&, DirtySet& dirty) {
        for ([[maybe_unused]] const Entity e : dirty) ecs.dirty<Position>(all[1]);
        throw Oops("update");
    };
    EXPECT_THROW(ecs.update(), Oops);
    EXPECT_EQ(spy.dirty(), (Ids{all[0], all[1]}));
    spy.at_update = nullptr;
    ecs.update();
    EXPECT_EQ(spy.heard, (Ids{all[0], all[1]}));
    EXPECT_TRUE(spy.dirty().empty());
}

TEST_F(Dirt, D4_emptied_after_a_run_even_if_it_looked_at_nothing) {
    auto& spy = seen<Watcher>();
    ecs.dirty<Position>(all[0]);
    ecs.update();
    EXPECT_TRUE(spy.dirty().empty());
}

TEST_F(Dirt, D5_the_first_update_sees_everything_also_of_a_late_system) {
    auto& spy = ecs.add_system<Watcher>(0);
    EXPECT_EQ(spy.dirty(), all);
    ecs.update();
    EXPECT_EQ(spy.heard, all);
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e);
    ecs.update();
    EXPECT_EQ(spy.heard, Ids{e});
}

TEST_F(Dirt, D5_newly_tracked_is_dirty_whatever_class_made_it_match) {
    auto& spy = seen<Spy<Requires<Position, Velocity>, Watches<Position>>>();
    ecs.add<Velocity>(all[3]);
    EXPECT_EQ(spy.dirty(), Ids{all[3]});
}

TEST_F(Dirt, D6_an_entity_that_stops_being_tracked_leaves_at_once) {
    auto& spy = seen<Watcher>();
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

TEST_F(Dirt, D7_what_joins_during_the_own_update_is_reached_by_the_running_iteration) {
    auto& spy = seen<Watcher>();
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

TEST_F(Dirt, D7_what_joins_after_the_iteration_stays_for_the_next_run) {
    auto& spy = seen<Watcher>();
    ecs.dirty<Position>(all[0]);
    Entity made = NONE;
    spy.at_update = [&](double, auto&, DirtySet& dirty) {
        static_cast<void>(iterate(dirty));
        ecs.dirty<Position>(all[0]);  // it is in the set; that is seen
        ecs.dirty<Position>(all[2]);
        made = ecs.add_entity();
        ecs.add<Position>(made);
    };
    ecs.update();
    EXPECT_EQ(spy.dirty(), (Ids{all[2], made}));
    spy.at_update = nullptr;
    ecs.update();
    EXPECT_EQ(spy.heard, (Ids{all[2], made}));
    EXPECT_TRUE(spy.dirty().empty());
}

TEST_F(Dirt, D7_removed_and_added_again_during_the_own_update_is_new) {
    auto& spy = seen<Watcher>();
    for (const bool iterates : {false, true}) {
        ecs.dirty<Position>(all);
        spy.at_update = [&](double, auto&, DirtySet& dirty) {
            if (iterates) {
                int visits = 0;
                for (const Entity e : dirty) {
                    if (e != all[1]) continue;
                    if (++visits > 1) break;  // again, as a new one
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

TEST_F(Dirt, D7_at_start_and_then_untracked_by_the_update_is_not_reached) {
    auto& spy = seen<Watcher>();
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

TEST_F(Dirt, D8_an_earlier_change_is_seen_this_frame_a_later_one_in_the_next) {
    auto& early = ecs.add_system<Spy<Requires<Position>>>(0);
    auto& spy = ecs.add_system<Watcher>(5);
    auto& late = ecs.add_system<Spy<Requires<Position>>>(10);
    ecs.update();
    early.at_update = [&](double, auto&, auto&) { ecs.dirty<Position>(all[0]); };
    late.at_update = [&](double, auto&, auto&) { ecs.dirty<Position>(all[4]); };
    ecs.update();
    EXPECT_EQ(spy.heard, Ids{all[0]});
    ecs.update();
    EXPECT_EQ(spy.heard, (Ids{all[4], all[0]}));
}

TEST_F(Dirt, D9_the_order_is_that_of_the_first_mark) {
    auto& spy = seen<Watcher>();
    for (const std::size_t i : {3u, 1u, 3u, 4u, 1u, 0u}) ecs.dirty<Position>(all[i]);
    EXPECT_EQ(spy.dirty(), (Ids{all[3], all[1], all[4], all[0]}));
    ecs.remove<Position>(all[1]);
    EXPECT_EQ(spy.dirty(), (Ids{all[3], all[0], all[4]}));
}

TEST_F(Dirt, D9_looking_at_another_systems_dirty_set_takes_nothing_from_it) {
    auto& first = ecs.add_system<Spy<Requires<Position>>>(0);
    auto& spy = seen<Watcher>(1);
    ecs.dirty<Position>(all[0]);
    ecs.dirty<Position>(all[1]);
    first.at_update = [&](double, auto&, auto&) {
        EXPECT_EQ(iterate(spy.dirty_set()), (Ids{all[0], all[1]}));
        EXPECT_TRUE(spy.dirty_set().contains(all[0]));
    };
    ecs.update();
    EXPECT_EQ(spy.heard, (Ids{all[0], all[1]}));
}

TEST_F(Dirt, D10_a_quiet_frame_sees_nothing_and_clears_nothing) {
    auto& spy = seen<Watcher>();
    for (int i = 0; i < 3; ++i) {
        ecs.update();
        EXPECT_TRUE(spy.heard.empty());
        EXPECT_EQ(spy.dirty_set().last_visited(), 0u);
    }
    EXPECT_EQ(spy.updates, 4) << "it is updated all the same";
}

TEST_F(Dirt, D11_only_when_dirty_is_not_even_called_while_nothing_is) {
    auto& spy = ecs.add_system<Watcher>(0, [](Recorder& r) { r.only_when_dirty(); });
    ecs.update();
    EXPECT_EQ(spy.updates, 1) << "everything is new";
    ecs.update();
    EXPECT_EQ(spy.updates, 1);
    ecs.dirty<Position>(all[0]);
    ecs.update();
    EXPECT_EQ(spy.updates, 2);
    ecs.dirty<Position>(all[0]);
    ecs.remove<Position>(all[0]);
    ecs.update();
    EXPECT_EQ(spy.updates, 2) << "the one that was dirty is gone";
}

TEST_F(Dirt, S3_dirt_of_a_removed_system_goes_with_it) {
    auto& spy = seen<Watcher>();
    ecs.dirty<Position>(all[0]);
    spy.at_remove = [&](Aspect& a) { ecs.dirty<Position>(a.entity()); };
    ecs.remove_system(spy);
    ecs.dirty<Position>(all[1]);
    auto& again = ecs.add_system<Watcher>(0);
    EXPECT_EQ(again.dirty(), all);
}
