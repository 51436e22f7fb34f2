// Rules C7, E8 and E9: default values, and entities that are created together with their components.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <crateful/ecs.hpp>

namespace test_spawn {
namespace {

using namespace crateful;

struct Position {
    float x = 0;
    float y = 5;
};
struct Velocity {
    float x = 1;
};
struct Name {
    std::string text = "none";
};
struct Flag {};
// Throws when it is copied while `copies_left` is 0.
struct Fragile {
    Fragile() = default;
    Fragile(const Fragile&) { use(); }
    Fragile& operator=(const Fragile&) {
        use();
        return *this;
    }
    Fragile(Fragile&&) noexcept = default;
    Fragile& operator=(Fragile&&) noexcept = default;
    static void use() {
        if (copies_left-- == 0) throw std::runtime_error("copy");
    }
    static inline int copies_left = -1;
};

struct Seen {
    std::string system;
    Entity entity;
    bool complete;
    bool operator==(const Seen&) const = default;
};
template <class... Required>
struct Watcher : System<> {
    Watcher(std::string name, std::vector<Seen>& log) : name_(std::move(name)), log_(log) {
        require<Required...>();
        watch<Position>();
    }
    void on_add(Aspect& a) override {
        log_.push_back({name_, a.entity(), ecs().template has<Position, Velocity, Flag>(a.entity())});
        if (on_added) on_added(a.entity());
    }
    void update(double, Entities&, Dirty& dirty) override { runs.emplace_back(dirty.ids().begin(), dirty.ids().end()); }
    std::string name_;
    std::vector<Seen>& log_;
    std::vector<std::vector<Entity>> runs;
    std::function<void(Entity)> on_added;
};
struct Silent : System<> {
    Silent() {
        require<Position>();
        watch<Position>();
    }
    void update(double, Entities& all, Dirty& dirty) override {
        tracked = all.size();
        seen = {dirty.ids().begin(), dirty.ids().end()};
    }
    std::size_t tracked = 0;
    std::vector<Entity> seen;
};

TEST(Spawn, C7_fields_of_stored_classes_have_the_default_values_of_their_description) {
    const float half = 0.5F;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &half, sizeof(half));
    ECS ecs;
    for (const Policy policy : {Policy::sparse, Policy::linear}) {
        const ComponentId id = registry::add_stored("Defaults",
                                                    {{.name = "a", .type = FieldType::f32, .initial = bits},
                                                     {.name = "b", .type = FieldType::u8, .initial = 7},
                                                     {.name = "c", .type = FieldType::entity},
                                                     {.name = "d", .type = FieldType::i16}},
                                                    policy);
        const Entity e = ecs.add_entity();
        ecs.by_id().add(e, id, nullptr);
        const Storage& s = *ecs.by_id().find_storage(id);
        std::byte* const* columns = s.control().columns;
        const std::uint32_t slot = s.slot(e);
        EXPECT_EQ(reinterpret_cast<const float*>(columns[0])[slot], 0.5F);
        EXPECT_EQ(reinterpret_cast<const std::uint8_t*>(columns[1])[slot], 7);
        EXPECT_EQ(reinterpret_cast<const Entity*>(columns[2])[slot], NONE);
        EXPECT_EQ(reinterpret_cast<const std::int16_t*>(columns[3])[slot], 0);
    }
}

TEST(Spawn, C7_every_component_that_is_added_without_values_has_the_defaults) {
    const double third = 1.0 / 3;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &third, sizeof(third));
    ECS ecs;
    std::vector<Entity> all(3);
    ecs.add_entities(all);
    for (const Policy policy : {Policy::sparse, Policy::linear}) {
        const ComponentId id = registry::add_stored("Defaults",
                                                    {{.name = "a", .type = FieldType::u16, .initial = 700},
                                                     {.name = "b", .type = FieldType::f64, .initial = bits}},
                                                    policy);
        Storage& s = ecs.by_id().storage(id);
        const auto values = [&](Entity e) {
            const std::uint32_t slot = s.slot(e);
            return std::pair{reinterpret_cast<const std::uint16_t*>(s.control().columns[0])[slot],
                             reinterpret_cast<const double*>(s.control().columns[1])[slot]};
        };
        const std::uint64_t packed[] = {1, 2};
        ecs.by_id().add(all[0], id, reinterpret_cast<const std::byte*>(packed));
        EXPECT_EQ(values(all[0]).first, 1);
        // Replaces the component, and adds others to reused slots.
        for (int i = 0; i < 2; ++i) {
            ecs.by_id().add(all, id, [](std::size_t, Storage& storage, std::uint32_t slot) {
                storage.write_packed(slot, nullptr);
            });
            for (const Entity e : all) EXPECT_EQ(values(e), (std::pair<std::uint16_t, double>{700, third}));
            ecs.by_id().remove(all, id);
        }
    }
}

