// The frame: which systems run, and calls inside callbacks (rules S5, S6, M1).
#include <limits>

#include "world.hpp"

using namespace test;

namespace {
using Plain = Spy<Requires<Position>>;
}

TEST(Update, S5_each_enabled_system_is_updated_once_per_frame_with_the_effective_delta) {
    ECS ecs;
    auto& spy = ecs.add_system<Plain>(0);
    auto& off = ecs.add_system<Plain>(0, true);
    EXPECT_EQ(ecs.update(0.25), 0.25);
    EXPECT_EQ(spy.updates, 1);
    EXPECT_EQ(spy.delta, 0.25);
    EXPECT_EQ(off.updates, 0);
    ecs.slow_motion().request(4, 10);
    EXPECT_EQ(ecs.update(1), 0.25);
    EXPECT_EQ(spy.delta, 0.25);
}

TEST(Update, S5_with_delta_zero_only_debug_systems_run) {
    ECS ecs;
    auto& plain = ecs.add_system<Plain>(0);
    auto& debug = ecs.add_system<Plain>(0, false, true);
    auto& off = ecs.add_system<Plain>(0, true, true);
    ecs.set_paused(true);
    EXPECT_TRUE(ecs.paused());
    EXPECT_EQ(ecs.update(1), 0);
    ecs.set_paused(false);
    EXPECT_EQ(ecs.update(0), 0);
    EXPECT_EQ(plain.updates, 0);
    EXPECT_EQ(debug.updates, 2);
    EXPECT_EQ(debug.delta, 0);
    EXPECT_EQ(off.updates, 0);
    ecs.update(1);
    EXPECT_EQ(debug.delta, 1);
}

TEST(Update, S5_update_receives_the_tracked_and_the_dirty_entities) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Position>, Watches<Position>>>(0);
    const Ids all = ecs.add_entities(3);
    for (const Entity e : all) ecs.add<Position>(e);
    spy.at_update = [&](double, Entities<Aspect>& entities, DirtySet& dirty) {
        EXPECT_EQ(iterate(entities), all);
        EXPECT_EQ(&dirty, &spy.dirty_set());
    };
    ecs.update();
    ecs.dirty<Position>(all[1]);
    ecs.update();
    EXPECT_EQ(spy.dirty_at_update, Ids{all[1]});
}

TEST(Update, M1_the_default_delta_is_a_sixtieth_of_a_second) {
    ECS ecs;
    EXPECT_DOUBLE_EQ(ecs.update(), 1.0 / 60);
    EXPECT_DOUBLE_EQ(ecs.game_time(), 1.0 / 60);
    EXPECT_DOUBLE_EQ(ecs.wall_time(), 1.0 / 60);
}

TEST(Update, M1_a_bad_delta_is_an_error_and_runs_nothing) {
    ECS ecs;
    auto& spy = ecs.add_system<Plain>(0);
    const Entity e = ecs.add_entity();
    ecs.remove_entity(e);
    for (const double bad : {-1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_ERROR(ecs.update(bad), ErrorCode::bad_argument);
    }
    EXPECT_EQ(spy.updates, 0);
    EXPECT_TRUE(ecs.alive(e));
    EXPECT_EQ(ecs.wall_time(), 0);
}

TEST(Update, S6_update_inside_any_callback_is_an_error_that_changes_nothing) {
    ECS ecs;
    int refused = 0;
    const auto refuse = [&] {
        EXPECT_ERROR(ecs.update(1), ErrorCode::reentrant_update);
        ++refused;
    };
    ecs.events.subscribe<Ping>([&](const Ping&) { refuse(); });
    ecs.events.dispatch(Ping{}, 0.5);
    auto& spy = ecs.add_system<Plain>(0, [&](Recorder& r) {
        r.at_init = refuse;
        r.at_clear = refuse;
        r.at_update = [&](double, auto&, auto&) { refuse(); };
        r.at_add = r.at_remove = [&](Aspect&) { refuse(); };
        r.at_enabled = r.at_disabled = [&](auto&) { refuse(); };
    });
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e);
    ecs.remove<Position>(e);
    ecs.add<Position>(e);
    ecs.disable_system(spy);
    ecs.enable_system(spy);
    ecs.update(1);  // in the event handler and in the system
    ecs.remove_entity(e);
    ecs.update(1);  // in the system and in on_remove
    ecs.clear();
    EXPECT_EQ(refused, 11);
    EXPECT_EQ(ecs.wall_time(), 2);
}

