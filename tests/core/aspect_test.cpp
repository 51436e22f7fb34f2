#include "crateful/aspect.hpp"

#include <functional>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "failing_memory.hpp"
#include "world.hpp"

using namespace test;

namespace {

struct Counter final : Aspect {
    explicit Counter(int& alive_count) : alive(alive_count) { ++alive; }
    ~Counter() override { --alive; }
    int& alive;
    int visits = 0;
};

struct Counting final : System<Counter> {
    Counting() { require<Position>(); }
    std::unique_ptr<Counter> make_aspect() override {
        ++made;
        return std::make_unique<Counter>(alive);
    }
    void update(double, Entities& all, DirtySet&) override {
        for (auto [e, aspect] : all) ++aspect.visits;
    }
    using System::entities;
    int made = 0;
    int alive = 0;
};

}  // namespace

TEST(Aspect, A1_every_tracked_entity_has_one_aspect_while_it_is_tracked) {
    ECS ecs;
    auto& system = ecs.add_system<Counting>(0);
    const Ids all = ecs.add_entities(300);
    for (const Entity e : all) ecs.add<Position>(e);
    EXPECT_EQ(system.made, 300);
    Counter* first = &system.entities().get(all[0]);
    ecs.update();
    ecs.update();
    EXPECT_EQ(&system.entities().get(all[0]), first);
    EXPECT_EQ(first->visits, 2);
    EXPECT_EQ(first->entity(), all[0]);
    EXPECT_EQ(&first->ecs(), &ecs);
    for (const Entity e : all) ecs.remove<Position>(e);
    EXPECT_EQ(system.made, 300);
    EXPECT_EQ(system.alive, 0);
}

TEST(Aspect, X2_an_aspect_does_not_move_when_memory_grows) {
    ECS ecs;
    auto& system = ecs.add_system<Counting>(0);
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e);
    Counter* aspect = &system.entities().get(e);
    for (int i = 0; i < 3000; ++i) ecs.add<Position>(ecs.add_entity());
    EXPECT_EQ(&system.entities().get(e), aspect);
}

TEST(Aspect, A1_each_system_has_its_own_aspect_for_an_entity) {
    ECS ecs;
    auto& one = ecs.add_system<Counting>(0);
    auto& two = ecs.add_system<Counting>(0);
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e);
    EXPECT_NE(&one.entities().get(e), &two.entities().get(e));
}

TEST(Aspect, A1_an_entity_that_is_tracked_again_has_a_new_aspect) {
    ECS ecs;
    auto& system = ecs.add_system<Counting>(0);
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e);
    ecs.update();
    ecs.remove<Position>(e);
    ecs.add<Position>(e);
    EXPECT_EQ(system.made, 2);
    EXPECT_EQ(system.entities().get(e).visits, 0);
}

TEST(Aspect, A1_replacing_a_component_keeps_the_aspect) {
    ECS ecs;
    auto& system = ecs.add_system<Counting>(0);
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e);
    Counter* aspect = &system.entities().get(e);
    ecs.add<Position>(e, {1, 2});
    EXPECT_EQ(&system.entities().get(e), aspect);
    EXPECT_EQ(aspect->get<Position>().x, 1);
}

TEST(Aspect, A1_entities_contains_tracked_entities_only) {
    ECS ecs;
    auto& system = ecs.add_system<Counting>(0);
    const Entity in = ecs.add_entity();
    const Entity out = ecs.add_entity();
    ecs.add<Position>(in);
    EXPECT_TRUE(system.entities().contains(in));
    EXPECT_FALSE(system.entities().contains(out));
    EXPECT_EQ(system.entities().size(), 1u);
    EXPECT_FALSE(system.entities().empty());
    EXPECT_ERROR(system.entities().get(out), ErrorCode::bad_argument);
    EXPECT_ERROR(system.entities().get(NONE), ErrorCode::bad_argument);
    EXPECT_EQ(system.made, 1);
}

TEST(Aspect, A4_get_try_get_and_has_read_the_entity) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Position>>>(0);
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e, {3, 4});
    Aspect& aspect = spy.entities().get(e);
    EXPECT_EQ(aspect.entity(), e);
    EXPECT_EQ(aspect.get<Position>().y, 4);
    EXPECT_EQ(aspect.try_get<Velocity>(), nullptr);
    EXPECT_TRUE(aspect.has<Position>());
    EXPECT_FALSE((aspect.has<Position, Velocity>()));
    EXPECT_ERROR(aspect.get<Velocity>(), ErrorCode::missing_component);
    ecs.add<Velocity>(e, {9});
    EXPECT_TRUE((aspect.has<Position, Velocity>()));
    EXPECT_EQ(aspect.get<Velocity>().x, 9);
    ecs.modify<Velocity>(e, [](Velocity& v) { v.x = 10; });
    EXPECT_EQ(aspect.try_get<Velocity>()->x, 10);
}