TEST(Spawn, C7_the_description_of_a_struct_contains_the_values_of_its_member_initialisers) {
    describe_component<Position>("SpawnPosition").field("x", &Position::x).field("y", &Position::y);
    const std::vector<Field>& fields = registry::type(component_id<Position>()).fields;
    float y = 0;
    std::memcpy(&y, &*fields[1].initial, sizeof(y));
    EXPECT_EQ(fields[0].initial, 0u);
    EXPECT_EQ(y, 5);
}

TEST(Spawn, E8_an_entity_is_added_with_its_components) {
    ECS ecs;
    const Entity e = ecs.add_entity(Position{.x = 3}, Name{"crate"}, Flag{});
    EXPECT_EQ(ecs.get<Position>(e).x, 3);
    EXPECT_EQ(ecs.get<Position>(e).y, 5);
    EXPECT_EQ(ecs.get<Name>(e).text, "crate");
    EXPECT_TRUE(ecs.has<Flag>(e));
    EXPECT_FALSE(ecs.has<Velocity>(e));
    EXPECT_TRUE(ecs.remove<Name>(e));
    ecs.remove_entity(e);
    ecs.update();
    EXPECT_EQ(ecs.storage<Position>().count(), 0u);
}

TEST(Spawn, E8_systems_see_the_entity_complete_once_and_in_their_order) {
    ECS ecs;
    std::vector<Seen> log;
    auto& second = ecs.add_system<Watcher<Velocity>>(2, "second", log);
    auto& first = ecs.add_system<Watcher<Flag, Position>>(1, "first", log);
    ecs.add_system<Watcher<Name>>(0, "other", log);
    const Entity e = ecs.add_entity(Velocity{}, Flag{}, Position{});
    EXPECT_EQ(log, (std::vector<Seen>{{"first", e, true}, {"second", e, true}}));
    ecs.update();
    EXPECT_EQ(first.runs, (std::vector<std::vector<Entity>>{{e}})) << "rule D5";
    EXPECT_EQ(second.runs, (std::vector<std::vector<Entity>>{{e}}));
}

TEST(Spawn, E8_a_callback_may_remove_what_was_added_and_the_systems_that_follow) {
    ECS ecs;
    std::vector<Seen> log;
    auto& first = ecs.add_system<Watcher<Position>>(1, "first", log);
    auto& second = ecs.add_system<Watcher<Velocity>>(2, "second", log);
    ecs.add_system<Watcher<Flag>>(3, "third", log);
    first.on_added = [&](Entity e) {
        ecs.remove<Flag>(e);
        ecs.remove_system(second);
    };
    const Entity e = ecs.add_entity(Position{}, Velocity{}, Flag{});
    EXPECT_EQ(log, (std::vector<Seen>{{"first", e, true}}));
    EXPECT_EQ(ecs.systems().size(), 2u);
}

