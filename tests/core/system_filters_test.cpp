// Filters, order and intervals of systems (rules S9 to S12).
#include <functional>
#include <random>
#include <set>

#include "world.hpp"

using namespace test;

namespace {

struct Frozen {};
struct Asleep {};

/// Tracks positions of entities that are neither frozen nor asleep.
struct Awake final : Recorder {
    Awake() {
        require<Position>(exclude<Frozen, Asleep>);
        watch<Position>();
    }
};
/// Tracks positions of entities with a velocity or health.
struct Either final : Recorder {
    Either() {
        require<Position>(any<Velocity, Health>);
        watch<Position>();
    }
};

struct Filtered : testing::Test {
    ECS ecs;
    Ids all = ecs.add_entities(4);
    Filtered() {
        for (const Entity e : all) ecs.add<Position>(e);
    }
};

/// Logs its name when it runs.
template <int Number>
struct Step final : System<> {
    using Setup = std::function<void(Step&)>;
    Step(std::string& l, const Setup& setup) : log(l) {
        require_none();
        if (setup) setup(*this);
    }
    void update(double) override { log += std::to_string(Number) + " "; }
    template <class... Ss>
    void runs_before() {
        before<Ss...>();
    }
    template <class... Ss>
    void runs_after() {
        after<Ss...>();
    }
    std::string& log;
};

struct Order : testing::Test {
    ECS ecs;
    std::string log;
    template <int Number>
    Step<Number>& add(double priority, typename Step<Number>::Setup setup = {}) {
        return ecs.add_system<Step<Number>>(priority, log, setup);
    }
    std::string run() {
        log.clear();
        ecs.update();
        return log;
    }
};

}  // namespace

TEST_F(Filtered, S9_an_entity_with_an_excluded_component_is_not_tracked) {
    ecs.add<Frozen>(all[0]);
    auto& system = ecs.add_system<Awake>(0);
    EXPECT_EQ(system.tracking(), (Ids{all[1], all[2], all[3]}));
    ecs.update();
    float seen = 0;
    system.at_remove = [&](Aspect& aspect) {
        seen = aspect.get<Position>().x;
        EXPECT_TRUE(aspect.has<Frozen>());
    };
    ecs.modify<Position>(all[1], [](Position& p) { p.x = 7; });
    EXPECT_EQ(system.dirty(), Ids{all[1]});
    ecs.add<Frozen>(all[1]);
    EXPECT_EQ(seen, 7);
    EXPECT_EQ(system.removed, Ids{all[1]});
    EXPECT_EQ(system.dirty(), Ids{});
    ecs.add<Asleep>(all[1]);
    ecs.remove<Frozen>(all[1]);
    EXPECT_FALSE(system.tracks(all[1])) << "another excluded component is left";
    ecs.remove<Asleep>(all[1]);
    EXPECT_EQ(system.added.back(), all[1]);
    EXPECT_EQ(system.dirty(), Ids{all[1]});
    ecs.remove<Frozen>(all[0]);
    EXPECT_EQ(system.tracking().size(), 4u);
}

TEST_F(Filtered, S9_bulk_changes_and_prefabs_follow_the_filters) {
    auto& awake = ecs.add_system<Awake>(0);
    auto& either = ecs.add_system<Either>(0);
    ecs.add(std::span<const Entity>(all), std::span<const Frozen>(std::vector<Frozen>(1)));
    EXPECT_EQ(awake.tracking(), Ids{});
    EXPECT_EQ(ecs.remove<Frozen>(std::span<const Entity>(all).first(2)), 2u);
    EXPECT_EQ(awake.tracking(), (Ids{all[0], all[1]}));
    ecs.add(std::span<const Entity>(all), std::span<const Health>(std::vector<Health>(1)));
    EXPECT_EQ(either.tracking(), all);
    ecs.remove<Health>(std::span<const Entity>(all).first(3));
    EXPECT_EQ(either.tracking(), Ids{all[3]});
    ecs.add_entity(Position{}, Frozen{});
    ecs.prefab(Position{}, Frozen{}).spawn(3);
    EXPECT_EQ(awake.tracking().size(), 2u);
    ecs.prefab(Position{}, Velocity{}).spawn(3);
    EXPECT_EQ(awake.tracking().size(), 5u);
    EXPECT_EQ(either.tracking().size(), 4u);
}