TEST(Aspect, A2_in_on_add_the_entity_is_in_entities_with_all_its_components) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Position, Velocity>>>(0);
    spy.at_add = [&](Aspect& a) {
        EXPECT_EQ(&spy.entities().get(a.entity()), &a);
        EXPECT_EQ(a.get<Position>().x, 1);
        EXPECT_EQ(a.get<Velocity>().x, 2);
    };
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e, {1, 0});
    EXPECT_TRUE(spy.added.empty());
    ecs.add<Velocity>(e, {2});
    EXPECT_EQ(spy.added, Ids{e});
}

TEST(Aspect, A2_on_remove_can_read_the_component_whose_removal_is_the_cause) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Position, Name>>>(0);
    const Entity e = ecs.add_entity();
    const Entity other = ecs.add_entity();
    spy.at_remove = [&](Aspect& a) {
        EXPECT_FALSE(spy.entities().contains(e));
        EXPECT_EQ(a.get<Name>().text, "a name that is longer than any small buffer");
        EXPECT_EQ(a.get<Position>().x, 5);
        EXPECT_TRUE((a.has<Position, Name>()));
        EXPECT_FALSE(ecs.has<Name>(e)) << "in the ECS, the component is removed already";
        EXPECT_EQ(ecs.try_get<Name>(e), nullptr);
    };
    ecs.add<Position>(e, {5, 0});
    ecs.add<Name>(e, {"a name that is longer than any small buffer"});
    ecs.add<Name>(other, {"the name of the other entity, which is moved into the gap"});
    ecs.remove<Name>(e);
    EXPECT_EQ(spy.removed, Ids{e});
}

TEST(Aspect, A2_every_system_that_stops_tracking_the_entity_can_read_the_component) {
    ECS ecs;
    int reads = 0;
    const auto setup = [&](Recorder& r) { r.at_remove = [&](Aspect& a) { reads += a.get<Health>().points; }; };
    ecs.add_system<Spy<Requires<Health>>>(0, setup);
    ecs.add_system<Spy<Requires<Health, Position>>>(1, setup);
    ecs.add_system<Spy<Requires<Position, Health>>>(2, setup);
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e);
    ecs.add<Health>(e, {7});
    ecs.remove<Health>(e);
    EXPECT_EQ(reads, 21);
}

TEST(Aspect, A2_all_values_can_be_read_while_removals_are_nested_in_on_remove) {
    ECS ecs;
    auto& first = ecs.add_system<Spy<Requires<Health>>>(0);
    auto& second = ecs.add_system<Spy<Requires<Health, Name, Velocity>>>(1);
    first.at_remove = [&](Aspect& a) {
        ecs.remove<Name>(a.entity());      // `second` stops tracking the entity while Health is parked
        ecs.remove<Velocity>(a.entity());  // no system reads this value
        EXPECT_EQ(a.get<Health>().points, 3);
    };
    int read = 0;
    second.at_remove = [&](Aspect& a) {
        EXPECT_EQ(a.get<Health>().points, 3);
        EXPECT_EQ(a.get<Name>().text, "a text that is long enough to be on the heap");
        EXPECT_EQ(a.get<Velocity>().x, 4);
        ++read;
    };
    const Entity e = ecs.add_entity();
    ecs.add<Name>(e, {"a text that is long enough to be on the heap"});
    ecs.add<Velocity>(e, {4});
    ecs.add<Health>(e, {3});
    ecs.remove<Health>(e);
    EXPECT_EQ(read, 1);
    EXPECT_EQ(first.removed, Ids{e});
    EXPECT_EQ(second.removed, Ids{e});
}

TEST(Aspect, A2_what_on_remove_itself_removes_is_missing_then) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    const Entity e = ecs.add_entity(Health{3}, Velocity{4});
    spy.at_remove = [&](Aspect& a) {
        EXPECT_EQ(a.get<Velocity>().x, 4);
        ecs.clear();
        EXPECT_EQ(a.get<Health>().points, 3);
        EXPECT_FALSE(a.has<Velocity>());
    };
    ecs.remove<Health>(e);
    EXPECT_EQ(spy.removed, Ids{e});
}