TEST(Spawn, E8_if_a_value_cannot_be_copied_nothing_is_added) {
    ECS ecs;
    auto prefab = ecs.prefab(Position{}, Fragile{}, Velocity{});
    const Entity before = ecs.add_entity(Position{});
    std::vector<Entity> out(10);
    Fragile::copies_left = 4;
    EXPECT_THROW(prefab.spawn(std::span<Entity>(out)), std::runtime_error);
    Fragile::copies_left = -1;
    EXPECT_EQ(ecs.count(), 1u);
    EXPECT_EQ(ecs.storage<Position>().count(), 1u);
    EXPECT_EQ(ecs.storage<Velocity>().count(), 0u);
    EXPECT_TRUE(ecs.has<Position>(before));
    EXPECT_EQ(prefab.spawn(3).size(), 3u);
    EXPECT_EQ(ecs.storage<Fragile>().count(), 3u);
}

/// Assigning it calls a function once.
struct Calling {
    static inline std::function<void()> at_assign;
    Calling() = default;
    Calling(const Calling&) = default;
    Calling& operator=(const Calling&) noexcept {
        if (at_assign) std::exchange(at_assign, nullptr)();
        return *this;
    }
};

/// One entity, several, and one with a child: each of them has Position and Calling.
const std::vector<std::function<void(ECS&)>> CREATE_CALLING{
    [](ECS& ecs) { ecs.add_entity(Position{}, Calling{}); },
    [](ECS& ecs) { static_cast<void>(ecs.prefab(Position{}, Calling{}).spawn(3)); },
    [](ECS& ecs) {
        auto parent = ecs.prefab(Position{}, Calling{});
        parent.child(ecs.prefab(Position{}, Calling{}));
        parent.spawn();
    }};

// --- several components of an existing entity -------------------------------------------------------

// Logs when it is destroyed with a text, and what the ECS then contains.
struct Traced {
    std::string text;
    static inline std::vector<std::string> destroyed;
    Traced() = default;
    explicit Traced(std::string t) : text(std::move(t)) {}
    Traced(Traced&& other) noexcept : text(std::exchange(other.text, {})) {}
    Traced& operator=(Traced&& other) noexcept {
        std::swap(text, other.text);
        return *this;
    }
    ~Traced() {
        if (!text.empty()) destroyed.push_back(text);
    }
};

TEST(Spawn, E14_several_components_are_added_or_replaced) {
    ECS ecs;
    const Entity e = ecs.add_entity(Position{1, 2}, Name{"old"});
    ecs.add(e, Name{"new"}, Velocity{3}, Flag{});
    EXPECT_EQ(ecs.get<Name>(e).text, "new");
    EXPECT_EQ(ecs.get<Velocity>(e).x, 3);
    EXPECT_EQ(ecs.get<Position>(e).x, 1);
    EXPECT_TRUE(ecs.has<Flag>(e));
    Traced::destroyed.clear();
    ecs.add(e, Traced("first"), Flag{});
    EXPECT_TRUE(Traced::destroyed.empty());
    ecs.add(e, Velocity{4}, Traced("second"));
    EXPECT_EQ(Traced::destroyed, std::vector<std::string>{"first"});
    EXPECT_EQ(ecs.get<Traced>(e).text, "second");
}

TEST(Spawn, E14_systems_see_all_of_the_components_once_and_in_their_order) {
    ECS ecs;
    std::vector<Seen> log;
    auto& second = ecs.add_system<Watcher<Velocity>>(2, "second", log);
    auto& first = ecs.add_system<Watcher<Position, Flag>>(1, "first", log);
    const Entity e = ecs.add_entity();
    ecs.add(e, Velocity{}, Position{}, Flag{});
    EXPECT_EQ(log, (std::vector<Seen>{{"first", e, true}, {"second", e, true}}));
    ecs.update();
    ecs.add(e, Position{7, 7}, Flag{});
    ecs.update();
    EXPECT_EQ(log.size(), 2u);
    EXPECT_EQ(first.runs, (std::vector<std::vector<Entity>>{{e}, {e}}));
    EXPECT_EQ(second.runs, (std::vector<std::vector<Entity>>{{e}, {e}}));
}