TEST_F(Filtered, S9_an_entity_needs_one_of_the_accepted_components) {
    auto& system = ecs.add_system<Either>(0);
    EXPECT_EQ(system.tracking(), Ids{});
    ecs.add<Velocity>(all[0], {3});
    ecs.add<Health>(all[0]);
    EXPECT_EQ(system.added, Ids{all[0]});
    ecs.remove<Health>(all[0]);
    EXPECT_TRUE(system.tracks(all[0]));
    float seen = 0;
    system.at_remove = [&](Aspect& aspect) { seen = aspect.get<Velocity>().x; };
    ecs.remove<Velocity>(all[0]);
    EXPECT_EQ(seen, 3) << "the component whose removal is the cause can still be read";
    EXPECT_FALSE(system.tracks(all[0]));
    system.at_remove = nullptr;
    ecs.add<Health>(all[1]);
    ecs.remove_entity(all[1]);
    ecs.update();
    EXPECT_EQ(system.removed, (Ids{all[0], all[1]}));
}

TEST_F(Filtered, S9_clear_in_a_callback_notifies_every_system_once) {
    auto& one = ecs.add_system<Awake>(0);
    auto& two = ecs.add_system<Awake>(1);
    one.at_remove = [&](Aspect&) { ecs.clear(); };
    ecs.add<Frozen>(all[0]);
    EXPECT_EQ(one.removed.size(), 4u);
    EXPECT_EQ(two.removed.size(), 4u);
    EXPECT_EQ(two.tracking(), Ids{});
}

TEST_F(Filtered, S9_a_class_that_is_required_and_excluded_is_an_error) {
    struct Wrong final : System<> {
        Wrong() { require<Position>(exclude<Position>); }
        void update(double) override {}
    };
    EXPECT_ERROR(ecs.add_system<Wrong>(0), ErrorCode::bad_system);
}

TEST_F(Filtered, S9_random_changes_agree_with_the_definition) {
    std::mt19937 random(9);
    auto& awake = ecs.add_system<Awake>(0);
    auto& either = ecs.add_system<Either>(0);
    struct Quiet final : System<> {
        Quiet() { require<Position>(exclude<Frozen>, any<Velocity, Health>); }
        void update(double) override {}
    };
    auto& quiet = ecs.add_system<Quiet>(0);
    const Ids many = ecs.add_entities(30);
    const auto toggle = [&]<class T>(Entity e, T value) {
        if (ecs.has<T>(e)) ecs.remove<T>(e);
        else ecs.add<T>(e, value);
    };
    for (int i = 0; i < 5000; ++i) {
        const Entity e = many[random() % many.size()];
        switch (random() % 5) {
            case 0: toggle(e, Position{}); break;
            case 1: toggle(e, Velocity{}); break;
            case 2: toggle(e, Health{}); break;
            case 3: toggle(e, Frozen{}); break;
            default: toggle(e, Asleep{});
        }
        const bool accepted = ecs.has<Velocity>(e) || ecs.has<Health>(e);
        ASSERT_EQ(awake.tracks(e), ecs.has<Position>(e) && !ecs.has<Frozen>(e) && !ecs.has<Asleep>(e));
        ASSERT_EQ(either.tracks(e), ecs.has<Position>(e) && accepted);
        ASSERT_EQ(quiet.tracks(e), ecs.has<Position>(e) && accepted && !ecs.has<Frozen>(e));
    }
}

TEST_F(Filtered, S9_a_system_that_was_removed_is_not_notified) {
    auto& system = ecs.add_system<Awake>(0);
    ecs.remove_system(system);
    ecs.add<Frozen>(all[0]);
    ecs.remove<Frozen>(all[0]);
    EXPECT_EQ(ecs.add_system<Awake>(0).tracking().size(), 4u);
}