TEST(Aspect, A2_parked_values_of_several_entities_are_not_mixed_up) {
    ECS ecs;
    const Ids all = ecs.add_entities(5);
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    spy.at_remove = [&](Aspect& a) {
        const int i = a.get<Health>().points;
        if (i + 1 < 5) ecs.remove<Health>(all[static_cast<std::size_t>(i) + 1]);
        EXPECT_EQ(a.get<Health>().points, i);
        EXPECT_EQ(a.entity(), all[static_cast<std::size_t>(i)]);
    };
    for (int i = 0; i < 5; ++i) ecs.add<Health>(all[static_cast<std::size_t>(i)], {i});
    ecs.remove<Health>(all[0]);
    EXPECT_EQ(spy.removed, all);
    EXPECT_EQ(ecs.storage<Health>().count(), 0u);
    EXPECT_EQ(ecs.storage<Health>().parked_count(), 0u);
}

TEST(Aspect, A2_an_entity_whose_component_is_added_again_in_on_remove_has_a_new_aspect) {
    ECS ecs;
    auto& system = ecs.add_system<Spy<Requires<Health>, Watches<Health>>>(0);
    auto& later = ecs.add_system<Spy<Requires<Health>>>(1);
    const Entity e = ecs.add_entity();
    ecs.add<Health>(e, {1});
    ecs.update();
    Aspect* const old = &system.entities().get(e);
    system.at_remove = [&](Aspect& a) {
        EXPECT_EQ(&a, old);
        EXPECT_EQ(a.get<Health>().points, 1);
        system.at_remove = nullptr;
        ecs.add<Health>(e, {2});
        EXPECT_NE(&system.entities().get(e), &a);
    };
    EXPECT_TRUE(ecs.remove<Health>(e));
    EXPECT_EQ(system.tracking(), Ids{e});
    EXPECT_EQ(system.added, (Ids{e, e}));
    EXPECT_EQ(system.removed, Ids{e});
    EXPECT_EQ(system.dirty(), Ids{e}) << "newly tracked (D5)";
    EXPECT_EQ(later.tracking(), Ids{e});
    EXPECT_EQ(ecs.get<Health>(e).points, 2);
}

TEST(Aspect, A2_only_the_aspect_of_on_remove_reads_what_is_removed) {
    struct Healthless final : System<> {
        Healthless() { require<Position>(crateful::exclude<Health>); }
        void on_add(Aspect& a) override { found.push_back(a.has<Health>()); }
        void update(double) override {}
        std::vector<bool> found;
    };
    ECS ecs;
    ecs.add_system<Spy<Requires<Health>>>(0);  // so that a removed value is kept while callbacks run
    auto& system = ecs.add_system<Healthless>(1);
    const Entity e = ecs.add_entity(Position{});
    for (int i = 0; i < 2; ++i) {
        ecs.add<Health>(e, {1});  // ends the tracking, and with it an aspect
        ecs.remove<Health>(e);
    }
    EXPECT_EQ(system.found, (std::vector{false, false, false}));
}

namespace {

/// The ways in which a system stops tracking all entities with a Position.
const std::map<std::string, void (*)(ECS&, const Ids&)> REMOVALS{
    {"single",
     [](ECS& ecs, const Ids& all) {
         for (const Entity e : all) ecs.remove<Position>(e);
     }},
    {"bulk", [](ECS& ecs, const Ids& all) { ecs.remove<Position>(all); }},
    {"entities",
     [](ECS& ecs, const Ids& all) {
         ecs.remove_entities(all);
         ecs.update();
     }},
    {"clear", [](ECS& ecs, const Ids&) { ecs.clear(); }},
};

}  // namespace

TEST(Aspect, A1_the_aspect_of_another_entity_is_bound_to_it) {
    struct Silent final : System<> {
        Silent() { require<Position>(); }
        void update(double) override {}
        using System::entities;
    };
    for (const auto& [name, remove] : REMOVALS) {
        for (const bool bulk : {false, true}) {
            ECS ecs;
            auto& calls = ecs.add_system<Spy<Requires<Position>>>(0);
            auto& silent = ecs.add_system<Silent>(1);
            std::size_t added = 0;
            for (const std::size_t n : {10U, 12U, 3U}) {
                const Ids all = ecs.add_entities(n);
                if (bulk) ecs.add<Position>(all);
                else
                    for (const Entity e : all) ecs.add<Position>(e);
                for (const Entity e : all) {
                    EXPECT_EQ(calls.entities().get(e).entity(), e) << name;
                    EXPECT_EQ(silent.entities().get(e).entity(), e) << name;
                }
                remove(ecs, all);
                EXPECT_EQ(calls.added.size(), added += n) << name;
                EXPECT_EQ(calls.removed.size(), added) << name;
            }
        }
    }
}