TEST(Update, S6_every_operation_inside_update_takes_effect_immediately) {
    ECS ecs;
    auto& spy = ecs.add_system<Plain>(0);
    auto& later = ecs.add_system<Spy<Requires<Position, Health>>>(1);
    spy.at_update = [&](double, Entities<Aspect>& entities, auto&) {
        const Entity e = ecs.add_entity();
        ecs.add<Position>(e, {1, 0});
        EXPECT_TRUE(entities.contains(e));
        ecs.add<Health>(e);
        EXPECT_EQ(later.tracking(), Ids{e});
        ecs.remove<Health>(e);
        EXPECT_TRUE(later.tracking().empty());
        ecs.add<Health>(e);
        ecs.remove_entity(e);
        EXPECT_TRUE(ecs.alive(e));
        EXPECT_TRUE(entities.contains(e));
    };
    later.at_update = [&](double, Entities<Aspect>& entities, auto&) { EXPECT_EQ(entities.size(), 1u); };
    ecs.update();
    EXPECT_EQ(ecs.count(), 0u);
    EXPECT_EQ(later.removed.size(), 2u);
}

TEST(Update, S6_storages_can_grow_during_an_iteration) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Position>, Watches<Position>>>(0);
    for (int i = 0; i < 2; ++i) ecs.add<Position>(ecs.add_entity(), {1, 1});
    spy.at_update = [&](double, Entities<Aspect>& entities, DirtySet& dirty) {
        float sum = 0;
        for (auto [e, aspect] : entities) {
            for (int i = 0; i < 3000; ++i) ecs.add<Position>(ecs.add_entity(), {1, 1});
            sum += aspect.get<Position>().x;
        }
        EXPECT_EQ(sum, 2);
        EXPECT_EQ(iterate(dirty).size(), 6002u);
    };
    ecs.update();
    EXPECT_TRUE(spy.dirty().empty());
}

TEST(Update, M3_a_system_can_update_another_ecs) {
    ECS outer;
    ECS inner;
    auto& in = inner.add_system<Plain>(0);
    auto& out = outer.add_system<Plain>(0);
    out.at_update = [&](double, auto&, auto&) { inner.update(0.5); };
    outer.update(1);
    EXPECT_EQ(in.updates, 1);
    EXPECT_EQ(in.delta, 0.5);
}

namespace {

/// Overrides `update` with one, two or three parameters, or two of them.
struct WithDelta : System<> {
    WithDelta() { require<Position>(); }
    void update(double delta) override { last = delta; }
    double last = 0;
};
struct WithEntities : System<> {
    WithEntities() { require<Position>(); }
    void update(double, Entities& entities) override { tracked = entities.size(); }
    std::size_t tracked = 0;
};
struct WithDirty final : System<> {
    WithDirty() {
        require<Position>();
        watch<Position>();
    }
    std::size_t visited = 0;

private:
    void update(double, Entities&, Dirty& dirty) override { visited = iterate(dirty).size(); }
};
struct WithTwo final : WithEntities {
    using WithEntities::update;
    void update(double, Entities& entities, Dirty& dirty) override { WithEntities::update(dirty.size(), entities); }
};
struct Derived final : WithDelta {};

}  // namespace

TEST(Update, S5_update_may_omit_trailing_parameters) {
    ECS ecs;
    ecs.add<Position>(ecs.add_entity());
    auto& delta = ecs.add_system<WithDelta>(0);
    auto& derived = ecs.add_system<Derived>(0);
    auto& entities = ecs.add_system<WithEntities>(0);
    auto& dirty = ecs.add_system<WithDirty>(0);
    auto& two = ecs.add_system<WithTwo>(0);
    ecs.update(0.25);
    EXPECT_EQ(delta.last, 0.25);
    EXPECT_EQ(derived.last, 0.25);
    EXPECT_EQ(entities.tracked, 1u);
    EXPECT_EQ(dirty.visited, 1u);
    EXPECT_EQ(two.tracked, 1u);
}

