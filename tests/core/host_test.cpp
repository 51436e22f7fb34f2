#include "crateful/detail/host.hpp"

#include <algorithm>
#include <sstream>

#include "world.hpp"

using namespace test;

namespace {

/// Logs the notifications of an ECS, for example "detached 3 final; ".
class LoggingHost final : public Host {
public:
    explicit LoggingHost(ECS& notifier) : ecs(notifier) { ecs.by_id().set_host(this); }
    void component_detached(Entity e, ComponentId component, bool final) override {
        const Storage& s = ecs.by_id().storage(component);
        log << "detached " << index_of(e) << (final ? " final" : "") << (s.has(e) ? "; " : " too late; ");
        if (at_detached) at_detached(e, component);
    }
    void component_destroyed(Entity e, ComponentId component) override {
        log << "destroyed " << index_of(e) << (ecs.by_id().storage(component).has(e) ? " too early; " : "; ");
    }
    void storage_changed(ComponentId id) noexcept override { moved.push_back(id); }
    void slots_change(Entity e, ComponentId id) noexcept override {
        EXPECT_TRUE(ecs.by_id().storage(id).has(e)) << "too late";
        changed.push_back(e);
    }
    void entity_destroyed(Entity e) override {
        log << "entity " << index_of(e) << (ecs.alive(e) ? "; " : " too late; ");
    }
    void string_freed(std::uint32_t number) noexcept override { freed.push_back(number); }
    void time_advanced(double game_time) override {
        log << "time " << game_time << "; ";
        if (fails) throw Oops("host");
    }
    void cleared() override { log << "cleared; "; }
    std::string take_log() {
        const std::string all = log.str();
        log.str("");
        return all;
    }
    ECS& ecs;
    std::ostringstream log;
    std::vector<ComponentId> moved;
    std::vector<Entity> changed;
    std::vector<std::uint32_t> freed;
    std::function<void(Entity, ComponentId)> at_detached;
    bool fails = false;
};

/// Its default constructor throws when `remaining` is 0.
struct Fragile {
    static inline int remaining = -1;
    Fragile() {
        if (remaining-- == 0) throw Oops("no more");
    }
    explicit Fragile(int v) : value(v) {}
    int value = 0;
};

ComponentId object_class() {
    static const ComponentId id = registry::add_object("Object");
    return id;
}
void add_object(ECS& ecs, Entity e) { ecs.by_id().add(e, object_class(), nullptr, Storage::HAS_OBJECT); }

/// A system that requires an object class, which has no C++ type.
struct ObjectSystem final : System<> {
    explicit ObjectSystem(std::ostringstream& l) : log(l) {
        use_ids_(internal::ComponentUse::required, std::array{object_class()});
    }
    void update(double) override {}
    void on_remove(Aspect& a) override { log << "on_remove " << index_of(a.entity()) << "; "; }
    std::ostringstream& log;
};

}  // namespace

TEST(Host, C3_the_storage_of_an_object_class_has_no_values) {
    ECS ecs;
    const Entity e = ecs.add_entity();
    add_object(ecs, e);
    EXPECT_TRUE(ecs.by_id().has(e, object_class()));
    EXPECT_EQ(ecs.by_id().storage(object_class()).flags(ecs.by_id().storage(object_class()).slot(e)),
              Storage::HAS_OBJECT);
}

TEST(Host, C5_a_removal_that_no_system_reads_is_reported_once) {
    ECS ecs;
    LoggingHost host(ecs);
    const Entity e = ecs.add_entity();
    add_object(ecs, e);
    EXPECT_EQ(host.take_log(), "");
    ecs.by_id().remove(e, object_class());
    EXPECT_EQ(host.take_log(), "detached 1 final; ");
}

TEST(Host, C10_set_keeps_the_object_of_the_component) {
    ECS ecs;
    LoggingHost host(ecs);
    const Entity e = ecs.add_entity();
    ecs.by_id().add(e, component_id<Position>(), nullptr, Storage::HAS_OBJECT);
    ecs.set<Position>(e, {1, 2});
    EXPECT_EQ(host.take_log(), "");
    ecs.add<Position>(e, {3, 4});
    EXPECT_EQ(host.take_log(), "detached 1 final; ") << "add replaces the component";
}

TEST(Host, A2_a_detached_object_is_destroyed_after_systems_were_notified) {
    ECS ecs;
    LoggingHost host(ecs);
    ecs.add_system<ObjectSystem>(0, host.log);
    const Entity e = ecs.add_entity();
    add_object(ecs, e);
    ecs.by_id().remove(e, object_class());
    EXPECT_EQ(host.take_log(), "detached 1; on_remove 1; destroyed 1; ");
}

TEST(Host, A2_when_an_entity_is_removed_systems_are_notified_before_the_host) {
    ECS ecs;
    LoggingHost host(ecs);
    ecs.add_system<ObjectSystem>(0, host.log);
    const Entity e = ecs.add_entity();
    add_object(ecs, e);
    ecs.remove_entity(e);
    ecs.update(1);
    EXPECT_EQ(host.take_log(), "time 1; on_remove 1; detached 1 final; ");
}

