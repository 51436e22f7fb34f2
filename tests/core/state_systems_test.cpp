// The state of systems in snapshots (rules N1 to N4).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../../core/src/state/format.hpp"
#include "../../core/src/state/state_access.hpp"
#include "crateful/detail/host_events.hpp"
#include "crateful/ecs.hpp"
#include "crateful/state.hpp"
#include "world.hpp"

namespace crateful::test_state_systems {
namespace {

using Bytes = std::vector<std::byte>;
using test::copy;
using test::Ids;

struct Place {
    float x = 0;
};
struct Life {
    std::int32_t points = 3;
};
struct Hit {
    static constexpr std::string_view type_name = "systems.Hit";
    std::int32_t points = 0;
};
struct Unnamed {};

struct Watcher : System<> {
    explicit Watcher(std::string called = "Watcher", bool is_exact = false) : called_(std::move(called)) {
        require<Place>();
        watch<Place, Life>();
        exact(is_exact);
    }
    using System::entities;
    [[nodiscard]] std::string name() const override { return called_; }
    void update(double) override { ++runs; }
    void on_enabled(Entities&) override { ++enablings; }
    void on_disabled(Entities&) override { ++enablings; }
    [[nodiscard]] Ids dirty() { return copy(dirty_set().ids()); }
    [[nodiscard]] Ids tracking() { return copy(tracked().entities()); }
    template <class T>
    [[nodiscard]] Ids of() {
        Ids found;
        for (const Entity e : dirty_set().of<T>()) found.push_back(e);
        return found;
    }
    std::string called_;
    int runs = 0;
    int enablings = 0;
};
struct Seldom : System<> {
    Seldom() {
        require_none();
        interval(1);
    }
    void update(double delta) override { last = delta; }
    double last = 0;
};
struct Receiver : System<> {
    Receiver() { require_none(); }
    void update(double) override {}
    Inbox<Hit> first{*this};
    Inbox<Hit> second{*this};
    Inbox<Unnamed> unnamed{*this};
};

void describe_all() {
    describe_component<Place>("systems.Place").field("x", &Place::x);
    describe_component<Life>("systems.Life").field("points", &Life::points);
}

class StateSystems : public testing::Test {
protected:
    StateSystems() { describe_all(); }
    static Bytes save(ECS& ecs) { return snapshot(ecs, {.systems = true}); }
    static void move(ECS& ecs, Entity e) {
        ecs.modify<Place>(e, [](Place& place) { ++place.x; });
    }
    ECS ecs;
};

TEST_F(StateSystems, N1_N2_the_order_of_entities_and_of_the_dirty_set_is_restored) {
    auto& watcher = ecs.add_system<Watcher>(1);
    const Entity a = ecs.add_entity(Place{});
    const Entity b = ecs.add_entity(Place{});
    const Entity c = ecs.add_entity(Place{});
    ecs.remove<Place>(a);
    ecs.add(a, Place{});  // now the last one
    ecs.update();
    move(ecs, c);
    move(ecs, b);
    const Ids tracked = watcher.tracking();
    const Bytes saved = save(ecs);
    EXPECT_EQ(watcher.dirty(), (Ids{c, b}));

    ecs.remove<Place>(c);
    ecs.remove<Place>(b);
    ecs.add(b, Place{});
    ecs.add(c, Place{});
    ecs.update();
    move(ecs, a);
    restore(ecs, saved);
    EXPECT_EQ(watcher.tracking(), tracked);
    EXPECT_EQ(watcher.dirty(), (Ids{c, b, a}));  // a differed

    ECS other;
    auto& same = other.add_system<Watcher>(1);
    restore(other, saved);
    EXPECT_EQ(same.tracking(), tracked);
    EXPECT_EQ(same.dirty(), (Ids{c, b, a}));
}

TEST_F(StateSystems, N2_an_exact_system_gets_exactly_the_dirty_set_of_the_snapshot) {
    auto& exact = ecs.add_system<Watcher>(1, "exact", true);
    auto& other = ecs.add_system<Watcher>(1, "other", false);
    const Entity a = ecs.add_entity(Place{});
    const Entity b = ecs.add_entity(Place{});
    ecs.update();
    move(ecs, b);
    const Bytes saved = save(ecs);
    ecs.update();
    move(ecs, a);
    ecs.add_entity(Place{});
    restore(ecs, saved);
    EXPECT_EQ(exact.dirty(), Ids{b});
    EXPECT_EQ(other.dirty(), (Ids{b, a}));
    EXPECT_EQ(exact.tracking(), (Ids{a, b}));
    move(ecs, a);
    const Bytes without = snapshot(ecs);  // no state of systems: as for all others
    move(ecs, a);
    ecs.update();
    move(ecs, b);
    restore(ecs, without);
    EXPECT_EQ(exact.dirty(), (Ids{b, a}));
}

TEST_F(StateSystems, N1_D15_why_entities_are_dirty_is_restored) {
    auto& watcher = ecs.add_system<Watcher>(1, "Watcher", true);
    const Entity a = ecs.add_entity(Place{}, Life{});
    const Entity b = ecs.add_entity(Place{}, Life{});
    ecs.update();
    move(ecs, a);
    const Bytes unknown = save(ecs);  // it was not asked yet
    EXPECT_EQ(watcher.of<Life>(), Ids{a});
    ecs.update();
    move(ecs, a);
    ecs.modify<Life>(b, [](Life& life) { ++life.points; });
    const Bytes saved = save(ecs);
    ecs.update();
    ecs.modify<Life>(a, [](Life& life) { ++life.points; });
    restore(ecs, saved);
    EXPECT_EQ(watcher.of<Place>(), Ids{a});
    EXPECT_EQ(watcher.of<Life>(), Ids{b});
    EXPECT_EQ(save(ecs), saved);
    restore(ecs, unknown);
    move(ecs, b);
    EXPECT_EQ(watcher.of<Life>(), (Ids{a, b}));  // because it is asked now for the first time
    ECS other;
    auto& same = other.add_system<Watcher>(1, "Watcher", true);
    restore(other, saved);
    EXPECT_EQ(same.of<Place>(), Ids{a});
    EXPECT_EQ(same.of<Life>(), Ids{b});
}

TEST_F(StateSystems, N1_N2_enabling_and_intervals_are_restored_without_callbacks) {
    auto& watcher = ecs.add_system<Watcher>(1);
    auto& seldom = ecs.add_system<Seldom>(2);
    ecs.disable_system(watcher);
    ecs.update(0.75);
    const Bytes saved = save(ecs);
    ecs.enable_system(watcher);
    ecs.update(0.5);
    EXPECT_EQ(seldom.last, 1.25);
    const int enablings = watcher.enablings;
    seldom.last = 0;
    restore(ecs, saved);
    EXPECT_FALSE(watcher.enabled());
    EXPECT_EQ(watcher.enablings, enablings);
    ecs.update(0.5);
    EXPECT_EQ(seldom.last, 1.25);
    EXPECT_EQ(watcher.runs, 1);
}

TEST_F(StateSystems, N1_N2_the_inboxes_of_systems_are_restored) {
    auto& receiver = ecs.add_system<Receiver>(1);
    ecs.events.dispatch(Hit{1});
    ecs.events.dispatch(Hit{2});
    receiver.first.clear();
    ecs.events.dispatch(Hit{3});
    const Bytes saved = save(ecs);
    receiver.second.clear();
    ecs.events.dispatch(Hit{4});
    restore(ecs, saved);
    EXPECT_EQ(save(ecs), saved);
    EXPECT_EQ(internal::StateAccess::waiting_events(receiver), 4u);
    std::vector<std::int32_t> points;
    for (const Hit& hit : receiver.first) points.push_back(hit.points);
    points.push_back(0);
    for (const Hit& hit : receiver.second) points.push_back(hit.points);
    EXPECT_EQ(points, (std::vector<std::int32_t>{3, 0, 1, 2, 3}));
    EXPECT_EQ(internal::StateAccess::waiting_events(receiver), 0u);
    ecs.events.dispatch(Unnamed{});
    EXPECT_ERROR(save(ecs), ErrorCode::bad_argument);
    restore(ecs, snapshot(ecs, {.without = {"Unnamed"}, .systems = true}));
    EXPECT_EQ(receiver.unnamed.size(), 1u);  // left out: it stays
}

TEST_F(StateSystems, N1_systems_need_names_of_their_own) {
    ecs.add_system<Watcher>(1, "twin");
    ecs.add_system<Watcher>(2, "twin");
    EXPECT_ERROR(save(ecs), ErrorCode::bad_argument);
    static_cast<void>(snapshot(ecs));
    ECS other;
    other.add_system<Watcher>(1, "");
    EXPECT_ERROR(save(other), ErrorCode::bad_argument);
}

TEST_F(StateSystems, N2_N4_systems_that_only_one_side_has) {
    ecs.add_system<Watcher>(1, "old");
    const Entity a = ecs.add_entity(Place{});
    const Bytes saved = save(ecs);
    ECS other;
    auto& added = other.add_system<Watcher>(1, "new");
    const Bytes before = save(other);
    EXPECT_ERROR(restore(other, saved), ErrorCode::bad_argument);
    EXPECT_EQ(save(other), before);
    restore(other, saved, {.ignore = {"old"}});
    EXPECT_EQ(added.dirty(), Ids{a});  // as without the state of systems
    other.update();
    restore(other, saved, {.rename = {{"old", "new"}}});
    EXPECT_EQ(added.dirty(), Ids{a});
    EXPECT_EQ(added.tracking(), Ids{a});
}

TEST_F(StateSystems, N2_a_system_that_selects_other_entities_now_keeps_what_fits) {
    auto& watcher = ecs.add_system<Watcher>(1, "changed", true);
    const Entity a = ecs.add_entity(Place{});
    const Entity b = ecs.add_entity(Place{}, Life{});
    const Entity c = ecs.add_entity(Life{});
    EXPECT_EQ(watcher.dirty(), (Ids{a, b}));
    const Bytes saved = save(ecs);
    struct Changed : test::Recorder {
        Changed() {
            require<Life>();
            watch<Life>();
            exact();
        }
        [[nodiscard]] std::string name() const override { return "changed"; }
    };
    ECS other;
    auto& changed = other.add_system<Changed>(1);
    restore(other, saved);
    EXPECT_EQ(changed.tracking(), (Ids{b, c}));
    EXPECT_EQ(changed.dirty(), Ids{b});
}

TEST_F(StateSystems, N2_S12_systems_without_entities_track_none_after_restoring) {
    auto& seldom = ecs.add_system<Seldom>(1);
    ECS source;
    source.add_entity(Place{});
    restore(ecs, snapshot(source));
    EXPECT_TRUE(seldom.tracked().empty());
}

TEST_F(StateSystems, N2_H1_nodes_of_entities_that_do_not_exist_any_more_are_gone) {
    ecs.set_parent(ecs.add_entity(), ecs.add_entity());
    const Entity child = ecs.add_entity();
    const Bytes saved = snapshot(ecs);
    const Entity parent = ecs.add_entity();
    ecs.set_parent(child, parent);
    restore(ecs, saved);
    EXPECT_EQ(ecs.add_entity(), parent);  // the same handle
    EXPECT_TRUE(ecs.children(parent).empty());
    EXPECT_EQ(ecs.parent(child), NONE);
    ecs.set_parent(child, parent);
    EXPECT_TRUE(ecs.has<Parent>(child));
}

struct Below : test::Recorder {
    Below() {
        require<Life>();
        watch<Life>();
        use_<Place>(internal::ComponentUse::ancestors);
    }
};

TEST_F(StateSystems, N2_D13_what_was_reached_before_restoring_is_reached_again) {
    auto& below = ecs.add_system<Below>(1);
    const Entity another = ecs.add_entity(Place{});
    const Entity its_child = ecs.add_entity(Life{});
    const Entity top = ecs.add_entity(Place{});
    const Entity child = ecs.add_entity(Life{});
    ecs.set_parent(its_child, another);
    ecs.set_parent(child, top);
    ecs.set_parent(its_child, NONE);
    ecs.update();
    const Bytes saved = snapshot(ecs);
    ecs.set_parent(its_child, another);
    ecs.update();
    move(ecs, another);  // reaches the first two nodes, which are those of the others after restoring
    restore(ecs, saved);
    EXPECT_FALSE(below.dirty_set().contains(child));
    move(ecs, top);
    EXPECT_TRUE(below.dirty_set().contains(child));
}

struct Both : System<> {
    Both() {
        require<Place>();
        watch<Place, Life>();
        watch_ancestors<Place>();
    }
    using System::entities;
    void update(double) override {}
};

TEST_F(StateSystems, N3_the_order_of_a_dirty_set_does_not_depend_on_whether_there_are_aspects) {
    std::vector<Ids> orders;
    for (const bool aspects : {false, true}) {
        ECS world;
        auto& both = world.add_system<Both>(1);
        const Entity child = world.add_entity(Place{});
        const Entity other = world.add_entity(Place{}, Life{});
        const Entity third = world.add_entity(Place{});
        world.update();
        world.set_parent(child, other);
        world.update();
        if (aspects) static_cast<void>(both.entities().get(third));  // from now on, removals are notified
        world.dirty<Life>(other);                                    // not its child
        world.dirty<Place>(third);
        world.remove<Place>(other);  // marks its child
        orders.push_back(copy(both.dirty_set().ids()));
        EXPECT_EQ(orders.back().size(), 2u);
    }
    EXPECT_EQ(orders[0], orders[1]);
}

TEST_F(StateSystems, N1_inboxes_of_the_systems_of_a_host) {
    auto& receiver = ecs.add_system<Receiver>(1);
    ecs.events.dispatch(Hit{1});
    internal::HostEvents host;
    host.inboxes = {{"Receiver", "Smashed", {{std::byte{1}, std::byte{5}}}}};
    const Bytes saved = internal::snapshot_with(ecs, {.systems = true}, host);
    internal::HostEvents found;
    internal::restore_with(ecs, saved, {}, [&](internal::HostEvents& events) { found = std::move(events); });
    ASSERT_EQ(found.inboxes.size(), 1u);
    EXPECT_EQ(found.inboxes[0].system, "Receiver");
    EXPECT_EQ(found.inboxes[0].name, "Smashed");
    EXPECT_EQ(found.inboxes[0].events, host.inboxes[0].events);
    EXPECT_EQ(receiver.first.size(), 1u);
}

TEST_F(StateSystems, N2_an_iteration_over_the_entities_of_a_system_must_have_ended) {
    auto& watcher = ecs.add_system<Watcher>(1);
    ecs.add_entity(Place{});
    const Bytes saved = save(ecs);
    {
        const auto iteration = watcher.entities().begin();
        EXPECT_ERROR(restore(ecs, saved), ErrorCode::bad_argument);
    }
    restore(ecs, saved);
}

}  // namespace
}  // namespace crateful::test_state_systems
