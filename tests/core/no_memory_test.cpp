// What holds after an allocation has failed (rule X1).
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "crateful/state.hpp"
#include "failing_memory.hpp"
#include "world.hpp"

int test::allocations_left = -1;
bool test::fails_once = false;
std::size_t test::allocated_bytes = 0;

namespace {
using test::allocations_left;
using test::fails_once;

void* allocate(std::size_t size) noexcept {
    if (allocations_left == 0) {
        if (fails_once) allocations_left = -1;
        return nullptr;
    }
    if (allocations_left > 0) --allocations_left;
    void* memory = std::malloc(size + sizeof(std::max_align_t));  // in front: how many bytes
    if (memory == nullptr) return nullptr;
    test::allocated_bytes += *static_cast<std::size_t*>(memory) = size;
    return static_cast<std::max_align_t*>(memory) + 1;
}
void deallocate(void* memory) noexcept {
    if (memory == nullptr) return;
    memory = static_cast<std::max_align_t*>(memory) - 1;
    test::allocated_bytes -= *static_cast<std::size_t*>(memory);
    std::free(memory);
}
void* allocate_or_throw(std::size_t size) {
    void* memory = allocate(size);
    return memory != nullptr ? memory : throw std::bad_alloc();
}
}  // namespace

// All of them, because sanitizers have their own, and compare what has allocated and freed memory.
void* operator new(std::size_t size) { return allocate_or_throw(size); }
void* operator new[](std::size_t size) { return allocate_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* memory) noexcept { deallocate(memory); }
void operator delete[](void* memory) noexcept { deallocate(memory); }
void operator delete(void* memory, std::size_t) noexcept { deallocate(memory); }
void operator delete[](void* memory, std::size_t) noexcept { deallocate(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { deallocate(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { deallocate(memory); }

using namespace test;

namespace {

struct Failing {};

/// Calls `attempt(ecs)` in a new ECS each time, with one more allocation that succeeds, until none fails; and `verify` after
/// each call.
template <class Attempt, class Verify>
int fail_each_allocation(const Attempt& attempt, const Verify& verify) {
    for (int n = 0;; ++n) {
        ECS ecs;
        const Ids all = ecs.add_entities(5);
        for (const Entity e : all) ecs.add<Position>(e);
        ecs.add_system<Spy<Requires<Position>, Watches<Position>>>(0);
        ecs.set_parent(all[1], all[0]);
        bool failed = false;
        allocations_left = n;
        try {
            attempt(ecs);
        } catch (const std::bad_alloc&) {
            failed = true;
        }
        allocations_left = -1;
        verify(ecs, failed);
        // The ECS is usable.
        for (const Entity e : all) ecs.alive(e) ? ecs.dirty<Position>(e) : void();
        ecs.add_entity(Position{}, Failing{}, Velocity{});
        ecs.update();
        ecs.clear();
        if (!failed) return n;
    }
}

struct Demanding final : System<> {
    Demanding() {
        require<Position, Velocity>(exclude<Failing>, any<Position, Health>);
        watch<Position, Health>();
        watch_ancestors<Position, Name>();
    }
    void update(double) override {}
};

}  // namespace

TEST(NoMemory, X1_a_system_that_cannot_be_added_leaves_nothing_behind) {
    const int allocations = fail_each_allocation([](ECS& ecs) { ecs.add_system<Demanding>(0); },
                                                 [](ECS& ecs, bool failed) {
                                                     const std::size_t n = ecs.systems().size();
                                                     EXPECT_TRUE(n == 2 || (failed && n == 1)) << n;
                                                     if (n == 1) return;
                                                     const Entity e = ecs.add_entity(Position{}, Velocity{});
                                                     EXPECT_TRUE(ecs.get_system<Demanding>().tracks(e));
                                                     ecs.update();
                                                     ecs.add<Health>(e);
                                                     EXPECT_EQ(ecs.get_system<Demanding>().dirty_set().size(), 1u);
                                                 });
    EXPECT_GT(allocations, 10);
}

TEST(NoMemory, V3_X4_a_system_that_cannot_be_added_receives_nothing) {
    struct Listener final : System<> {
        Listener() {
            require_none();
            subscribe<Ping>([this](const Ping&) { ++received; });
        }
        void update(double) override {}
        int received = 0;
    };
    auto system = std::make_unique<Listener>();
    fail_each_allocation([&](ECS& ecs) { ecs.add_system(1, std::exchange(system, nullptr)); },
                         [&](ECS& ecs, bool failed) {
                             ecs.events.dispatch(Ping{});  // a handler that remained would use a destroyed system
                             if (!failed) EXPECT_EQ(ecs.get_system<Listener>().received, 1);
                             else system = std::make_unique<Listener>();
                         });
}

TEST(NoMemory, C13_X4_a_string_that_cannot_be_added_changes_nothing) {
    struct Named {
        String text{};
    };
    describe_component<Named>("NoMemoryNamed").field("text", &Named::text);
    const int allocations = fail_each_allocation(
        [](ECS& ecs) {
            for (int i = 0; i < 40; ++i)
                ecs.add_entity(Named{ecs.string("a text that needs memory " + std::to_string(i))});
            static_cast<void>(ecs.prefab(Named{ecs.string("prefab")}));
            static_cast<void>(ecs.query<Named>(order_by(&Named::text)).ids());
        },
        [](ECS& ecs, bool failed) {
            ecs.by_id().strings().slack(0);
            std::size_t n = 0;
            for (auto [entity, named] : ecs.query<Named>()) {
                EXPECT_EQ(ecs.text(named.text), "a text that needs memory " + std::to_string(n++));
                EXPECT_EQ(ecs.string(ecs.text(named.text)), named.text);
            }
            EXPECT_TRUE(failed || n == 40);
            EXPECT_EQ(ecs.text(ecs.string("others")), "others");
            EXPECT_EQ(ecs.query<Named>(order_by(&Named::text)).ids().size(), n);
        });
    EXPECT_GT(allocations, 100);
}

TEST(NoMemory, D15_X4_causes_that_could_not_be_kept_are_kept_by_the_next_call) {
    struct Asks final : System<> {
        Asks() {
            require<Position>();
            watch<Position, Health>();
        }
        void update(double, Entities&, DirtySet& dirty) override {
            seen = 0;
            for (const Entity e : dirty.of<Health>()) seen += dirty.contains(e) ? 1 : 0;
        }
        int seen = 0;
    };
    for (int n = 0, failed = 1; failed != 0; ++n) {
        ECS ecs;
        auto& asks = ecs.add_system<Asks>(0);
        for (int k = 0; k < 40; ++k) ecs.add_entity(Position{});
        failed = 0;
        allocations_left = n;
        try {
            ecs.update();
        } catch (const std::bad_alloc&) {
            failed = 1;
        }
        allocations_left = -1;
        ecs.update();  // a run that threw has kept its dirty set
        EXPECT_EQ(asks.seen, failed != 0 ? 40 : 0);
    }
}

TEST(NoMemory, X1_an_update_that_has_failed_can_be_repeated) {
    const int allocations = fail_each_allocation([](ECS& ecs) { ecs.update(); }, [](ECS&, bool) {});
    EXPECT_GT(allocations, 0);
}

TEST(NoMemory, D13_a_sort_that_has_failed_loses_no_change) {
    struct Inheriting final : System<> {
        Inheriting() {
            require<Position>();
            watch<Velocity>();
            watch_ancestors<Position>();
        }
        void update(double) override {}
    };
    ECS ecs;
    auto& system = ecs.add_system<Inheriting>(0);
    const Ids all = ecs.add_entities(3);
    for (const Entity e : all) ecs.add<Position>(e), ecs.add<Velocity>(e);
    for (std::size_t i = 1; i < all.size(); ++i) ecs.set_parent(all[i], all[i - 1]);
    ecs.dirty<Position>(all[0]);  // allocates what signals need
    ecs.update();
    for (const std::size_t i : {1u, 0u}) ecs.dirty<Velocity>(all[i]);
    allocations_left = 0;
    EXPECT_THROW(system.dirty_set().top_down(), std::bad_alloc);
    allocations_left = -1;
    ecs.dirty<Position>(all[1]);
    EXPECT_TRUE(system.dirty_set().contains(all[2]));
}

TEST(NoMemory, S9_X4_a_system_that_could_not_start_or_stop_tracking_does_so_in_the_next_update) {
    struct With final : System<> {
        With() { require<Health>(); }
        void update(double) override {}
    };
    struct Without final : System<> {
        Without() { require<Position>(crateful::exclude<Health>); }
        void update(double) override {}
    };
    int late = 0;
    bool failed = true;
    for (int n = 0; failed; ++n) {
        ECS ecs;
        auto& with = ecs.add_system<With>(0);
        auto& without = ecs.add_system<Without>(1);
        const Entity e = ecs.add_entity(Position{});
        allocations_left = n;
        try {
            ecs.add<Health>(e, {1});
            failed = false;
        } catch (const std::bad_alloc&) {
            late += ecs.has<Health>(e) && without.tracked().contains(e);
        }
        allocations_left = -1;
        ecs.update();
        EXPECT_EQ(with.tracked().contains(e), ecs.has<Health>(e)) << n;
        EXPECT_EQ(without.tracked().contains(e), !ecs.has<Health>(e)) << n;
    }
    EXPECT_GT(late, 0);
}

TEST(NoMemory, T6_X4_components_that_could_not_be_sorted_have_not_moved) {
    const int allocations =
        fail_each_allocation([](ECS& ecs) { ecs.sort<Position>([](Entity a, Entity b) { return b < a; }); },
                             [](ECS& ecs, bool failed) {
                                 const auto entities = ecs.storage<Position>().entities();
                                 EXPECT_EQ(std::is_sorted(entities.begin(), entities.end()), failed);
                                 for (std::uint32_t slot = 0; slot < entities.size(); ++slot)
                                     EXPECT_EQ(ecs.storage<Position>().slot(entities[slot]), slot);
                             });
    EXPECT_GT(allocations, 0);
}

TEST(NoMemory, E12_X4_a_prefab_with_children_that_could_not_be_spawned_leaves_nothing_behind) {
    const auto tree = [](ECS& ecs) {
        auto ship = ecs.prefab(Position{}, Name{});
        auto turret = ecs.prefab(Position{}, Velocity{});
        turret.child(ecs.prefab(Position{}, Indexed{}));
        ship.child(turret);
        ship.spawn();
        ship.spawn(4);
    };
    const int allocations = fail_each_allocation(tree, [](ECS& ecs, bool failed) {
        const std::size_t n = ecs.count() - 5;
        EXPECT_TRUE(n == 0 || n == 3 || n == 15) << n;
        EXPECT_TRUE(failed || n == 15);
        EXPECT_EQ(ecs.storage<Position>().count(), n + 5);
        EXPECT_EQ(ecs.storage<Parent>().count(), n / 3 * 2 + 1);
        for (const Entity e : ecs.storage<Parent>().entities()) EXPECT_EQ(ecs.get<Parent>(e).entity(), ecs.parent(e));
        ecs.update();
        auto& system = *ecs.systems().front();
        EXPECT_EQ(system.tracked().size(), n + 5) << "what could not start to track them starts in the next update";
    });
    EXPECT_GT(allocations, 20);
}

TEST(NoMemory, H2_X4_what_a_phase_of_removals_has_marked_is_removed_in_the_next_one) {
    int failures = -1;
    for (bool failed = true; failed;) {
        ECS ecs;
        const Ids all = ecs.add_entities(3);
        ecs.set_parent(all[1], all[0]);
        ecs.remove_entity(all[0]);
        failed = false;
        allocations_left = ++failures;
        try {
            ecs.remove_marked();
        } catch (const std::bad_alloc&) {
            failed = true;
        }
        allocations_left = -1;
        ecs.remove_marked();
        EXPECT_EQ(ecs.count(), 1u);
        EXPECT_TRUE(ecs.alive(all[2]));
    }
    EXPECT_GT(failures, 0);
}

TEST(NoMemory, X1_a_clear_that_has_failed_can_be_repeated) {
    const int allocations =
        fail_each_allocation([](ECS& ecs) { ecs.clear(); }, [](ECS& ecs, bool) { EXPECT_EQ(ecs.count(), 0u); });
    EXPECT_GT(allocations, 0);
}

// --- every allocation of a scenario that uses everything -------------------------------------------

namespace {

struct Cargo {
    std::vector<int> data = std::vector<int>(1);
};

/// Has every callback; what it tracks and what is dirty is compared with what it selects.
template <bool Listens>
struct Scenario final : System<> {
    Scenario() {
        require<Position>(exclude<Failing>, any<Velocity, Cargo>);
        watch<Position, Cargo>();
        watch_ancestors<Velocity>();
    }
    void update(double, Entities& entities, Dirty& dirty) override {
        for (const Entity e : dirty.top_down()) dirty.keep(e);
        for (auto [e, aspect] : entities) {
            static_cast<void>(aspect);
            if (Listens && index_of(e) % 5 == 4) ecs().remove_entity(e);
        }
    }
    void on_add(Aspect& aspect) override {
        if (Listens) aspect.ecs().template add<Health>(aspect.entity());
    }
    void on_remove(Aspect& aspect) override {
        if (Listens) static_cast<void>(aspect.template try_get<Cargo>());
    }
};
struct TracksCargo final : System<> {
    TracksCargo() { require<Cargo>(); }
    void update(double) override {}
};

void expect_consistent(ECS& ecs) {
    const auto check = [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        for (const Entity e : copy(ecs.query<T>().ids())) EXPECT_TRUE(ecs.alive(e) && ecs.has<T>(e));
    };
    check(static_cast<Position*>(nullptr));
    check(static_cast<Cargo*>(nullptr));
    check(static_cast<Indexed*>(nullptr));
    for (const Entity e : copy(ecs.storage<Parent>().entities())) {
        const Entity parent = ecs.get<Parent>(e).entity();
        EXPECT_EQ(parent, ecs.parent(e));
        Ids children;
        for (const Entity child : ecs.children(parent)) children.push_back(child);
        EXPECT_EQ(std::count(children.begin(), children.end(), e), 1);
    }
    const auto compare = [&](SystemBase& system, auto selected) {
        Ids tracked = copy(system.tracked().entities());
        std::sort(tracked.begin(), tracked.end());
        std::sort(selected.begin(), selected.end());
        EXPECT_EQ(tracked, selected);
        for (const Entity e : system.dirty_set().ids()) EXPECT_TRUE(system.tracks(e));
    };
    for (SystemBase* system : ecs.systems()) {
        if (dynamic_cast<TracksCargo*>(system) != nullptr) compare(*system, ecs.query<Cargo>().ids());
        else compare(*system, ecs.query<Position>(exclude<Failing>, any<Velocity, Cargo>).ids());
    }
}

int run_scenario(int fail_at, bool once) {
    ECS ecs;
    allocations_left = fail_at;
    fails_once = once;
    const auto attempt = [](auto call) {
        try {
            call();
        } catch (const std::bad_alloc&) {
        } catch (const Error&) {  // an earlier step did not happen
        }
    };
    Ids all;
    attempt([&] { all = ecs.add_entities(12); });
    attempt([&] { ecs.add_system<Scenario<true>>(0); });
    attempt([&] { ecs.add_system<TracksCargo>(0); });
    const auto unsubscribe = [&]() -> EventsManager::Unsubscribe {
        try {
            return ecs.events.subscribe<Ping>(
                [&](const Ping&) { attempt([&] { ecs.add_entity(Position{}, Cargo{}); }); });
        } catch (const std::bad_alloc&) {
            return [] {};
        }
    }();
    for (std::size_t i = 0; i < all.size(); ++i) {
        attempt([&] { ecs.add<Position>(all[i]); });
        if (i % 2 == 0) attempt([&] { ecs.add(all[i], Cargo{}); });
        else attempt([&] { ecs.emplace<Velocity>(all[i]); });
        if (i % 3 == 0) attempt([&] { ecs.set(all[i], Indexed{1}); });
        if (i > 0) attempt([&] { ecs.set_parent(all[i], all[(i - 1) / 2]); });
    }
    attempt([&] { ecs.add_system<Scenario<false>>(-1); });
    attempt([&] { ecs.events.dispatch(Ping{}); });
    attempt([&] { ecs.events.dispatch(Ping{}, 0.01); });
    attempt([&] { ecs.events.inbox<Ping>().clear(); });
    attempt([&] { ecs.update(); });
    attempt([&] {
        auto prefab = ecs.prefab(Position{1}, Cargo{}, Indexed{});
        prefab.spawn();
        prefab.spawn(5);
        prefab.child(ecs.prefab(Position{2}, Velocity{}));
        prefab.spawn();
        prefab.spawn(3);
    });
    attempt([&] { ecs.add<Failing>(std::span<const Entity>(all).first(all.size() / 2), std::vector<Failing>(1)); });
    attempt([&] { ecs.remove<Failing>(all); });
    attempt([&] { ecs.remove<Cargo>(all); });
    attempt([&] { ecs.dirty<Position>(all); });
    attempt([&] { ecs.query<Position>().change([](Position& p) { p.x += 1; }); });
    attempt([&] { ecs.sort<Position>([](Entity a, Entity b) { return b < a; }); });
    for (std::size_t i = 0; i < all.size(); i += 3) attempt([&] { ecs.set_parent(all[i], NONE); });
    for (std::size_t i = 0; i < all.size(); i += 4) attempt([&] { ecs.remove_entity(all[i]); });
    attempt([&] { ecs.update(); });
    attempt([&] { ecs.remove_system(ecs.get_system<TracksCargo>()); });
    attempt([&] { ecs.add_system<TracksCargo>(2); });
    attempt([&] { ecs.update(); });
    attempt([&] { unsubscribe(); });
    const int left = allocations_left;
    allocations_left = -1;
    ecs.update();
    expect_consistent(ecs);
    ecs.clear();
    EXPECT_EQ(ecs.count(), 0u);
    ecs.add_entity(Position{}, Cargo{});
    ecs.update();
    expect_consistent(ecs);
    return left;
}

}  // namespace

TEST(NoMemory, X4_after_any_failed_allocation_the_ecs_is_consistent) {
    for (const bool once : {true, false}) {
        int allocations = 0;
        while (run_scenario(allocations, once) <= 0 && !HasFailure()) ++allocations;
        EXPECT_GT(allocations, 100);
        if (HasFailure()) ADD_FAILURE() << "allocation " << allocations << (once ? ", once" : ", and all that follow");
    }
}

TEST(NoMemory, N2_X4_a_snapshot_that_cannot_be_restored_changes_nothing) {
    struct Place {
        float x = 0;
        String name;
    };
    struct Mark {};
    describe_component<Place>("no_memory.Place").field("x", &Place::x).field("name", &Place::name);
    describe_component<Mark>("no_memory.Mark");
    struct Observer final : System<> {
        Observer() {
            require<Place>(exclude<Mark>);
            watch<Place>();
        }
        void update(double, Entities&, Dirty& dirty) override { seen = dirty.size(); }
        std::uint32_t seen = 0;
    };
    const auto fill = [](ECS& ecs, unsigned seed, std::size_t entities) {
        Ids all = ecs.add_entities(entities);
        for (const Entity e : all) {
            const unsigned k = index_of(e) + seed;
            if (k % 3 != 0)
                ecs.add(e, Place{static_cast<float>(k), ecs.string(k % 2 != 0 ? "odd" : "a text that is even")});
            if (k % 5 == 0) ecs.add<Mark>(e);
            if (k % 4 == 0 && e != all[0]) ecs.set_parent(e, all[0]);
        }
        ecs.remove_entities(std::span(all).subspan(10, 5));
        ecs.update();
    };
    ECS original;
    fill(original, 1, 3000);
    const auto target = snapshot(original);
    for (int n = 0;; ++n) {
        ECS ecs;
        const auto& observer = ecs.add_system<Observer>(0);
        fill(ecs, 3, 40);
        const auto before = snapshot(ecs);
        bool failed = false;
        allocations_left = n;
        try {
            restore(ecs, target);
        } catch (const std::bad_alloc&) {
            failed = true;
        }
        allocations_left = -1;
        ASSERT_TRUE(snapshot(ecs) == (failed ? before : target)) << n;
        ecs.update();
        EXPECT_TRUE(!failed || observer.seen == 0);
        restore(ecs, target);
        if (failed) continue;
        EXPECT_GT(n, 30);
        EXPECT_GT(observer.seen, 0u);
        break;
    }
}
