#include "crateful/entity.hpp"

#include <set>
#include <vector>

#include "world.hpp"

using namespace test;

TEST(Entity, E1_a_handle_is_22_bits_of_index_and_10_of_generation) {
    const Entity e = make_entity(0x3ABCDE, 0x2A5);
    EXPECT_EQ(sizeof(Entity), 4u);
    EXPECT_EQ(index_of(e), 0x3ABCDEu);
    EXPECT_EQ(generation_of(e), 0x2A5u);
    EXPECT_EQ(static_cast<std::uint32_t>(e), 0x2A5u << 22 | 0x3ABCDEu);
}

TEST(Entity, E1_a_description_names_number_index_and_generation) {
    EXPECT_EQ(describe(make_entity(7, 1)), "entity 4194311 (index 7, generation 1)");
    EXPECT_EQ(describe(NONE), "entity NONE");
}

TEST(EntityPool, E2_the_first_handles_count_up_from_zero) {
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
    EXPECT_EQ(index_of(pool.create()), 1101u) << "index 1 has to wait for another one";
}

TEST(EntityPool, E2_indices_come_back_first_freed_first) {
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

TEST(EntityPool, E2_an_index_is_retired_when_its_generations_are_spent) {
    EntityPool pool;
    Ids batch;
    for (std::uint32_t i = 0; i <= EntityPool::MIN_FREED_BEFORE_REUSE; ++i) batch.push_back(pool.create());
    for (const Entity e : batch) pool.destroy(e);
    // 1,025 indices in a ring: each creation takes the oldest, whose destruction puts it last.
    for (std::uint32_t generation = 1; generation < ENTITY_LAST_GENERATION; ++generation) {
        for (std::uint32_t index = 0; index <= EntityPool::MIN_FREED_BEFORE_REUSE; ++index) {
            const Entity e = pool.create();
            ASSERT_EQ(e, make_entity(index, generation));
            pool.destroy(e);
        }
    }
    // A spent index goes back to no ring, so fresh ones have to take its place.
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
    EXPECT_EQ(pool.create(), make_entity(0, 1)) << "freed ones may be used again";
    EXPECT_ERROR(pool.create(), ErrorCode::out_of_memory);
}

TEST(EntityPool, E6_none_and_invented_handles_are_not_alive) {
    EntityPool pool;
    EXPECT_FALSE(pool.alive(NONE));
    const Entity e = pool.create();
    EXPECT_FALSE(pool.alive(NONE));
    EXPECT_FALSE(pool.alive(make_entity(index_of(e), 1)));
    EXPECT_FALSE(pool.alive(make_entity(1, 0)));
    EXPECT_EQ(static_cast<std::uint32_t>(NONE), 0xFFFFFFFFu);
}

TEST(EntityPool, E4_the_control_block_shows_the_living) {
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

TEST(EntityPool, E3_marks_end_with_the_entity) {
    EntityPool pool;
    Ids all;
    for (std::uint32_t i = 0; i <= EntityPool::MIN_FREED_BEFORE_REUSE; ++i) all.push_back(pool.create());
    pool.set_marked(all[0], true);
    pool.set_leaving(all[0]);
    EXPECT_TRUE(pool.marked(all[0]));
    EXPECT_TRUE(pool.leaving(all[0]));
    for (const Entity e : all) pool.destroy(e);
    const Entity again = pool.create();
    ASSERT_EQ(index_of(again), index_of(all[0]));
    EXPECT_FALSE(pool.marked(again));
    EXPECT_FALSE(pool.leaving(again));
}