TEST(Spawn, E14_a_callback_may_remove_what_was_added_or_the_entity) {
    ECS ecs;
    std::vector<Seen> log;
    auto& first = ecs.add_system<Watcher<Position>>(1, "first", log);
    auto& second = ecs.add_system<Watcher<Velocity>>(2, "second", log);
    first.on_added = [&](Entity e) { ecs.remove<Velocity>(e); };
    const Entity e = ecs.add_entity();
    ecs.add(e, Velocity{}, Position{}, Flag{});
    EXPECT_FALSE(second.tracks(e));
    EXPECT_EQ(log.size(), 1u);
    first.on_added = [&](Entity) { ecs.clear(); };
    const Entity gone = ecs.add_entity();
    ecs.add(gone, Velocity{}, Position{}, Flag{});
    EXPECT_FALSE(ecs.alive(gone));
    EXPECT_TRUE(second.tracked().empty());
}

TEST(Spawn, E14_nothing_is_added_to_an_entity_that_is_not_alive_nor_with_Parent) {
    ECS ecs;
    const Entity e = ecs.add_entity(Velocity{2});
    EXPECT_THROW(ecs.add(e, Velocity{5}, Parent{}), Error);
    EXPECT_EQ(ecs.get<Velocity>(e).x, 2);
    ecs.remove_entity(e);
    ecs.update();
    EXPECT_THROW(ecs.add(e, Velocity{}, Position{}), Error);
    EXPECT_EQ(ecs.storage<Velocity>().count(), 0u);
}

TEST(Spawn, C2_several_components_are_removed_in_their_order) {
    ECS ecs;
    const Entity e = ecs.add_entity(Position{}, Velocity{}, Name{"a"}, Flag{});
    EXPECT_TRUE((ecs.remove<Name, Position>(e)));
    EXPECT_FALSE((ecs.remove<Name, Position>(e)));
    EXPECT_TRUE((ecs.remove<Name, Position, Flag>(e)));
    EXPECT_TRUE((ecs.has<Velocity>(e)));
    EXPECT_THROW((ecs.remove<Velocity, Parent>(e)), Error);
    EXPECT_TRUE((ecs.has<Velocity>(e)));
    ecs.remove_entity(e);
    ecs.update();
    EXPECT_THROW((ecs.remove<Velocity, Name>(e)), Error);
}

TEST(Spawn, E9_S6_assigning_a_value_may_remove_a_system) {
    for (const auto& create : CREATE_CALLING) {
        ECS ecs;
        std::vector<Seen> log;
        auto& silent = ecs.add_system<Silent>(0);
        auto& notified = ecs.add_system<Watcher<Calling>>(1, "notified", log);
        Calling::at_assign = [&] {
            ecs.remove_system(silent);
            ecs.remove_system(notified);
        };
        create(ecs);
        EXPECT_TRUE(log.empty());
        EXPECT_GT(ecs.count(), 0u);
    }
}

TEST(Spawn, E9_S6_assigning_a_value_may_add_a_system) {
    struct Unnotified final : System<> {
        Unnotified() { require<Position, Calling>(); }
        void update(double) override {}
    };
    for (const auto& create : CREATE_CALLING) {
        ECS ecs;
        std::vector<Seen> log;
        Unnotified* silent = nullptr;
        Calling::at_assign = [&] {
            silent = &ecs.add_system<Unnotified>(0);
            ecs.add_system<Watcher<Calling>>(1, "notified", log);
            ecs.add_entity(Position{}, Calling{});
        };
        create(ecs);
        EXPECT_EQ(silent->tracked().size(), ecs.count());
        EXPECT_EQ(log.size(), ecs.count()) << "each entity once";
    }
}

TEST(Spawn, A3_a_failing_prefab_in_on_remove_does_not_end_the_tracking_by_later_systems) {
    struct Removing final : System<> {
        explicit Removing(std::function<void()> call) : at_remove(std::move(call)) { require<Position>(); }
        void update(double) override {}
        void on_remove(Aspect&) override { at_remove(); }
        std::function<void()> at_remove;
    };
    ECS ecs;
    auto prefab = ecs.prefab(Position{}, Fragile{});
    int later = 0;
    ecs.add_system<Removing>(0, [&] {
        Fragile::copies_left = 0;
        EXPECT_THROW(prefab.spawn(), std::runtime_error);
        Fragile::copies_left = -1;
    });
    ecs.add_system<Removing>(1, [&] { ++later; });
    ecs.remove<Position>(ecs.add_entity(Position{}));
    EXPECT_EQ(later, 1);
}

