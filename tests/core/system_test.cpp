#include "crateful/system.hpp"

#include "world.hpp"

using namespace test;

namespace room {
struct Walker : System<> {
    Walker() { require<Position>(); }
    void update(double, Entities<Aspect>&, DirtySet&) override {}
};
template <class C>
struct Eater final : System<> {
    Eater() { require<C>(); }
    void update(double, Entities<Aspect>&, DirtySet&) override {}
};
}  // namespace room

namespace {
struct Hidden final : room::Walker {};
struct Renamed final : room::Walker {
    [[nodiscard]] std::string name() const override { return "something else"; }
};
}  // namespace

TEST(System, P1_a_system_is_called_by_its_class_unless_it_says_otherwise) {
    EXPECT_EQ(room::Walker().name(), "Walker");
    EXPECT_EQ(Hidden().name(), "Hidden");
    EXPECT_EQ(Renamed().name(), "something else");
    {
        struct Local final : room::Walker {};
        EXPECT_EQ(Local().name(), "Local");
    }
    {
        struct Local final : room::Walker {};
        EXPECT_EQ(Local().name(), "Local") << "the second of its name in this function";
    }
}

TEST(System, P1_a_template_is_called_by_its_own_name_not_its_argument) {
    EXPECT_EQ(room::Eater<Position>().name().substr(0, 5), "Eater");
}

TEST(System, S2_naming_a_class_twice_requires_it_once) {
    const Spy<Requires<Position, Velocity, Position>, Watches<Health, Health>> spy;
    EXPECT_EQ(spy.required(), (std::vector{component_id<Position>(), component_id<Velocity>()}));
    EXPECT_EQ(spy.watched(), std::vector{component_id<Health>()});
    EXPECT_TRUE(spy.watches_any());
}

TEST(System, S4_the_constructor_takes_disabled_and_debug) {
    using S = Spy<Requires<Position>>;
    EXPECT_TRUE(S().enabled());
    EXPECT_FALSE(S().debug());
    EXPECT_FALSE(S(true).enabled());
    EXPECT_TRUE(S(true, true).debug());
}

TEST(System, D1_a_system_that_watches_nothing_has_no_dirty_set) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Position>>>(0);
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e);
    ecs.dirty<Position>(e);
    EXPECT_TRUE(spy.dirty().empty());
    EXPECT_EQ(spy.dirty_set().set().bytes(), 0u);
    EXPECT_EQ(ecs.storage<Position>().control().watchers, 0u);
}

TEST(System, D1_a_storage_counts_the_systems_that_watch_its_class) {
    ECS ecs;
    auto& one = ecs.add_system<Spy<Requires<Position>, Watches<Health>>>(0);
    ecs.add_system<Spy<Requires<Position>, Watches<Health, Position>>>(0);
    EXPECT_EQ(ecs.storage<Health>().control().watchers, 2u);
    ecs.remove_system(one);
    EXPECT_EQ(ecs.storage<Health>().control().watchers, 1u);
    EXPECT_EQ(ecs.storage<Position>().control().watchers, 1u);
}

TEST(Entities, T4_iteration_visits_each_with_its_aspect) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    const Ids all = ecs.add_entities(20);
    for (const Entity e : all) ecs.add<Health>(e, {static_cast<int>(static_cast<std::uint32_t>(e))});
    Ids seen;
    for (auto [e, aspect] : spy.entities()) {
        EXPECT_EQ(aspect.entity(), e);
        EXPECT_EQ(&aspect, &spy.entities().get(e));
        seen.push_back(e);
    }
    EXPECT_EQ(seen, all);
}

TEST(Entities, T4_entities_that_leave_during_an_iteration_are_not_visited) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    const Ids all = ecs.add_entities(6);
    for (const Entity e : all) ecs.add<Health>(e);
    Ids seen;
    for (auto [e, aspect] : spy.entities()) {
        seen.push_back(e);
        if (e == all[1]) {
            ecs.remove<Health>(all[0]);
            ecs.remove<Health>(all[1]);
            ecs.remove<Health>(all[4]);
        }
    }
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(seen, (Ids{all[0], all[1], all[2], all[3], all[5]}));
}

TEST(Entities, T4_nested_iterations_see_all_pairs_of_those_that_stay) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    for (const Entity e : ecs.add_entities(8)) ecs.add<Health>(e);
    int pairs = 0;
    for (auto [e, a] : spy.entities()) {
        for (auto [f, b] : spy.entities()) pairs += a.entity() < b.entity() && e < f ? 1 : 0;
    }
    EXPECT_EQ(pairs, 28);

    // Each outer step takes away the current one from inside the inner loop: nobody is skipped.
    Ids outer;
    for (const auto one : spy.entities()) {
        outer.push_back(one.first);
        for (const auto other : spy.entities()) {
            if (other.first != one.first) continue;
            ecs.remove<Health>(other.first);
            break;
        }
    }
    EXPECT_EQ(outer.size(), 8u);
    EXPECT_TRUE(spy.tracking().empty());
}

TEST(Entities, T4_entities_that_join_are_reached_and_a_break_ends_cleanly) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    ecs.add<Health>(ecs.add_entity());
    int visits = 0;
    for ([[maybe_unused]] const auto each : spy.entities()) {
        if (++visits == 5) break;
        ecs.add<Health>(ecs.add_entity());
    }
    EXPECT_EQ(visits, 5);
    EXPECT_EQ(iterate(spy.entities()).size(), 5u);
}