TEST(Host, C1_a_replaced_object_is_detached) {
    ECS ecs;
    LoggingHost host(ecs);
    ecs.add_system<ObjectSystem>(0, host.log);
    const Entity e = ecs.add_entity();
    add_object(ecs, e);
    add_object(ecs, e);
    EXPECT_EQ(host.take_log(), "detached 1 final; ");
    EXPECT_TRUE(ecs.by_id().has(e, object_class()));
    ecs.by_id().add(e, object_class(), nullptr);  // a component without an object
    EXPECT_EQ(host.take_log(), "detached 1 final; ");
    ecs.by_id().remove(e, object_class());
    EXPECT_EQ(host.take_log(), "on_remove 1; ");
}

TEST(Host, C5_components_without_an_object_are_not_reported) {
    ECS ecs;
    LoggingHost host(ecs);
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e);
    ecs.add<Position>(e);
    ecs.remove<Position>(e);
    ecs.add<Position>(e);
    ecs.remove_entity(e);
    ecs.update(1);
    EXPECT_EQ(host.take_log(), "time 1; ");
}

TEST(Host, C5_the_flag_moves_with_its_component) {
    ECS ecs;
    LoggingHost host(ecs);
    const Ids all = ecs.add_entities(3);
    ecs.add<Position>(all[0]);
    ecs.add<Position>(all[1]);
    ecs.by_id().add(all[2], component_id<Position>(), nullptr, Storage::HAS_OBJECT);
    ecs.remove<Position>(all[0]);
    EXPECT_EQ(host.take_log(), "");
    ecs.add<Position>(all[0]);
    ecs.remove<Position>(all[0]);
    ecs.remove<Position>(all[1]);
    EXPECT_EQ(host.take_log(), "");
    ecs.remove<Position>(all[2]);
    EXPECT_EQ(host.take_log(), "detached 3 final; ");
}

TEST(Host, C5_the_value_of_a_native_component_is_in_its_slot_when_the_component_is_detached) {
    ECS ecs;
    LoggingHost host(ecs);
    const std::string text = "a text on the heap, so that a moved value is empty";
    host.at_detached = [&](Entity e, ComponentId) { EXPECT_EQ(ecs.get<Name>(e).text, text); };
    auto& spy = ecs.add_system<Spy<Requires<Name>>>(0);
    spy.at_remove = [&](Aspect& a) { EXPECT_EQ(a.get<Name>().text, text); };
    const Entity e = ecs.add_entity();
    ecs.by_id().add(e, component_id<Name>(), nullptr, Storage::HAS_OBJECT);
    ecs.modify<Name>(e, [&](Name& n) { n.text = text; });
    ecs.remove<Name>(e);
    EXPECT_EQ(host.take_log(), "detached 1; destroyed 1; ");
}

TEST(Host, K1_clear_reports_each_object_and_then_the_clearing) {
    ECS ecs;
    LoggingHost host(ecs);
    ecs.add_system<ObjectSystem>(0, host.log);
    for (const Entity e : ecs.add_entities(2)) add_object(ecs, e);
    ecs.clear();
    EXPECT_EQ(host.take_log(), "on_remove 1; on_remove 2; detached 1 final; detached 2 final; cleared; ");
}

TEST(Host, S7_if_the_host_throws_the_frame_is_completed) {
    ECS ecs;
    LoggingHost host(ecs);
    auto& spy = ecs.add_system<Spy<Requires<Position>>>(0);
    const Entity e = ecs.add_entity();
    ecs.remove_entity(e);
    host.fails = true;
    EXPECT_THROW(ecs.update(1), Oops);
    EXPECT_EQ(spy.updates, 1);
    EXPECT_FALSE(ecs.alive(e));
}

TEST(Host, M1_the_host_is_notified_of_game_time_before_systems_run) {
    ECS ecs;
    LoggingHost host(ecs);
    auto& spy = ecs.add_system<Spy<Requires<Position>>>(0);
    spy.at_update = [&](double, auto&, auto&) { host.log << "update; "; };
    ecs.update(0.5);
    ecs.update(0.25);
    EXPECT_EQ(host.take_log(), "time 0.5; update; time 0.75; update; ");
}

TEST(Host, Q4_the_host_is_notified_when_the_control_block_of_a_storage_changes) {
    ECS ecs;
    ecs.add<Velocity>(ecs.add_entity());
    LoggingHost host(ecs);
    for (const Entity e : ecs.add_entities(100)) ecs.add<Velocity>(e);
    EXPECT_FALSE(host.moved.empty()) << "the storage existed before the host";
    host.moved.clear();
    const auto state = [&] {
        const Storage::Control& c = ecs.storage<Position>().control();
        return std::tuple(static_cast<const void*>(ecs.storage<Position>().values().data()), c.entities, c.pages,
                          c.page_count, c.watchers);
    };
    auto before = state();
    host.moved.clear();
    const auto expect_notified_of_changes = [&] {
        EXPECT_EQ(host.moved.empty(), state() == before);
        host.moved.clear();
        before = state();
    };
    for (int i = 0; i < 3000; ++i) {
        ecs.add<Position>(ecs.add_entity(), {});
        expect_notified_of_changes();
    }
    auto& system = ecs.add_system<Spy<Requires<Position>, Watches<Position>>>(0);
    EXPECT_FALSE(host.moved.empty());
    expect_notified_of_changes();
    ecs.remove_system(system);
    EXPECT_FALSE(host.moved.empty());
    expect_notified_of_changes();
}