TEST(Update, S6_update_and_remove_marked_are_errors_in_every_callback) {
    ECS ecs;
    int checks = 0;
    const auto check = [&] {
        ++checks;
        EXPECT_ERROR(ecs.update(), ErrorCode::reentrant_update);
        EXPECT_ERROR(ecs.remove_marked(), ErrorCode::reentrant_update);
    };
    auto& spy = ecs.add_system<Spy<Requires<Position>>>(0, Recorder::Setup([&](Recorder& r) { r.at_init = check; }));
    spy.at_add = spy.at_remove = [&](Aspect&) { check(); };
    spy.at_update = [&](double, auto&, auto&) { check(); };
    spy.at_enabled = spy.at_disabled = [&](auto&) { check(); };
    spy.at_clear = check;
    const auto unsubscribe = ecs.events.subscribe<Ping>([&](const Ping&) { check(); });
    const Entity e = ecs.add_entity(Position{});
    ecs.remove<Position>(e);
    ecs.toggle_system(spy);
    ecs.toggle_system(spy);
    ecs.update();
    EXPECT_EQ(checks, 6);
    ecs.clear();
    ecs.events.dispatch(Ping{});       // outside of an update
    ecs.events.dispatch(Ping{}, 0.1);  // in the next one
    ecs.update(0.2);
    EXPECT_EQ(checks, 10);

    struct MakingAspect final : Aspect {};
    struct Making final : System<MakingAspect> {
        Making() { require<Position>(); }
        void update(double) override {}
        std::unique_ptr<MakingAspect> make_aspect() override {
            make();
            return std::make_unique<MakingAspect>();
        }
        std::function<void()> make;
    };
    auto& making = ecs.add_system<Making>(0);
    making.make = check;
    ecs.add_entity(Position{});
    EXPECT_EQ(checks, 12);
}

TEST(Update, M5_frame_is_the_number_of_updates_that_have_ended) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Position>>>(0);
    std::vector<double> frames;
    spy.at_update = [&](double, auto&, auto&) {
        frames.push_back(ecs.clock().frame());
        if (frames.size() == 2) throw Oops("update");
    };
    ecs.update();
    EXPECT_THROW(ecs.update(), Oops);
    ecs.update();
    EXPECT_ERROR(ecs.update(-1), ErrorCode::bad_argument);
    EXPECT_EQ(frames, (std::vector<double>{0, 1, 2}));
    EXPECT_EQ(ecs.clock().frame(), 3);
}

TEST(Update, M5_the_time_scale_is_that_of_the_clock_or_of_the_call) {
    ECS ecs;
    auto& game = ecs.add_system<Spy<Requires<Position>>>(0);
    ecs.clock().time_scale(4);
    EXPECT_EQ(ecs.update(0.5), 2);
    EXPECT_EQ(ecs.update(0.5, 1), 0.5);
    EXPECT_EQ(game.delta, 0.5);
    ecs.clock().time_scale(0);
    EXPECT_EQ(ecs.update(0.5), 0);
    EXPECT_EQ(game.updates, 2);
}

namespace {
/// A system that runs if `runs` is true.
struct Conditional : System<> {
    Conditional() {
        require<Position>();
        watch<Position>();
    }
    bool when(const ECS&) override {
        ++asked;
        if (throws) throw Oops("no answer");
        return runs;
    }
    void update(double delta, Entities&, Dirty& dirty) override {
        deltas.push_back(delta);
        visited.push_back(iterate(dirty));
    }
    using System::interval;
    using System::only_when_dirty;
    bool runs = true;
    bool throws = false;
    int asked = 0;
    std::vector<double> deltas;
    std::vector<Ids> visited;
};
}  // namespace

TEST(Update, S15_a_system_whose_condition_is_false_is_skipped_and_its_dirty_set_accumulates) {
    ECS ecs;
    auto& system = ecs.add_system<Conditional>(0);
    const Entity a = ecs.add_entity(Position{});
    const Entity b = ecs.add_entity(Position{});
    ecs.update(1);
    system.runs = false;
    ecs.dirty<Position>(b);
    ecs.update(1);
    ecs.dirty<Position>(a);
    ecs.update(1);
    EXPECT_EQ(system.asked, 3);
    EXPECT_EQ(system.dirty_set().size(), 2u);
    EXPECT_EQ(system.dirty_set().last_visited(), 0u);
    system.runs = true;
    ecs.update(1);
    ecs.update(1);
    EXPECT_EQ(system.visited, (std::vector<Ids>{{a, b}, {b, a}, {}}));
    EXPECT_EQ(system.deltas, (std::vector<double>{1, 1, 1}));
}