TEST(Aspect, A3_a_system_that_is_removed_in_on_remove_gets_the_other_calls) {
    for (const auto& [name, remove] : REMOVALS) {
        ECS ecs;
        auto& system = ecs.add_system<Spy<Requires<Position>>>(0);
        const Ids all = ecs.add_entities(5);
        ecs.add<Position>(all);
        int calls = 0;
        system.at_remove = [&](Aspect&) {
            if (++calls == 1) ecs.remove_system(system);
        };
        remove(ecs, all);
        EXPECT_EQ(calls, 5) << name;
    }
}

TEST(Aspect, A1_aspects_without_data_are_used_again_but_do_not_hold_the_memory_of_a_large_world) {
    struct Calls final : System<> {
        Calls() { require<Position>(); }
        void on_add(Aspect&) override { ++added; }
        void on_remove(Aspect&) override { ++removed; }
        void update(double) override {}
        std::size_t added = 0;
        std::size_t removed = 0;
    };
    // How many of n entities are tracked for the second time before memory is needed.
    const auto again = [](std::size_t n) {
        ECS ecs;
        auto& system = ecs.add_system<Calls>(0);
        const Ids all = ecs.add_entities(n);
        for (const Entity e : all) ecs.add<Position>(e);
        for (const Entity e : all) ecs.remove<Position>(e);
        EXPECT_EQ(system.removed, n);
        allocations_left = 0;
        try {
            for (const Entity e : all) ecs.add<Position>(e);
            for (const Entity e : all) ecs.remove<Position>(e);
        } catch (const std::bad_alloc&) {
            // counted below
        }
        allocations_left = -1;
        return system.added - n;
    };
    EXPECT_EQ(again(200), 200);
    EXPECT_LT(again(20'000), 2'000);
}

TEST(Aspect, A2_an_entity_whose_component_is_removed_in_on_add_is_not_tracked) {
    ECS ecs;
    auto& system = ecs.add_system<Spy<Requires<Health>>>(0);
    auto& later = ecs.add_system<Spy<Requires<Health>>>(1);
    system.at_add = [&](Aspect& a) { ecs.remove<Health>(a.entity()); };
    const Entity e = ecs.add_entity();
    ecs.add<Health>(e);
    EXPECT_TRUE(system.tracking().empty());
    EXPECT_EQ(system.removed, Ids{e});
    EXPECT_TRUE(later.added.empty()) << "the component was removed before this system was notified";
}

TEST(Aspect, A3_each_kind_of_removal_calls_on_remove_once_with_all_components_readable) {
    for (const int kind : {0, 1, 2, 3}) {
        SCOPED_TRACE(kind);
        ECS ecs;
        int reads = 0;
        auto& spy = ecs.add_system<Spy<Requires<Position, Health>>>(0, [&](Recorder& r) {
            r.at_remove = [&](Aspect& a) {
                EXPECT_EQ(a.get<Health>().points, 6);
                EXPECT_EQ(a.get<Position>().y, 2);
                EXPECT_EQ(a.get<Velocity>().x, 1);
                EXPECT_TRUE(ecs.alive(a.entity()));
                ++reads;
            };
        });
        const Entity e = ecs.add_entity();
        ecs.add<Position>(e, {1, 2});
        ecs.add<Health>(e, {6});
        ecs.add<Velocity>(e, {1});
        switch (kind) {
            case 0: ecs.remove<Health>(e); break;
            case 1:
                ecs.remove_entity(e);
                ecs.update();
                break;
            case 2: ecs.clear(); break;
            default: ecs.remove_system(spy);
        }
        EXPECT_EQ(reads, 1);
        if (kind == 0) ecs.remove<Position>(e);
        ecs.clear();
        EXPECT_EQ(reads, 1);
    }
}

TEST(Aspect, A2_a_system_that_is_removed_can_read_components_that_its_callbacks_remove) {
    ECS ecs;
    const Ids all = ecs.add_entities(3);
    for (const Entity e : all) ecs.add<Health>(e, {8});
    int reads = 0;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0, [&](Recorder& r) {
        r.at_remove = [&](Aspect& a) {
            for (const Entity e : all) ecs.remove<Health>(e);
            const Health* health = a.try_get<Health>();
            if (a.entity() == all[0]) return;  // its own component, which was removed just now
            ASSERT_NE(health, nullptr);
            reads += health->points;
        };
    });
    ecs.remove_system(spy);
    EXPECT_EQ(reads, 16);
}

