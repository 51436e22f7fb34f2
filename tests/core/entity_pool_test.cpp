#include "crateful/detail/entity_pool.hpp"

#include <set>
#include <vector>

#include "world.hpp"

using namespace test;

TEST(EntityPool, E2_the_first_handles_are_0_1_2) {
    EntityPool pool;
    EXPECT_EQ(pool.create(), Entity{0});
    EXPECT_EQ(pool.create(), Entity{1});
    EXPECT_EQ(pool.count(), 2u);
}

TEST(EntityPool, E2_an_index_waits_until_1024_others_were_freed) {
    EntityPool pool;
    Ids all;
    for (int i = 0; i < 1100; ++i) all.push_back(pool.create());
    for (std::size_t i = 0; i < 1024; ++i) pool.destroy(all[i]);
    EXPECT_EQ(index_of(pool.create()), 1100u) << "only 1,023 others were freed";

    pool.destroy(all[1024]);
    EXPECT_EQ(pool.create(), make_entity(0, 1));
    EXPECT_EQ(index_of(pool.create()), 1101u) << "index 1 is not reused before another one is freed";
}

TEST(EntityPool, E2_indices_are_reused_in_the_order_in_which_they_were_freed) {
    EntityPool pool;
    Ids all;
    for (int i = 0; i < 2000; ++i) all.push_back(pool.create());
    Ids freed;
    for (std::size_t i = 0; i < 1500; ++i) {
        freed.push_back(all[(i * 7) % 2000]);
        pool.destroy(freed.back());
    }
    for (std::size_t i = 0; i < 1500 - 1024; ++i) EXPECT_EQ(pool.create(), make_entity(index_of(freed[i]), 1));
    EXPECT_EQ(index_of(pool.create()), 2000u);
}

TEST(EntityPool, E2_a_stale_handle_is_recognised_after_its_index_is_reused) {
    EntityPool pool;
    Ids all;
    for (std::uint32_t i = 0; i <= EntityPool::MIN_FREED_BEFORE_REUSE; ++i) all.push_back(pool.create());
    for (const Entity e : all) pool.destroy(e);
    const Entity again = pool.create();
    ASSERT_EQ(index_of(again), index_of(all[0]));
    EXPECT_FALSE(pool.alive(all[0]));
    EXPECT_TRUE(pool.alive(again));
}

TEST(EntityPool, E2_an_index_is_retired_when_its_generations_are_used_up) {
    EntityPool pool;
    Ids batch;
    for (std::uint32_t i = 0; i <= EntityPool::MIN_FREED_BEFORE_REUSE; ++i) batch.push_back(pool.create());
    for (const Entity e : batch) pool.destroy(e);
    // 1,025 indices are reused in turn: each creation takes the one that was freed first.
    for (std::uint32_t generation = 1; generation < ENTITY_LAST_GENERATION; ++generation) {
        for (std::uint32_t index = 0; index <= EntityPool::MIN_FREED_BEFORE_REUSE; ++index) {
            const Entity e = pool.create();
            ASSERT_EQ(e, make_entity(index, generation));
            pool.destroy(e);
        }
    }
    // A retired index is not freed, so new indices are used instead.
    std::set<Entity> last;
    std::set<Entity> fresh;
    for (int i = 0; i < 8000; ++i) {
        const Entity e = pool.create();
        ASSERT_TRUE((index_of(e) <= EntityPool::MIN_FREED_BEFORE_REUSE ? last : fresh).insert(e).second) << describe(e);
        pool.destroy(e);
    }
    EXPECT_EQ(last.size(), EntityPool::MIN_FREED_BEFORE_REUSE + 1u);
    for (const Entity e : last) EXPECT_EQ(generation_of(e), ENTITY_LAST_GENERATION);
    EXPECT_EQ(last.size() + fresh.size(), 8000u);
}

TEST(EntityPool, E2_no_handle_is_ever_issued_twice) {
    EntityPool pool;
    std::set<Entity> issued;
    Ids alive;
    std::uint32_t random = 12345;
    for (int step = 0; step < 60'000; ++step) {
        random = random * 1664525u + 1013904223u;
        if (alive.size() < 50 || (random >> 16) % 2 == 0) {
            alive.push_back(pool.create());
            ASSERT_TRUE(issued.insert(alive.back()).second) << describe(alive.back());
        } else {
            std::swap(alive[(random >> 8) % alive.size()], alive.back());
            pool.destroy(alive.back());
            alive.pop_back();
        }
    }
    for (const Entity e : alive) issued.erase(e);
    for (const Entity e : issued) ASSERT_FALSE(pool.alive(e));
}

TEST(EntityPool, E2_running_out_of_indices_is_an_error_and_changes_nothing) {
    EntityPool pool;
    pool.reserve(EntityPool::MAX_ENTITIES);
    EXPECT_ERROR(pool.reserve(EntityPool::MAX_ENTITIES + std::size_t{1}), ErrorCode::out_of_memory);
    Entity last = NONE;
    for (std::uint32_t i = 0; i < EntityPool::MAX_ENTITIES; ++i) last = pool.create();
    EXPECT_EQ(index_of(last), EntityPool::MAX_ENTITIES - 1);
    EXPECT_ERROR(pool.create(), ErrorCode::out_of_memory);
    EXPECT_ERROR(pool.reserve(1), ErrorCode::out_of_memory);
    EXPECT_EQ(pool.count(), EntityPool::MAX_ENTITIES);

    for (std::uint32_t i = 0; i <= EntityPool::MIN_FREED_BEFORE_REUSE; ++i) pool.destroy(make_entity(i, 0));
    EXPECT_EQ(pool.create(), make_entity(0, 1)) << "freed indices are used again";
    EXPECT_ERROR(pool.create(), ErrorCode::out_of_memory);
}

TEST(EntityPool, E6_none_and_handles_that_were_never_issued_are_not_alive) {
    EntityPool pool;
    EXPECT_FALSE(pool.alive(NONE));
    const Entity e = pool.create();
    EXPECT_FALSE(pool.alive(NONE));
    EXPECT_FALSE(pool.alive(make_entity(index_of(e), 1)));
    EXPECT_FALSE(pool.alive(make_entity(1, 0)));
    EXPECT_EQ(static_cast<std::uint32_t>(NONE), 0xFFFFFFFFu);
}

TEST(EntityPool, E4_the_control_block_contains_the_entities_that_are_alive) {
    EntityPool pool;
    for (int i = 0; i < 100; ++i) EXPECT_NE(pool.create(), NONE);
    pool.destroy(Entity{40});
    const EntityPool::Control& control = pool.control();
    EXPECT_EQ(control.slots, 100u);
    EXPECT_EQ(control.count, 99u);
    EXPECT_EQ(control.handles, pool.handles().data());
    EXPECT_EQ(control.handles[40], NONE);
    EXPECT_EQ(control.handles[99], Entity{99});
}

TEST(EntityPool, E3_destroying_an_entity_resets_its_flags) {
    EntityPool pool;
    Ids all;
    for (std::uint32_t i = 0; i <= EntityPool::MIN_FREED_BEFORE_REUSE; ++i) all.push_back(pool.create());
    pool.set_removal_pending(all[0]);
    pool.set_being_removed(all[0]);
    EXPECT_TRUE(pool.removal_pending(all[0]));
    EXPECT_TRUE(pool.being_removed(all[0]));
    for (const Entity e : all) pool.destroy(e);
    const Entity again = pool.create();
    ASSERT_EQ(index_of(again), index_of(all[0]));
    EXPECT_FALSE(pool.removal_pending(again));
    EXPECT_FALSE(pool.being_removed(again));
}