TEST(Update, S15_the_time_of_an_interval_counts_while_the_condition_is_false) {
    ECS ecs;
    auto owned = std::make_unique<Conditional>();
    owned->interval(0.5);
    auto& system = ecs.add_system(0, std::move(owned));
    system.runs = false;
    for (int i = 0; i < 3; ++i) ecs.update(0.25);
    EXPECT_EQ(system.asked, 2) << "not before the interval has passed";
    system.runs = true;
    for (int i = 0; i < 3; ++i) ecs.update(0.25);
    EXPECT_EQ(system.deltas, (std::vector<double>{1, 0.5}));
}

TEST(Update, S15_a_system_is_asked_only_when_all_else_allows_a_run) {
    ECS ecs;
    auto owned = std::make_unique<Conditional>();
    owned->only_when_dirty();
    auto& system = ecs.add_system(0, std::move(owned));
    ecs.update();
    ecs.disable_system(system);
    ecs.add_entity(Position{});
    ecs.update();
    ecs.enable_system(system);
    ecs.clock().paused = true;
    ecs.update();
    EXPECT_EQ(system.asked, 0);
    ecs.clock().paused = false;
    ecs.update();
    EXPECT_EQ(system.asked, 1);
    EXPECT_EQ(system.deltas.size(), 1u);
}

TEST(Update, S15_a_system_of_another_language_is_asked_only_if_it_has_a_condition) {
    struct Foreign final : SystemBase {
        explicit Foreign(bool asks) {
            require_none();
            set_condition_(asks);
        }
        bool when(const ECS&) override { return ++asked > 0; }
        void run_(double) override { ++runs; }
        void notify_add_(Entity) override {}
        void notify_remove_(Entity) override {}
        void notify_enabled_() override {}
        void notify_disabled_() override {}
        int asked = 0;
        int runs = 0;
    };
    ECS ecs;
    const Foreign& asks = ecs.add_system<Foreign>(0, true);
    const Foreign& asks_not = ecs.add_system<Foreign>(0, false);
    ecs.update();
    EXPECT_EQ(asks.asked, 1);
    EXPECT_EQ(asks_not.asked, 0) << "each call crosses the language boundary";
    EXPECT_EQ(asks_not.runs, 1);
}

TEST(Update, S15_what_a_condition_throws_ends_the_frame) {
    ECS ecs;
    auto& system = ecs.add_system<Conditional>(0);
    auto& later = ecs.add_system<Spy<Requires<Position>>>(1);
    const Entity e = ecs.add_entity(Position{});
    ecs.remove_entity(e);
    system.throws = true;
    EXPECT_THROW(ecs.update(), Oops);
    EXPECT_EQ(later.updates, 0);
    EXPECT_TRUE(ecs.alive(e));
    EXPECT_EQ(system.dirty_set().size(), 1u);
    system.throws = false;
    ecs.update();
    EXPECT_EQ(later.updates, 1);
    EXPECT_EQ(system.visited, (std::vector<Ids>{{e}}));
    EXPECT_FALSE(ecs.alive(e));
}

TEST(Update, S16_a_system_that_overrides_another_callback_needs_no_update) {
    struct Listener : System<> {
        Listener() { require<Position>(); }
        void on_add(Aspect&) override { ++added; }
        int added = 0;
    };
    ECS ecs;
    auto& listener = ecs.add_system<Listener>(0);
    ecs.add_entity(Position{});
    ecs.update();
    EXPECT_EQ(listener.added, 1);
}

TEST(Update, S11_a_run_that_throws_does_not_count_for_the_interval) {
    struct Timed final : System<> {
        Timed() {
            require_none();
            interval(1);
        }
        void update(double delta) override {
            deltas.push_back(delta);
            if (fails) throw Oops("update");
        }
        std::vector<double> deltas;
        bool fails = true;
    };
    ECS ecs;
    auto& timed = ecs.add_system<Timed>(0);
    ecs.update(0.75);
    EXPECT_THROW(ecs.update(0.75), Oops);
    EXPECT_THROW(ecs.update(0.25), Oops);
    timed.fails = false;
    ecs.update(0.25);
    ecs.update(0.75);
    ecs.update(0.75);
    EXPECT_EQ(timed.deltas, (std::vector<double>{1.5, 1.75, 2, 1.5}));
}

