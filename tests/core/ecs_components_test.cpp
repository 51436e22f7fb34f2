// Adding, replacing, removing and reading components (rules C1 to C6).
#include <cmath>

#include "world.hpp"

using namespace test;

namespace {

/// Watches Position, without callbacks.
struct Quiet final : System<> {
    Quiet() {
        require<Position>();
        watch<Position>();
    }
    void update(double) override {}
};

}  // namespace

TEST(Components, C1_adding_again_replaces_without_on_remove_and_on_add) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>, Watches<Health>>>(0);
    const Entity e = ecs.add_entity();
    ecs.add<Health>(e, {1});
    ecs.update();
    ecs.add<Health>(e, {2});
    EXPECT_EQ(ecs.get<Health>(e).points, 2);
    EXPECT_EQ(ecs.storage<Health>().count(), 1u);
    EXPECT_EQ(spy.added, Ids{e});
    EXPECT_TRUE(spy.removed.empty());
    EXPECT_EQ(spy.dirty(), Ids{e}) << "the new component signals";
}

TEST(Components, C2_remove_returns_whether_there_was_a_component) {
    ECS ecs;
    const Entity e = ecs.add_entity();
    EXPECT_FALSE(ecs.remove<Health>(e));
    ecs.add<Health>(e);
    EXPECT_TRUE(ecs.remove<Health>(e));
    EXPECT_FALSE(ecs.remove<Health>(e));
    EXPECT_FALSE(ecs.has<Health>(e));
    EXPECT_FALSE(ecs.by_id().remove(e, 1'000'000)) << "an unknown class";
}

TEST(Components, C6_has_get_and_try_get) {
    ECS ecs;
    const Entity e = ecs.add_entity();
    EXPECT_FALSE(ecs.has<Health>(e));
    EXPECT_EQ(ecs.try_get<Health>(e), nullptr);
    EXPECT_ERROR(ecs.get<Health>(e), ErrorCode::missing_component);
    ecs.add<Health>(e, {5});
    EXPECT_TRUE(ecs.has<Health>(e));
    EXPECT_FALSE((ecs.has<Health, Position>(e)));
    EXPECT_EQ(ecs.try_get<Health>(e)->points, 5);
    EXPECT_EQ(&ecs.get<Health>(e), ecs.try_get<Health>(e));
}

TEST(Components, C6_a_const_ecs_reads_components_and_cannot_change_them) {
    ECS ecs;
    const ECS& constant = ecs;
    EXPECT_EQ(constant.storage<Health>().count(), 0u) << "before the first component of the class";
    const Entity e = ecs.add_entity(Health{5}, Name{"crate"});
    EXPECT_TRUE(constant.alive(e));
    EXPECT_TRUE((constant.has<Health, Name>(e)));
    EXPECT_EQ(constant.get<Health>(e).points, 5);
    EXPECT_EQ(constant.try_get<Position>(e), nullptr);
    EXPECT_EQ(&constant.storage<Health>(), &ecs.storage<Health>());
    EXPECT_EQ(constant.storage<Health>().find(e), ecs.try_get<Health>(e));
    EXPECT_EQ(constant.game_time(), constant.clock().game_time());
    static_assert(std::is_same_v<decltype(constant.storage<Health>().values()), std::span<const Health>>);
    static_assert(std::is_same_v<decltype(constant.storage<Health>().at(0)), const Health&>);
    static_assert(std::is_same_v<decltype(constant.clock()), const Clock&>);
}

TEST(Components, C6_a_component_starts_with_its_default) {
    struct Lives {
        int left = 3;
    };
    ECS ecs;
    const Entity e = ecs.add_entity();
    ecs.add<Lives>(e);
    EXPECT_EQ(ecs.get<Lives>(e).left, 3);
    ecs.modify<Lives>(e, [](Lives& l) { l.left = 0; });
    ecs.remove<Lives>(e);
    ecs.add<Lives>(e);
    EXPECT_EQ(ecs.get<Lives>(e).left, 3);
}

TEST(Components, C10_set_adds_a_missing_component_which_signals) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>, Watches<Health>>>(0);
    const Entity e = ecs.add_entity();
    ecs.set<Health>(e, {2});
    EXPECT_EQ(ecs.get<Health>(e).points, 2);
    EXPECT_EQ(spy.added, Ids{e});
    EXPECT_EQ(spy.dirty(), Ids{e});
}