TEST(Host, Q4_the_host_is_notified_of_moved_values_even_if_the_next_growth_fails) {
    ECS ecs;
    LoggingHost host(ecs);
    const Entity e = ecs.add_entity(Position{1, 2}, Fragile(7));
    const auto values = [&] { return ecs.storage<Position>().values().data(); };
    const Position* before = values();
    auto both = ecs.prefab(Position{}, Fragile(8));
    host.moved.clear();
    Fragile::remaining = 200;  // there is memory for the first class, but not for the second
    EXPECT_THROW(static_cast<void>(both.spawn(1000)), Oops);
    Fragile::remaining = -1;
    EXPECT_NE(values(), before);
    EXPECT_FALSE(host.moved.empty());
    EXPECT_EQ(ecs.get<Fragile>(e).value, 7);
    EXPECT_EQ(ecs.storage<Position>().count(), 1u);
}

TEST(Host, Q4_the_host_is_notified_before_a_value_is_removed_while_it_has_cursors) {
    ECS ecs;
    LoggingHost host(ecs);
    Ids all = ecs.add_entities(6);
    ecs.add<Position>(std::span<const Entity>(all), std::vector<Position>(1));
    ecs.remove<Position>(all[0]);
    EXPECT_TRUE(host.changed.empty()) << "it has no cursor";

    const ComponentId id = component_id<Position>();
    auto& control = const_cast<Storage::Control&>(ecs.by_id().storage(id).control());
    control.cursors = 1;
    ecs.remove<Position>(all[1]);
    ecs.by_id().remove(std::span<const Entity>(all).subspan(2, 1), id);
    ecs.remove_entity(all[3]);
    EXPECT_EQ(host.changed.size(), 2u);
    ecs.update();
    EXPECT_EQ(host.changed.size(), 3u);
    ecs.clear();
    std::sort(host.changed.begin() + 3, host.changed.end());
    EXPECT_EQ(host.changed, (Ids{all[1], all[2], all[3], all[4], all[5]}));
}

TEST(Host, T6_the_host_is_notified_before_components_are_sorted_while_it_has_cursors) {
    ECS ecs;
    LoggingHost host(ecs);
    const Ids all = ecs.add_entities(3);
    for (const Entity e : all) ecs.add<Position>(e);
    const auto turn = [&] { ecs.sort<Position>([](Entity a, Entity b) { return b < a; }); };
    const Storage& s = ecs.by_id().storage(component_id<Position>());
    const std::uint32_t version = s.control().version;
    turn();
    EXPECT_TRUE(host.changed.empty()) << "it has no cursor";
    EXPECT_NE(s.control().version, version);
    auto& cursors = const_cast<Storage::Control&>(s.control()).cursors;
    cursors = 1;
    turn();  // nothing moves
    EXPECT_TRUE(host.changed.empty());
    ecs.sort<Position>([](Entity a, Entity b) { return a < b; });
    EXPECT_EQ(host.changed.size(), 1u);
    cursors = 0;
}

TEST(Host, T6_an_iteration_of_the_host_has_ended_when_it_is_finished) {
    ECS ecs;
    for (int i = 0; i < 3; ++i) ecs.add_entity(Position{static_cast<float>(-i), 0});
    SparseSet& set = ecs.by_id().storage(component_id<Position>()).set();
    IterationPosition position;
    set.link(position);
    const auto sort = [&] { ecs.sort<Position>([](const Position& a, const Position& b) { return a.x < b.x; }); };
    position.end = 3;
    EXPECT_ERROR(sort(), ErrorCode::bad_argument);
    position.position = position.end = 0;  // it is kept for the next one
    sort();
    set.unlink(position);
    EXPECT_EQ(ecs.storage<Position>().at(0).x, -2);
}

TEST(Host, C13_it_is_notified_of_each_string_that_is_freed_and_only_of_these) {
    struct Named {
        String text;
    };
    describe_component<Named>("HostNamed").field("text", &Named::text);
    ECS ecs;
    LoggingHost host(ecs);
    ecs.by_id().strings().slack(0);
    const Entity e = ecs.add_entity(Named{ecs.string("kept")});
    const String unused = ecs.string("unused");
    EXPECT_TRUE(host.freed.empty());
    const String last = ecs.string("last");
    EXPECT_EQ(host.freed, std::vector{unused.number});
    ecs.remove<Named>(e);
    static_cast<void>(ecs.string("another"));
    EXPECT_EQ(host.freed.size(), 3u);
    EXPECT_EQ(host.freed.back(), last.number);
}