TEST_F(Order, S10_constraints_decide_within_a_priority) {
    add<1>(0);
    add<2>(0, [](auto& s) { s.template runs_before<Step<1>>(); });
    EXPECT_EQ(run(), "2 1 ");
    add<3>(0, [](auto& s) { s.template runs_after<Step<4>>(); });
    add<4>(0);
    EXPECT_EQ(run(), "2 1 4 3 ") << "the class of a constraint may be added later";
    add<5>(-1);
    EXPECT_EQ(run(), "5 2 1 4 3 ");
    add<6>(0, [](auto& s) {
        s.template runs_after<Step<1>>();
        s.template runs_before<Step<4>>();
    });
    EXPECT_EQ(run(), "5 2 1 6 4 3 ");
}

TEST_F(Order, S10_systems_that_were_added_can_change_places) {
    auto& one = add<1>(0);
    add<2>(0);
    add<3>(0, [](auto& s) {
        s.template runs_after<Step<2>>();
        s.template runs_before<Step<1>>();
    });
    EXPECT_EQ(run(), "2 3 1 ");
    EXPECT_EQ(ecs.systems().back(), &one);
}

TEST_F(Order, S10_a_name_stands_for_the_systems_that_have_it) {
    struct Named final : System<> {
        explicit Named(std::string name) : name_(std::move(name)) { require<Position>(); }
        using System::after;
        using System::before;
        std::string name() const override { return name_; }
        void update(double) override {}
        std::string name_;
    };
    const auto make = [](const char* name) { return std::make_unique<Named>(name); };
    auto early = make("early");
    early->before("late");
    auto last = make("last");
    last->after("early");
    last->after("late");
    ecs.add_system(0, std::move(last));
    ecs.add_system(0, make("late"));
    ecs.add_system(0, std::move(early));
    std::string names;
    for (const SystemBase* system : ecs.systems()) names += system->name() + " ";
    EXPECT_EQ(names, "early late last ");
}

TEST_F(Order, S10_a_constraint_against_the_priorities_is_an_error) {
    add<1>(0);
    const auto late = [](auto& s) { s.template runs_before<Step<1>>(); };
    EXPECT_ERROR((add<2>(1, late)), ErrorCode::bad_system);
    try {
        add<2>(1, late);
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "add_system: system Step: the priorities contradict the constraint Step before Step");
    }
    EXPECT_EQ(run(), "1 ");
    add<2>(-1, late);
    EXPECT_EQ(run(), "2 1 ");
}

TEST_F(Order, S10_a_cycle_is_an_error_and_changes_nothing) {
    add<1>(0, [](auto& s) { s.template runs_before<Step<2>>(); });
    add<2>(0, [](auto& s) { s.template runs_before<Step<3>>(); });
    EXPECT_ERROR((add<3>(0, [](auto& s) { s.template runs_before<Step<1>>(); })), ErrorCode::bad_system);
    EXPECT_ERROR((add<4>(0, [](auto& s) { s.template runs_before<Step<4>>(); })), ErrorCode::bad_system);
    EXPECT_EQ(run(), "1 2 ");
    EXPECT_EQ(ecs.systems().size(), 2u);
    add<3>(0);
    EXPECT_EQ(run(), "1 2 3 ");
}

TEST_F(Filtered, S11_a_system_with_an_interval_runs_when_the_time_has_passed) {
    struct Slow final : Recorder {
        Slow() {
            require<Position>();
            watch<Position>();
            interval(0.5);
        }
    };
    auto& system = ecs.add_system<Slow>(0);
    for (int i = 0; i < 4; ++i) ecs.update(0.1);
    EXPECT_EQ(system.updates, 0);
    EXPECT_EQ(system.dirty().size(), 4u);
    ecs.update(0.1);
    EXPECT_EQ(system.updates, 1);
    EXPECT_DOUBLE_EQ(system.delta, 0.5);
    EXPECT_EQ(system.dirty_at_update.size(), 4u);
    EXPECT_EQ(system.dirty().size(), 0u);
    ecs.update(0.3);
    ecs.dirty<Position>(all[0]);
    ecs.update(2);
    EXPECT_EQ(system.updates, 2);
    EXPECT_DOUBLE_EQ(system.delta, 2.3);
    EXPECT_EQ(system.dirty_at_update, Ids{all[0]});
    ecs.set_paused(true);
    ecs.update(9);
    ecs.set_paused(false);
    ecs.update(0.4);
    EXPECT_EQ(system.updates, 2) << "game time counts";
}