TEST(Spawn, E9_a_prefab_creates_entities_with_its_values_and_with_overrides) {
    ECS ecs;
    auto prefab = ecs.prefab(Position{.x = 1}, Name{"bullet"});
    const Entity a = prefab.spawn();
    const Entity b = prefab.spawn(Name{"rocket"});
    const Position at{.x = 8, .y = 9};
    const Entity c = prefab.spawn(at, Name{"mine"});
    EXPECT_EQ(ecs.get<Name>(a).text + ecs.get<Name>(b).text + ecs.get<Name>(c).text, "bulletrocketmine");
    EXPECT_EQ(ecs.get<Position>(a).x + ecs.get<Position>(b).x, 2);
    EXPECT_EQ(ecs.get<Position>(c).y, 9);
}

TEST(Spawn, E9_a_prefab_creates_many_entities_with_columns) {
    ECS ecs;
    auto& silent = ecs.add_system<Silent>(0);
    const auto prefab = ecs.prefab(Position{}, Velocity{.x = 4});
    std::vector<Position> positions(50);
    for (std::size_t i = 0; i < positions.size(); ++i) positions[i].x = static_cast<float>(i);
    std::vector<Entity> out(50);
    prefab.spawn(std::span<Entity>(out), std::span<const Position>(positions));
    for (std::size_t i = 0; i < out.size(); ++i) {
        EXPECT_EQ(ecs.get<Position>(out[i]).x, static_cast<float>(i));
        EXPECT_EQ(ecs.get<Velocity>(out[i]).x, 4);
    }
    ecs.update();
    EXPECT_EQ(silent.seen, out);
    try {
        prefab.spawn(std::span<Entity>(out), std::span<const Position>(positions).first(3));
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::bad_argument);
        const std::string names = registry::type(component_id<Position>()).name + ", Velocity";
        EXPECT_EQ(error.what(),
                  "spawn: prefab of " + names + ": 3 values for 50 entities; pass one value for each entity");
    }
    EXPECT_EQ(ecs.count(), 50u);
}

TEST(Spawn, E9_a_prefab_sees_systems_that_are_added_and_removed_later) {
    ECS ecs;
    auto prefab = ecs.prefab(Position{});
    prefab.spawn();
    auto& silent = ecs.add_system<Silent>(0);
    prefab.spawn();
    ecs.update();
    EXPECT_EQ(silent.tracked, 2u);
    ecs.remove_system(silent);
    prefab.spawn();
    auto& again = ecs.add_system<Silent>(0);
    prefab.spawn();
    ecs.update();
    EXPECT_EQ(again.tracked, 4u);
}

TEST(Spawn, E9_a_prefab_works_with_more_than_64_classes) {
    ECS ecs;
    std::vector<ComponentId> ids;
    for (int i = 0; i < 130; ++i) ids.push_back(registry::add_stored({}, {}));
    for (const ComponentId id : ids) ecs.by_id().add(ecs.add_entity(), id, nullptr);
    struct Late {
        int value = 3;
    };
    struct LateSystem : System<> {
        LateSystem() { require<Late, Position>(); }
        void update(double, Entities& all) override { tracked = all.size(); }
        std::size_t tracked = 0;
    };
    auto& system = ecs.add_system<LateSystem>(0);
    const Entity e = ecs.prefab(Position{}, Late{}).spawn();
    ecs.prefab(Position{}).spawn();
    ecs.update();
    EXPECT_EQ(system.tracked, 1u);
    EXPECT_EQ(ecs.get<Late>(e).value, 3);
}

}  // namespace
}  // namespace test_spawn