TEST(Update, S11_time_counts_in_a_frame_that_an_earlier_system_ends_by_throwing) {
    struct Failing final : System<> {
        Failing() { require_none(); }
        void update(double) override {
            if (fails) throw Oops("update");
        }
        bool fails = false;
    };
    struct Timed final : System<> {
        Timed() {
            require_none();
            interval(1);
        }
        void update(double delta) override { deltas.push_back(delta); }
        std::vector<double> deltas;
    };
    ECS ecs;
    auto& failing = ecs.add_system<Failing>(0);
    auto& timed = ecs.add_system<Timed>(1);
    ecs.update(0.5);
    failing.fails = true;
    EXPECT_THROW(ecs.update(0.5), Oops);
    EXPECT_THROW(ecs.update(0.25), Oops);
    EXPECT_TRUE(timed.deltas.empty());
    failing.fails = false;
    ecs.update(0.25);
    EXPECT_EQ(timed.deltas, std::vector<double>{1.5});
}

TEST(Update, M2_a_frame_in_which_slow_motion_ends_is_slowed_as_a_whole) {
    for (const auto style : {SlowMotion::Style::scale, SlowMotion::Style::step}) {
        ECS ecs;
        ecs.slow_motion().style = style;
        ecs.slow_motion().request(2, 0.25);
        EXPECT_EQ(ecs.update(1), style == SlowMotion::Style::scale ? 0.5 : 0);
        EXPECT_EQ(ecs.update(1), 1);
    }
}

TEST(Update, S19_systems_run_outside_of_updates_in_the_given_order) {
    ECS ecs;
    auto& first = ecs.add_system<Spy<Requires<Position>, Watches<Position>>>(1);
    auto& second = ecs.add_system<Spy<Requires<Position>, Watches<Position>>>(2, true);
    auto& other = ecs.add_system<Spy<Requires<Position>, Watches<Position>>>(3);
    std::vector<int> order;
    first.at_update = [&](double, Entities<Aspect>&, DirtySet&) { order.push_back(1); };
    second.at_update = [&](double, Entities<Aspect>&, DirtySet&) { order.push_back(2); };
    const Ids all = ecs.add_entities(2);
    for (const Entity e : all) ecs.add<Position>(e);
    ecs.remove_entity(all[1]);
    ecs.set_paused(true);
    ecs.run({&second, &first}, 0.5);
    EXPECT_EQ(order, (std::vector<int>{2, 1}));
    EXPECT_EQ(first.delta, 0.5);
    EXPECT_EQ(first.dirty_at_update, all);
    EXPECT_TRUE(first.dirty_set().empty());
    EXPECT_EQ(other.updates, 0);
    EXPECT_EQ(other.dirty_set().size(), 2u);
    EXPECT_TRUE(ecs.alive(all[1]));
    EXPECT_EQ(ecs.game_time(), 0);
    EXPECT_EQ(ecs.clock().frame(), 0);
}

TEST(Update, S19_the_first_error_ends_the_runs_and_that_system_keeps_its_dirty_set) {
    ECS ecs;
    auto& bad = ecs.add_system<Spy<Requires<Position>, Watches<Position>>>(1);
    auto& next = ecs.add_system<Plain>(2);
    ecs.add<Position>(ecs.add_entity());
    bad.at_update = [](double, Entities<Aspect>&, DirtySet&) { throw Oops("bad"); };
    EXPECT_THROW(ecs.run({&bad, &next}), Oops);
    EXPECT_EQ(bad.dirty_set().size(), 1u);
    EXPECT_EQ(next.updates, 0);
    bad.at_update = [&](double, Entities<Aspect>&, DirtySet&) { ecs.remove_system(next); };
    ecs.run({&bad, &next});
    EXPECT_TRUE(bad.dirty_set().empty());
}

TEST(Update, S19_a_wrong_delta_or_system_and_calls_in_callbacks_are_errors) {
    ECS ecs, another;
    auto& one = ecs.add_system<Plain>(1);
    auto& foreign = another.add_system<Plain>(1);
    for (const double delta : {-1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
        EXPECT_ERROR(ecs.run(one, delta), ErrorCode::bad_argument);
    EXPECT_ERROR(ecs.run({&one, &foreign}), ErrorCode::bad_system);
    EXPECT_ERROR(ecs.run({&one, nullptr}), ErrorCode::bad_system);
    EXPECT_EQ(one.updates, 0);
    one.at_update = [&](double, Entities<Aspect>&, DirtySet&) {
        EXPECT_ERROR(ecs.run(one), ErrorCode::reentrant_update);
    };
    ecs.update();
    EXPECT_EQ(one.updates, 1);
}
