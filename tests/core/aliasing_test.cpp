// Arguments that refer to memory of the ECS (rule X3): components, arrays of storages, lists of entities. The storages grow
// during the calls. The address sanitizer detects a value that is read after it has moved.
#include <array>
#include <span>

#include "world.hpp"

using namespace test;

namespace {

struct Text {
    std::string text;
    bool operator==(const Text&) const = default;
};
struct Squad {
    std::array<Entity, 3> members{NONE, NONE, NONE};
};

/// An entity with a text and as many others as fill the storage, so that the next one makes it grow.
Entity fill_storage(ECS& ecs) {
    const Entity first = ecs.add_entity(Text{std::string(40, 'x')});
    const auto full = [&] { return ecs.storage<Text>().count() == ecs.storage<Text>().capacity(); };
    while (!full()) ecs.add_entity(Text{"other"});
    return first;
}

}  // namespace

TEST(Aliasing, X3_a_component_of_the_ecs_is_an_override_of_a_prefab) {
    ECS ecs;
    auto prefab = ecs.prefab(Text{}, Position{});
    const Entity e = fill_storage(ecs);
    EXPECT_EQ(ecs.get<Text>(prefab.spawn(ecs.get<Text>(e))).text, std::string(40, 'x'));
    EXPECT_EQ(ecs.get<Text>(e).text, std::string(40, 'x'));
}

TEST(Aliasing, X3_the_values_of_a_storage_are_columns_of_a_prefab) {
    ECS ecs;
    auto prefab = ecs.prefab(Text{}, Position{});
    fill_storage(ecs);
    const std::size_t n = ecs.storage<Text>().count();
    Ids out(n);
    prefab.spawn(std::span(out), std::span<const Text>(ecs.storage<Text>().values()));
    EXPECT_EQ(ecs.get<Text>(out[0]).text, std::string(40, 'x'));
    for (std::size_t i = 1; i < n; ++i) EXPECT_EQ(ecs.get<Text>(out[i]).text, "other");
}

TEST(Aliasing, X3_new_entities_are_written_into_a_component) {
    ECS ecs;
    auto prefab = ecs.prefab(Squad{}, Position{});
    const Entity e = ecs.add_entity(Squad{});
    while (ecs.storage<Squad>().count() < ecs.storage<Squad>().capacity()) ecs.add_entity(Squad{});
    Squad& squad = ecs.storage<Squad>().at(0);
    prefab.spawn(std::span<Entity>(squad.members));
    for (const Entity member : ecs.get<Squad>(e).members) EXPECT_TRUE((ecs.has<Squad, Position>(member)));
    ecs.add_entities(std::span<Entity>(ecs.storage<Squad>().at(1).members));
    for (const Entity member : ecs.storage<Squad>().at(1).members) EXPECT_TRUE(ecs.alive(member));
}

TEST(Aliasing, X3_a_component_is_the_value_of_a_bulk_addition) {
    ECS ecs;
    const Entity e = fill_storage(ecs);
    const Ids others = ecs.add_entities(100);
    ecs.add<Text>(others, std::span(&ecs.get<Text>(e), 1));
    for (const Entity other : others) EXPECT_EQ(ecs.get<Text>(other).text, std::string(40, 'x'));
}

TEST(Aliasing, E8_X3_all_entities_get_one_value_also_a_component) {
    ECS ecs;
    const Entity e = fill_storage(ecs);
    const Ids others = ecs.add_entities(100);
    ecs.add<Tag>(others);
    ecs.add(others, Position{2, 3});
    ecs.add<Text>(others, ecs.get<Text>(e));
    for (const Entity other : others) {
        EXPECT_TRUE(ecs.has<Tag>(other));
        EXPECT_EQ(ecs.get<Position>(other).y, 3);
        EXPECT_EQ(ecs.get<Text>(other).text, std::string(40, 'x'));
    }
}

TEST(Aliasing, X3_the_values_of_a_storage_are_those_of_a_bulk_addition) {
    ECS ecs;
    fill_storage(ecs);
    const Ids before = copy(ecs.storage<Text>().entities());
    Ids others = ecs.add_entities(before.size());
    ecs.add<Text>(others, std::span<const Text>(ecs.storage<Text>().values()));
    EXPECT_EQ(ecs.get<Text>(others[0]).text, std::string(40, 'x'));
    // Each entity gets the value of the one before.
    others.assign(before.begin() + 1, before.end());
    const auto values = std::span<const Text>(ecs.storage<Text>().values()).first(others.size());
    ecs.add<Text>(others, values);
    EXPECT_EQ(ecs.get<Text>(before[1]).text, std::string(40, 'x'));
    for (std::size_t i = 2; i < before.size(); ++i) EXPECT_EQ(ecs.get<Text>(before[i]).text, "other");
}

TEST(Aliasing, X3_a_trivially_copyable_value_of_a_storage_is_that_of_a_bulk_addition) {
    ECS ecs;
    Ids all = ecs.add_entities(16);
    for (std::size_t i = 0; i < all.size(); ++i) ecs.add(all[i], Velocity{static_cast<float>(i)});
    const Ids shifted(all.begin() + 1, all.end());
    ecs.add<Velocity>(shifted, std::span<const Velocity>(ecs.storage<Velocity>().values()).first(shifted.size()));
    for (std::size_t i = 1; i < all.size(); ++i) EXPECT_EQ(ecs.get<Velocity>(all[i]).x, static_cast<float>(i - 1));
    const Ids others = ecs.add_entities(100);
    ecs.add<Velocity>(others, std::span(&ecs.get<Velocity>(all[5]), 1));
    for (const Entity other : others) EXPECT_EQ(ecs.get<Velocity>(other).x, 4.f);
}

TEST(Aliasing, X3_a_component_is_the_argument_of_a_single_call) {
    ECS ecs;
    const Entity e = fill_storage(ecs);
    ecs.add(ecs.add_entity(), ecs.get<Text>(e));
    ecs.emplace<Text>(ecs.add_entity(), ecs.get<Text>(e));
    ecs.set(ecs.add_entity(), ecs.get<Text>(e));
    ecs.add_entity(ecs.get<Text>(e), Position{});
    for (std::size_t n = 0; n < 100; ++n) ecs.add_entity(ecs.get<Text>(e));
    EXPECT_EQ(ecs.get<Text>(e).text, std::string(40, 'x'));
    ecs.add(e, ecs.get<Text>(e));  // the same entity
    ecs.set(e, ecs.get<Text>(e));
    EXPECT_EQ(ecs.get<Text>(e).text, std::string(40, 'x'));
}

TEST(Aliasing, X3_lists_of_the_ecs_are_lists_of_entities) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Position>, Watches<Position>>>(0);
    const Ids all = ecs.add_entities(50);
    for (const Entity e : all) ecs.add<Position>(e);
    ecs.add<Velocity>(spy.entities().ids(), std::span<const Velocity>(std::vector<Velocity>(1)));
    EXPECT_EQ(ecs.storage<Velocity>().count(), 50u);
    ecs.dirty<Position>(spy.dirty_set().ids());
    ecs.add<Position>(ecs.storage<Velocity>().entities(), std::span<const Position>(std::vector<Position>(1)));
    EXPECT_EQ(ecs.remove<Velocity>(ecs.storage<Velocity>().entities()), 50u);
    EXPECT_EQ(ecs.remove<Position>(spy.entities().ids()), 50u);
    for (const Entity e : all) ecs.add<Position>(e);
    ecs.remove_entities(spy.entities().ids());
    ecs.update();
    EXPECT_EQ(ecs.count(), 0u);
}
