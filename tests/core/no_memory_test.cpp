// What holds after an allocation has failed (rule X1).
#include <cstdlib>
#include <new>

#include "world.hpp"

namespace {
/// How many allocations succeed from now on; any number of them if it is negative.
int allocations_left = -1;
void* allocate(std::size_t size) noexcept {
    if (allocations_left == 0) return nullptr;
    if (allocations_left > 0) --allocations_left;
    return std::malloc(size == 0 ? 1 : size);
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
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

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

TEST(NoMemory, X1_a_clear_that_has_failed_can_be_repeated) {
    const int allocations =
        fail_each_allocation([](ECS& ecs) { ecs.clear(); }, [](ECS& ecs, bool) { EXPECT_EQ(ecs.count(), 0u); });
    EXPECT_GT(allocations, 0);
}