TEST_F(Filtered, S11_an_interval_must_be_a_time) {
    struct Wrong final : Recorder {
        explicit Wrong(double seconds) {
            require<Position>();
            interval(seconds);
        }
    };
    EXPECT_ERROR(ecs.add_system<Wrong>(0, -1), ErrorCode::bad_system);
    EXPECT_ERROR(ecs.add_system<Wrong>(0, std::numeric_limits<double>::infinity()), ErrorCode::bad_system);
}

TEST_F(Order, S12_a_system_can_use_no_entities) {
    add<1>(0);
    ecs.add_entity(Position{});
    EXPECT_EQ(run(), "1 ");
    ecs.clear();
    ecs.remove_system(ecs.get_system<Step<1>>());
    EXPECT_EQ(run(), "");
    struct Wrong final : System<> {
        Wrong() {
            require_none();
            watch<Position>();
        }
        void update(double) override {}
    };
    EXPECT_ERROR(ecs.add_system<Wrong>(0), ErrorCode::bad_system);
}

// --- the world ------------------------------------------------------------------------------------

TEST(WorldEntity, E10_the_world_is_an_entity_that_is_not_counted) {
    ECS ecs;
    EXPECT_EQ(ecs.world(), Entity{0});
    EXPECT_TRUE(ecs.alive(ecs.world()));
    EXPECT_EQ(ecs.count(), 0u);
    EXPECT_NE(ecs.add_entity(), Entity{0});
    EXPECT_ERROR(ecs.remove_entity(ecs.world()), ErrorCode::bad_argument);
    const Ids both{ecs.add_entity(), ecs.world()};
    EXPECT_ERROR(ecs.remove_entities(both), ErrorCode::bad_argument);
    ecs.update();
    EXPECT_EQ(ecs.count(), 2u);
    ecs.add<Health>(ecs.world(), {10});
    EXPECT_EQ(ecs.get<Health>(ecs.world()).points, 10);
    EXPECT_EQ(ecs.query<Health>().ids(), Ids{ecs.world()});
}

TEST(WorldEntity, E10_systems_track_and_watch_it_and_clear_keeps_it) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>, Watches<Health>>>(0);
    ecs.add<Health>(ecs.world(), {10});
    ecs.add<Indexed>(ecs.world(), {5});
    const Ids all = ecs.add_entities(3);
    for (const Entity e : all) ecs.add<Health>(e), ecs.add<Indexed>(e);
    ecs.set_parent(all[0], ecs.world());
    EXPECT_EQ(spy.dirty().front(), ecs.world());
    ecs.update();
    ecs.modify<Health>(ecs.world(), [](Health& h) { h.points = 11; });
    EXPECT_EQ(spy.dirty(), Ids{ecs.world()});
    ecs.clear();
    EXPECT_EQ(unsigned(spy.removed.size()), 3u) << "it stays tracked";
    EXPECT_EQ(spy.tracking(), Ids{ecs.world()});
    EXPECT_EQ(spy.dirty(), Ids{ecs.world()}) << "it stays dirty";
    EXPECT_EQ(ecs.get<Health>(ecs.world()).points, 11);
    EXPECT_EQ(ecs.get<Indexed>(ecs.world()).value, 5u);
    EXPECT_EQ(ecs.query<Health>().count(), 1u);
    EXPECT_EQ(ecs.count(), 0u);
    EXPECT_EQ(ecs.children(ecs.world()).begin(), std::default_sentinel);
    ecs.update();
    ecs.clear();
    EXPECT_EQ(spy.dirty(), Ids{});
    EXPECT_EQ(ecs.add_entities(2).size(), 2u);
    EXPECT_EQ(ecs.count(), 2u);
}

