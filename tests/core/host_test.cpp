#include "crateful/detail/host.hpp"

#include <sstream>

#include "world.hpp"

using namespace test;

namespace {

/// Writes down what a world tells it, e.g. "leaves 3 final; ".
class Scribe final : public Host {
public:
    explicit Scribe(ECS& world) : ecs(world) { ecs.by_id().set_host(this); }
    void component_detached(Entity e, ComponentId component, bool final) override {
        const Storage& s = ecs.by_id().storage(component);
        log << "leaves " << index_of(e) << (final ? " final" : "") << (s.has(e) ? "; " : " too late; ");
        if (at_leaves) at_leaves(e, component);
    }
    void component_destroyed(Entity e, ComponentId component) override {
        log << "gone " << index_of(e) << (ecs.by_id().storage(component).has(e) ? " but there; " : "; ");
    }
    void entity_destroyed(Entity e) override {
        log << "entity " << index_of(e) << (ecs.alive(e) ? "; " : " too late; ");
    }
    void time_advanced(double game_time) override {
        log << "time " << game_time << "; ";
        if (fails) throw Oops("host");
    }
    void cleared() override { log << "cleared; "; }
    std::string take() {
        const std::string all = log.str();
        log.str("");
        return all;
    }
    ECS& ecs;
    std::ostringstream log;
    std::function<void(Entity, ComponentId)> at_leaves;
    bool fails = false;
};

ComponentId object_class() {
    static const ComponentId id = registry::add_object("Object");
    return id;
}
void add_object(ECS& ecs, Entity e) { ecs.by_id().add(e, object_class(), nullptr, Storage::HAS_OBJECT); }

/// A system over object components, whose classes have no C++ type.
struct ObjectSystem final : System<> {
    explicit ObjectSystem(std::ostringstream& l) : log(l) { require_ids({object_class()}); }
    void update(double, Entities&, DirtySet&) override {}
    void on_remove(Aspect& a) override { log << "on_remove " << index_of(a.entity()) << "; "; }
    std::ostringstream& log;
};

}  // namespace

TEST(Host, C3_an_object_component_is_membership_only) {
    ECS ecs;
    const Entity e = ecs.add_entity();
    add_object(ecs, e);
    EXPECT_TRUE(ecs.by_id().has(e, object_class()));
    EXPECT_EQ(ecs.by_id().storage(object_class()).flags(ecs.by_id().storage(object_class()).slot(e)),
              Storage::HAS_OBJECT);
}

TEST(Host, C5_hears_of_a_removal_that_no_system_reads_once) {
    ECS ecs;
    Scribe scribe(ecs);
    const Entity e = ecs.add_entity();
    add_object(ecs, e);
    EXPECT_EQ(scribe.take(), "");
    ecs.by_id().remove(e, object_class());
    EXPECT_EQ(scribe.take(), "leaves 0 final; ");
}

TEST(Host, A2_an_object_stays_readable_until_systems_have_seen_it_go) {
    ECS ecs;
    Scribe scribe(ecs);
    ecs.add_system<ObjectSystem>(0, scribe.log);
    const Entity e = ecs.add_entity();
    add_object(ecs, e);
    ecs.by_id().remove(e, object_class());
    EXPECT_EQ(scribe.take(), "leaves 0; on_remove 0; gone 0; ");
}

TEST(Host, A2_removing_the_entity_tells_systems_before_the_host) {
    ECS ecs;
    Scribe scribe(ecs);
    ecs.add_system<ObjectSystem>(0, scribe.log);
    const Entity e = ecs.add_entity();
    add_object(ecs, e);
    ecs.remove_entity(e);
    ecs.update(1);
    EXPECT_EQ(scribe.take(), "time 1; on_remove 0; leaves 0 final; ");
}