TEST(Aspect, A2_a_system_that_is_removed_is_notified_before_a_nested_clear_destroys_its_entities) {
    ECS ecs;
    const Ids all = ecs.add_entities(3);
    for (const Entity e : all) ecs.add<Health>(e, {8});
    Ids removed;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0, [&](Recorder& r) {
        r.at_remove = [&](Aspect& a) {
            EXPECT_TRUE(ecs.alive(a.entity()));
            EXPECT_EQ(a.get<Health>().points, 8);
            removed.push_back(a.entity());
            if (removed.size() == 1) ecs.clear();
        };
    });
    ecs.remove_system(spy);
    EXPECT_EQ(removed, all);
    EXPECT_EQ(ecs.count(), 0u);
}

TEST(Aspect, A1_an_aspect_class_without_a_default_constructor_needs_make_aspect) {
    struct WithoutDefault final : Aspect {
        explicit WithoutDefault(int) {}
    };
    struct WithoutMakeAspect final : System<WithoutDefault> {
        WithoutMakeAspect() { require<Position>(); }
        void update(double) override {}
    };
    ECS ecs;
    ecs.add_system<WithoutMakeAspect>(0);
    EXPECT_ERROR(ecs.add<Position>(ecs.add_entity()), ErrorCode::bad_system);
}

namespace {
// Calls `change` in its first make_aspect.
struct Making final : System<> {
    explicit Making(std::function<void(Making&)> first) : change(std::move(first)) { require<Position>(); }
    std::unique_ptr<Aspect> make_aspect() override {
        log += 'm';
        if (auto call = std::exchange(change, nullptr)) call(*this);
        return std::make_unique<Aspect>();
    }
    void on_add(Aspect& a) override { log += entities().contains(a.entity()) ? '+' : '?'; }
    void on_remove(Aspect&) override { log += '-'; }
    void update(double) override {}
    using System::entities;
    std::function<void(Making&)> change;
    std::string log;
};
}  // namespace

TEST(Aspect, A3_a_make_aspect_that_ends_the_tracking_leaves_no_aspect) {
    ECS ecs;
    const Entity e = ecs.add_entity();
    auto& system = ecs.add_system<Making>(0, [&](Making&) { ecs.remove<Position>(e); });
    ecs.add<Position>(e);
    EXPECT_EQ(system.log, "m");
    ecs.add<Position>(e);
    ecs.remove<Position>(e);
    EXPECT_EQ(system.log, "mm+-");
    system.change = [&](Making&) { ecs.clear(); };
    ecs.add_entity(Position{});
    EXPECT_EQ(system.log, "mm+-m");
    EXPECT_EQ(ecs.count(), 0u);
}

TEST(Aspect, A3_an_entity_that_is_tracked_again_in_make_aspect_has_one_aspect) {
    ECS ecs;
    const Entity e = ecs.add_entity();
    auto& system = ecs.add_system<Making>(0, [&](Making&) {
        ecs.remove<Position>(e);
        ecs.add<Position>(e);
    });
    ecs.add<Position>(e);
    EXPECT_EQ(system.log, "mm+");
    ecs.remove<Position>(e);
    EXPECT_EQ(system.log, "mm+-");
}

TEST(Aspect, A1_a_make_aspect_that_asks_for_its_aspect_makes_one) {
    ECS ecs;
    const Entity e = ecs.add_entity();
    Aspect* asked = nullptr;
    auto& system = ecs.add_system<Making>(0, [&](Making& made) { asked = &made.entities().get(e); });
    ecs.add<Position>(e);
    EXPECT_EQ(system.log, "mm+");
    EXPECT_EQ(&system.entities().get(e), asked);
}

TEST(Aspect, A3_an_entity_whose_make_aspect_threw_has_no_on_remove) {
    ECS ecs;
    const Entity e = ecs.add_entity();
    auto& system = ecs.add_system<Making>(0, [](Making&) { throw Oops("make"); });
    EXPECT_THROW(ecs.add<Position>(e), Oops);
    ecs.remove<Position>(e);
    EXPECT_EQ(system.log, "m");
}

TEST(Aspect, A1_a_make_aspect_that_returns_null_is_an_error) {
    struct Empty final : System<> {
        Empty() { require<Position>(); }
        std::unique_ptr<Aspect> make_aspect() override { return nullptr; }
        void update(double) override {}
    };
    ECS ecs;
    ecs.add_system<Empty>(0);
    EXPECT_ERROR(ecs.add<Position>(ecs.add_entity()), ErrorCode::bad_system);
}