TEST(Components, C10_set_signals_only_if_the_value_differs) {
    struct Label {
        std::string text;
        bool operator==(const Label&) const = default;
    };
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Velocity, Label, Tag>, Watches<Velocity, Label, Tag>>>(0);
    const Entity e = ecs.add_entity(Velocity{NAN}, Label{"crate"}, Tag{});
    ecs.update();
    ecs.set(e, Velocity{NAN});
    ecs.set(e, Label{"crate"});
    ecs.set(e, Tag{});
    EXPECT_TRUE(spy.dirty().empty());
    ecs.set(e, Velocity{4});
    EXPECT_EQ(spy.dirty(), Ids{e});
    ecs.update();
    ecs.set(e, Label{"barrel"});
    EXPECT_EQ(spy.dirty(), Ids{e});
    EXPECT_EQ(ecs.get<Velocity>(e).x, 4);
    EXPECT_EQ(ecs.get<Label>(e).text, "barrel");
    EXPECT_EQ(spy.added.size(), 1u);
    EXPECT_TRUE(spy.removed.empty());
}

TEST(Components, C10_emplace_constructs_a_component_from_its_arguments) {
    struct Named {
        explicit Named(const char* text = "", int times = 1) {
            for (int i = 0; i < times; ++i) name += text;
        }
        std::string name;
    };
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Position>, Watches<Position>>>(0);
    const Entity e = ecs.add_entity();
    ecs.emplace<Named>(e, "ab", 2);
    EXPECT_EQ(ecs.get<Named>(e).name, "abab");
    ecs.emplace<Named>(e);
    EXPECT_EQ(ecs.get<Named>(e).name, "");
    ecs.emplace<Position>(e, 1.f, 2.f);  // has no constructor
    EXPECT_EQ(ecs.get<Position>(e).y, 2);
    ecs.update();
    ecs.emplace<Position>(e, 1.f, 2.f);
    EXPECT_EQ(spy.dirty(), Ids{e}) << "a replacement signals, as that of add";
}

TEST(Components, C10_set_for_a_stale_entity_is_an_error_that_names_the_call) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    const Entity e = ecs.add_entity(Health{1});
    ecs.remove_entity(e);
    ecs.update();
    EXPECT_ERROR(ecs.set<Health>(e, {2}), ErrorCode::stale_entity);
    try {
        ecs.set<Health>(e, {2});
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "set: entity 1 (index 1, generation 0) is not alive");
    }
    EXPECT_EQ(ecs.storage<Health>().count(), 0u);
    EXPECT_EQ(spy.added.size(), 1u);
}

TEST(Components, E7_one_value_can_be_given_for_all_entities) {
    ECS ecs;
    const Ids all = ecs.add_entities(10);
    const Name name{"a text that is owned by each of them"};
    ecs.add<Name>(all, std::span(&name, 1));
    for (const Entity e : all) EXPECT_EQ(ecs.get<Name>(e).text, name.text);
}

TEST(Components, E7_a_wrong_number_of_values_is_an_error_and_adds_none) {
    ECS ecs;
    const Ids all = ecs.add_entities(4);
    const std::vector<Health> values(3);
    EXPECT_ERROR(ecs.add<Health>(all, std::span<const Health>(values)), ErrorCode::bad_argument);
    EXPECT_ERROR(ecs.add<Health>(all, std::span<const Health>()), ErrorCode::bad_argument);
    EXPECT_EQ(ecs.storage<Health>().count(), 0u);
}

TEST(Components, E7_an_entity_that_is_listed_twice_has_the_last_value) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    const Entity e = ecs.add_entity();
    const Ids twice{e, e};
    const std::vector<Health> values{{1}, {2}};
    ecs.add<Health>(twice, std::span<const Health>(values));
    EXPECT_EQ(ecs.get<Health>(e).points, 2);
    EXPECT_EQ(spy.added, Ids{e});
    EXPECT_EQ(ecs.remove<Health>(twice), 1u);
    EXPECT_EQ(spy.removed, Ids{e});
}

