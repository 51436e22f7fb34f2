#include "crateful/system.hpp"

#include "world.hpp"

using namespace test;

namespace room {
struct Walker : System<> {
    Walker() { require<Position>(); }
    void update(double) override {}
};
template <class C>
struct Template final : System<> {
    Template() { require<C>(); }
    void update(double) override {}
};
struct Outer {
    template <class C, int n>
    struct Inner final : Walker {};
};
}  // namespace room

namespace {

struct Hidden final : room::Walker {};
struct Renamed final : room::Walker {
    [[nodiscard]] std::string name() const override { return "something else"; }
};

template <class S>
[[nodiscard]] std::string name_of() {
    ECS ecs;
    return ecs.add_system<S>(0).name();
}
template <class T>
[[nodiscard]] std::string name_of_local_class(const std::function<void(T)>&) {
    struct Local final : room::Walker {};
    return name_of<Local>();
}

}  // namespace

TEST(System, P1_the_name_of_a_system_is_its_class_unless_overridden) {
    EXPECT_EQ(name_of<room::Walker>(), "Walker");
    EXPECT_EQ(name_of<Hidden>(), "Hidden");
    EXPECT_EQ(name_of<Renamed>(), "something else");
    {
        struct Local final : room::Walker {};
        EXPECT_EQ(name_of<Local>(), "Local");
    }
    {
        struct Local final : room::Walker {};
        EXPECT_EQ(name_of<Local>(), "Local") << "the second of its name in this function";
    }
    EXPECT_EQ(name_of_local_class<int>({}), "Local");
    const auto in_lambda = [](const std::vector<int>&) {
        struct Local final : room::Walker {};
        return name_of<Local>();
    };
    EXPECT_EQ(in_lambda({}), "Local");
}

TEST(System, P1_the_name_of_a_system_has_no_template_arguments) {
    EXPECT_EQ(name_of<room::Template<Position>>(), "Template");
    EXPECT_EQ((name_of<room::Outer::Inner<std::vector<Position>, 3>>()), "Inner");
}

TEST(System, P1_a_system_added_by_pointer_has_the_name_of_its_class) {
    ECS ecs;
    EXPECT_EQ(ecs.add_system(0, std::make_unique<Hidden>()).name(), "Hidden");
    EXPECT_EQ(ecs.get_system<Hidden>().name(), "Hidden");
}

TEST(System, P1_a_system_has_no_name_before_it_is_added) { EXPECT_EQ(room::Walker().name(), ""); }

TEST(System, S2_a_class_that_is_named_twice_is_required_once) {
    const Spy<Requires<Position, Velocity, Position>, Watches<Health, Health>> spy;
    EXPECT_EQ(spy.required(), (std::vector{component_id<Position>(), component_id<Velocity>()}));
    EXPECT_EQ(spy.watched(), std::vector{component_id<Health>()});
    EXPECT_TRUE(spy.watches_any());
}

TEST(System, S4_the_constructor_has_parameters_disabled_and_debug) {
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

TEST(Entities, T4_an_iteration_visits_each_entity_with_its_aspect) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    const Ids all = ecs.add_entities(20);
    for (const Entity e : all) ecs.add<Health>(e, {static_cast<int>(static_cast<std::uint32_t>(e))});
    Ids visited;
    for (auto [e, aspect] : spy.entities()) {
        EXPECT_EQ(aspect.entity(), e);
        EXPECT_EQ(&aspect, &spy.entities().get(e));
        visited.push_back(e);
    }
    EXPECT_EQ(visited, all);
}

TEST(Entities, T4_entities_that_stop_being_tracked_during_an_iteration_are_not_visited) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    const Ids all = ecs.add_entities(6);
    for (const Entity e : all) ecs.add<Health>(e);
    Ids visited;
    for (auto [e, aspect] : spy.entities()) {
        visited.push_back(e);
        if (e == all[1]) {
            ecs.remove<Health>(all[0]);
            ecs.remove<Health>(all[1]);
            ecs.remove<Health>(all[4]);
        }
    }
    std::sort(visited.begin(), visited.end());
    EXPECT_EQ(visited, (Ids{all[0], all[1], all[2], all[3], all[5]}));
}

TEST(Entities, T4_nested_iterations_visit_all_pairs) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    for (const Entity e : ecs.add_entities(8)) ecs.add<Health>(e);
    int pairs = 0;
    for (auto [e, a] : spy.entities()) {
        for (auto [f, b] : spy.entities()) pairs += a.entity() < b.entity() && e < f ? 1 : 0;
    }
    EXPECT_EQ(pairs, 28);

    // Each outer step untracks the current entity inside the inner loop: no entity is skipped.
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

TEST(Entities, T4_entities_tracked_during_an_iteration_are_not_visited_and_the_loop_can_be_left_early) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    for (int i = 0; i < 7; ++i) ecs.add<Health>(ecs.add_entity());
    for (const int most : {5, 100}) {
        int visits = 0;
        for ([[maybe_unused]] const auto each : spy.entities()) {
            if (++visits == most) break;
            ecs.add<Health>(ecs.add_entity());
        }
        EXPECT_EQ(visits, std::min(most, 7 + 4)) << "4 were added by the first loop";
    }
    EXPECT_EQ(iterate(spy.entities()).size(), 7u + 4u + 11u);
}