TEST(WorldEntity, E10_an_iteration_visits_it_once_also_if_clear_is_called_meanwhile) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>, Watches<Health>>>(0);
    ecs.add_entity(Health{});
    ecs.add<Health>(ecs.world());
    ecs.add_entity(Health{});
    Ids visited;
    Ids visited_dirty;
    spy.at_update = [&](double, auto& entities, DirtySet& dirty) {
        for (const auto [e, aspect] : entities) {
            visited.push_back(e);
            if (e == ecs.world()) ecs.clear();
            ASSERT_LT(visited.size(), 4u);
        }
        for (const Entity e : dirty) {
            visited_dirty.push_back(e);
            ecs.clear();
            ASSERT_LT(visited_dirty.size(), 4u);
        }
    };
    ecs.update();
    EXPECT_EQ(visited.size(), 2u);
    EXPECT_EQ(visited_dirty, Ids{ecs.world()});
    EXPECT_EQ(spy.dirty(), Ids{}) << "it was in the set when the run started";
}

TEST(WorldEntity, E10_callbacks_of_clear_can_change_its_components) {
    ECS ecs;
    auto& removed = ecs.add_system<Spy<Requires<Health>>>(0);
    auto& score = ecs.add_system<Spy<Requires<Indexed>>>(0);
    auto& either = ecs.add_system<Either>(0);
    ecs.add_entity(Health{});
    ecs.add<Position>(ecs.world());
    ecs.add<Velocity>(ecs.world());
    ecs.add<Health>(ecs.world());
    removed.at_remove = [&](Aspect&) {
        removed.at_remove = nullptr;
        ecs.add<Indexed>(ecs.world());
        ecs.remove<Health>(ecs.world());
    };
    ecs.clear();
    EXPECT_EQ(score.tracking(), Ids{ecs.world()});
    EXPECT_EQ(either.tracking(), Ids{ecs.world()}) << "it has a velocity";
    EXPECT_EQ(removed.tracking(), Ids{});
}

TEST(WorldEntity, E11_marked_entities_can_be_removed_between_updates) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    const Entity e = ecs.add_entity(Health{});
    const Entity other = ecs.add_entity(Health{});
    ecs.remove_entity(e);
    spy.at_remove = [&](Aspect&) {
        EXPECT_ERROR(ecs.remove_marked(), ErrorCode::reentrant_update);
        ecs.remove_entity(other);
    };
    ecs.remove_marked();
    EXPECT_EQ(spy.removed, (Ids{e, other}));
    EXPECT_EQ(ecs.count(), 0u);
    ecs.remove_marked();
    spy.at_update = [&](double, auto&, auto&) { EXPECT_ERROR(ecs.remove_marked(), ErrorCode::reentrant_update); };
    ecs.update();
}

TEST(FiltersInCallbacks, D2_a_removal_signals_if_a_callback_gives_the_entity_what_keeps_it_tracked) {
    ECS ecs;
    auto& tagger = ecs.add_system<Spy<Requires<Health>>>(0);
    tagger.at_remove = [&](Aspect& a) { ecs.add<Tag>(a.entity()); };
    struct Watcher final : Recorder {
        Watcher() {
            require<Position>(any<Health, Tag>);
            watch<Health>();
        }
    };
    auto& watcher = ecs.add_system<Watcher>(1);
    Ids all;
    for (int k = 0; k < 3; ++k) all.push_back(ecs.add_entity(Position{}, Health{}));
    ecs.update();
    ecs.remove<Health>(all[0]);
    EXPECT_EQ(watcher.dirty(), Ids{all[0]});
    ecs.remove<Health>(std::span(all).subspan(1));
    EXPECT_EQ(watcher.dirty(), all);
    EXPECT_EQ(watcher.removed, Ids{});
}