TEST(Host, C1_replacing_an_object_detaches_the_old_one) {
    ECS ecs;
    Scribe scribe(ecs);
    ecs.add_system<ObjectSystem>(0, scribe.log);
    const Entity e = ecs.add_entity();
    add_object(ecs, e);
    add_object(ecs, e);
    EXPECT_EQ(scribe.take(), "leaves 0 final; ");
    EXPECT_TRUE(ecs.by_id().has(e, object_class()));
    ecs.by_id().add(e, object_class(), nullptr);  // by one that has no object
    EXPECT_EQ(scribe.take(), "leaves 0 final; ");
    ecs.by_id().remove(e, object_class());
    EXPECT_EQ(scribe.take(), "on_remove 0; ");
}

TEST(Host, C5_components_without_an_object_are_none_of_its_business) {
    ECS ecs;
    Scribe scribe(ecs);
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e);
    ecs.add<Position>(e);
    ecs.remove<Position>(e);
    ecs.add<Position>(e);
    ecs.remove_entity(e);
    ecs.update(1);
    EXPECT_EQ(scribe.take(), "time 1; ");
}

TEST(Host, C5_the_flag_moves_along_with_its_slot) {
    ECS ecs;
    Scribe scribe(ecs);
    const Ids all = ecs.add_entities(3);
    ecs.add<Position>(all[0]);
    ecs.add<Position>(all[1]);
    ecs.by_id().add(all[2], component_id<Position>(), nullptr, Storage::HAS_OBJECT);
    ecs.remove<Position>(all[0]);
    EXPECT_EQ(scribe.take(), "");
    ecs.add<Position>(all[0]);
    ecs.remove<Position>(all[0]);
    ecs.remove<Position>(all[1]);
    EXPECT_EQ(scribe.take(), "");
    ecs.remove<Position>(all[2]);
    EXPECT_EQ(scribe.take(), "leaves 2 final; ");
}

TEST(Host, C5_a_native_value_is_still_in_place_when_the_host_hears_that_it_leaves) {
    ECS ecs;
    Scribe scribe(ecs);
    const std::string text = "on the heap, so that moving it leaves nothing";
    scribe.at_leaves = [&](Entity e, ComponentId) { EXPECT_EQ(ecs.get<Name>(e).text, text); };
    auto& spy = ecs.add_system<Spy<Requires<Name>>>(0);
    spy.at_remove = [&](Aspect& a) { EXPECT_EQ(a.get<Name>().text, text); };
    const Entity e = ecs.add_entity();
    ecs.by_id().add(e, component_id<Name>(), nullptr, Storage::HAS_OBJECT);
    ecs.modify<Name>(e, [&](Name& n) { n.text = text; });
    ecs.remove<Name>(e);
    EXPECT_EQ(scribe.take(), "leaves 0; gone 0; ");
}

TEST(Host, K1_clearing_tells_of_each_object_then_of_the_clearing) {
    ECS ecs;
    Scribe scribe(ecs);
    ecs.add_system<ObjectSystem>(0, scribe.log);
    for (const Entity e : ecs.add_entities(2)) add_object(ecs, e);
    ecs.clear();
    EXPECT_EQ(scribe.take(), "on_remove 0; on_remove 1; leaves 0 final; leaves 1 final; cleared; ");
}

TEST(Host, S7_a_host_that_throws_does_not_stop_the_frame) {
    ECS ecs;
    Scribe scribe(ecs);
    auto& spy = ecs.add_system<Spy<Requires<Position>>>(0);
    const Entity e = ecs.add_entity();
    ecs.remove_entity(e);
    scribe.fails = true;
    EXPECT_THROW(ecs.update(1), Oops);
    EXPECT_EQ(spy.updates, 1);
    EXPECT_FALSE(ecs.alive(e));
}

TEST(Host, M1_the_host_hears_of_game_time_before_systems_run) {
    ECS ecs;
    Scribe scribe(ecs);
    auto& spy = ecs.add_system<Spy<Requires<Position>>>(0);
    spy.at_update = [&](double, auto&, auto&) { scribe.log << "update; "; };
    ecs.update(0.5);
    ecs.update(0.25);
    EXPECT_EQ(scribe.take(), "time 0.5; update; time 0.75; update; ");
}