TEST(Components, E7_replacing_the_components_of_tracked_entities_needs_no_more_memory) {
    ECS ecs;
    auto& system = ecs.add_system<Quiet>(0);
    const Ids all = ecs.add_entities(3000);
    ecs.add<Position>(std::span<const Entity>(all), std::vector<Position>(1));
    const std::size_t before = system.tracked().bytes() + system.dirty_set().set().bytes();
    EXPECT_EQ(system.tracked().capacity(), 3000u) << "it grows once, to what is needed";
    for (int i = 0; i < 3; ++i) ecs.add<Position>(std::span<const Entity>(all), std::vector<Position>(1));
    EXPECT_EQ(system.tracked().bytes() + system.dirty_set().set().bytes(), before);
}

TEST(Components, E7_all_entities_have_the_component_before_the_first_callback) {
    ECS ecs;
    const Ids all = ecs.add_entities(5);
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    spy.at_add = [&](Aspect&) {
        for (const Entity e : all) EXPECT_TRUE(ecs.has<Health>(e));
    };
    const Health one{1};
    ecs.add<Health>(all, std::span(&one, 1));
    EXPECT_EQ(spy.added, all);
}

TEST(Components, E7_removing_from_all_entities_of_a_storage_removes_all) {
    ECS ecs;
    const Ids all = ecs.add_entities(50);
    const Health one{1};
    ecs.add<Health>(all, std::span(&one, 1));
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    spy.at_remove = [&](Aspect&) { ecs.add<Health>(ecs.add_entity()); };  // the list grows during the call
    EXPECT_EQ(ecs.remove<Health>(ecs.storage<Health>().entities()), 50u);
    for (const Entity e : all) EXPECT_FALSE(ecs.has<Health>(e));
    EXPECT_EQ(ecs.storage<Health>().count(), 50u);
}

TEST(Components, E7_adding_to_all_tracked_entities_while_callbacks_change_the_list) {
    ECS ecs;
    auto& healthy = ecs.add_system<Spy<Requires<Health>>>(0);
    auto& moving = ecs.add_system<Spy<Requires<Velocity>>>(1);
    moving.at_add = [&](Aspect& a) {
        ecs.remove<Health>(a.entity());  // is erased from the list, and another entity is added to it
        ecs.add<Health>(ecs.add_entity());
    };
    const Ids all = ecs.add_entities(20);
    for (const Entity e : all) ecs.add<Health>(e);
    const Velocity one{1};
    ecs.add<Velocity>(healthy.entities().ids(), std::span(&one, 1));
    EXPECT_EQ(moving.tracking(), all);
    EXPECT_EQ(healthy.tracking().size(), 20u);
}

TEST(Components, X1_if_copying_a_value_throws_no_component_is_added) {
    struct Fragile {
        Fragile() = default;
        explicit Fragile(bool b) : breaks(b) {}
        Fragile(const Fragile& other) { *this = other; }
        Fragile& operator=(const Fragile& other) {
            if (other.breaks) throw Oops("copy");
            return *this;
        }
        Fragile(Fragile&&) noexcept = default;
        Fragile& operator=(Fragile&&) noexcept = default;
        bool breaks = false;
    };
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Fragile>>>(0);
    const Ids all = ecs.add_entities(3);
    std::vector<Fragile> values;
    for (const bool b : {false, true, false}) values.emplace_back(b);
    EXPECT_THROW(ecs.add<Fragile>(all, std::span<const Fragile>(values)), Oops);
    EXPECT_EQ(ecs.storage<Fragile>().count(), 0u);
    EXPECT_TRUE(spy.tracking().empty());
    ecs.remove_entities(all);
    ecs.update();
    EXPECT_EQ(ecs.storage<Fragile>().count(), 0u);
}

TEST(Components, S8_adding_a_component_does_not_affect_systems_of_other_classes) {
    ECS ecs;
    auto& bystander = ecs.add_system<Spy<Requires<Position>, Watches<Position>>>(0);
    auto& concerned = ecs.add_system<Spy<Requires<Position, Health>>>(0);
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e);
    ecs.update();
    Aspect* aspect = &bystander.entities().get(e);
    for (int i = 0; i < 3; ++i) {
        ecs.add<Health>(e);
        ecs.remove<Health>(e);
    }
    EXPECT_EQ(concerned.added.size(), 3u);
    EXPECT_EQ(concerned.removed.size(), 3u);
    EXPECT_EQ(bystander.added.size(), 1u);
    EXPECT_TRUE(bystander.dirty().empty());
    EXPECT_EQ(&bystander.entities().get(e), aspect);
}

TEST(Components, S8_only_entities_with_all_required_components_are_tracked) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Position, Velocity, Health>>>(0);
    const Entity e = ecs.add_entity();
    ecs.add<Health>(e);
    ecs.add<Position>(e);
    EXPECT_TRUE(spy.tracking().empty());
    ecs.add<Velocity>(e);
    EXPECT_EQ(spy.tracking(), Ids{e});
    ecs.remove<Position>(e);
    ecs.remove<Velocity>(e);
    EXPECT_EQ(spy.removed, Ids{e});
}

TEST(Components, T4_components_can_be_removed_during_an_iteration_over_the_storage) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    const Ids all = ecs.add_entities(50);
    for (int i = 0; i < 50; ++i) ecs.add<Health>(all[static_cast<std::size_t>(i)], {i});
    int visits = 0;
    ecs.storage<Health>().each([&](Entity e) {
        ++visits;
        if (ecs.get<Health>(e).points % 2 == 0) ecs.remove<Health>(e);
    });
    EXPECT_EQ(visits, 50);
    EXPECT_EQ(spy.tracking().size(), 25u);
    for (int i = 1; i < 50; i += 2) EXPECT_EQ(ecs.get<Health>(all[static_cast<std::size_t>(i)]).points, i);
}

TEST(Components, T4_components_can_be_removed_during_an_iteration_over_the_storage_of_a_const_ecs) {
    ECS ecs;
    const Ids all = ecs.add_entities(50);
    for (const Entity e : all) ecs.add<Health>(e);
    Ids visited;
    std::as_const(ecs).storage<Health>().each([&](Entity e) {
        visited.push_back(e);
        ecs.remove<Health>(e);
    });
    EXPECT_EQ(visited.size(), 50u);
    EXPECT_EQ(ecs.storage<Health>().count(), 0u);
}

TEST(Components, C10_emplace_initialises_an_aggregate_with_values_of_other_types) {
    ECS ecs;
    const Entity e = ecs.add_entity();
    ecs.emplace<Position>(e, 1, 2.5);
    EXPECT_EQ(ecs.get<Position>(e).y, 2.5f);
    struct Body {
        Position at;
        int n = 7;
    };
    ecs.emplace<Body>(e, Position{3, 4});
    EXPECT_EQ(ecs.get<Body>(e).at.y, 4);
    EXPECT_EQ(ecs.get<Body>(e).n, 7);
    ecs.emplace<Body>(e, ecs.get<Body>(e));
    EXPECT_EQ(ecs.get<Body>(e).at.x, 3);
    ecs.emplace<Name>(e, "text");
    ecs.emplace<Position>(e);
}

TEST(Components, H3_removing_a_parent_like_another_component_is_an_error_whatever_the_entity_has) {
    ECS ecs;
    const Ids all = ecs.add_entities(2);
    for (int n = 0; n < 2; ++n) {
        EXPECT_ERROR(ecs.remove<Parent>(all[0]), ErrorCode::bad_argument);
        EXPECT_ERROR(ecs.remove<Parent>(all), ErrorCode::bad_argument);
        EXPECT_ERROR(ecs.remove<Parent>(Ids{}), ErrorCode::bad_argument);
        ecs.set_parent(all[1], all[0]);
    }
    ecs.remove_entity(all[0]);
    ecs.update();
    EXPECT_ERROR(ecs.remove<Parent>(all[0]), ErrorCode::stale_entity);
}

TEST(Components, C2_an_entity_that_is_twice_in_a_list_loses_one_component_and_no_other_entity_loses_one) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Tag>>>(0);
    const Ids all = ecs.add_entities(3);
    for (const Entity e : all) ecs.add<Position>(e), ecs.add<Name>(e), ecs.add<Indexed>(e), ecs.add<Tag>(e);
    const Ids list{all[0], all[1], all[0]};
    EXPECT_EQ(ecs.remove<Position>(list), 2u);
    EXPECT_EQ(ecs.remove<Name>(list), 2u);
    EXPECT_EQ(ecs.remove<Indexed>(list), 2u);
    EXPECT_EQ(ecs.remove<Tag>(list), 2u);
    EXPECT_TRUE((ecs.has<Position, Name, Indexed, Tag>(all[2])));
    EXPECT_EQ(spy.tracking(), Ids{all[2]});
}
