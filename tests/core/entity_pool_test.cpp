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

TEST(EntityPool, E2_the_index_that_was_freed_last_is_reused_first_with_the_next_generation) {
    EntityPool pool;
    Ids all;
    for (int i = 0; i < 200; ++i) all.push_back(pool.create());
    Ids freed;
    for (std::size_t i = 0; i < 150; ++i) {
        freed.push_back(all[(i * 7) % 200]);
        pool.destroy(freed.back());
    }
    for (std::size_t i = 150; i-- > 0;) EXPECT_EQ(pool.create(), make_entity(index_of(freed[i]), 1));
    EXPECT_EQ(index_of(pool.create()), 200u);
}

TEST(EntityPool, E2_a_stale_handle_is_recognised_after_its_index_is_reused) {
    EntityPool pool;
    const Entity e = pool.create();
    pool.destroy(e);
    const Entity again = pool.create();
    ASSERT_EQ(index_of(again), index_of(e));
    EXPECT_FALSE(pool.alive(e));
    EXPECT_TRUE(pool.alive(again));
}

TEST(EntityPool, E2_an_index_is_retired_when_its_generations_are_used_up) {
    EntityPool pool;
    for (std::uint32_t generation = 0; generation <= ENTITY_LAST_GENERATION; ++generation) {
        const Entity e = pool.create();
        ASSERT_EQ(e, make_entity(0, generation));
        pool.destroy(e);
    }
    EXPECT_EQ(pool.create(), make_entity(1, 0));
    EXPECT_EQ(pool.count(), 1u);
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
            ASSERT_TRUE(issued.insert(alive.back()).second) << to_string(alive.back());
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

    pool.destroy(make_entity(7, 0));
    EXPECT_EQ(pool.create(), make_entity(7, 1)) << "freed indices are used again";
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
    EXPECT_NE(index_of(control.handles[40]), 40u);
    EXPECT_EQ(control.handles[99], Entity{99});
}

TEST(EntityPool, E7_many_handles_are_issued_at_once) {
    EntityPool pool;
    pool.widen(40);
    Ids all(10);
    pool.create(all);
    for (const std::size_t i : {3u, 7u, 5u}) {
        pool.signature(all[i])[1] = 1;
        pool.destroy(all[i]);
    }
    Ids more(6);
    pool.create(more);
    EXPECT_EQ(more, (Ids{make_entity(5, 1), make_entity(7, 1), make_entity(3, 1), Entity{10}, Entity{11}, Entity{12}}));
    EXPECT_EQ(pool.count(), 13u);
    EXPECT_EQ(pool.handles().size(), 13u);
    for (const Entity e : more) {
        EXPECT_TRUE(pool.alive(e));
        EXPECT_EQ(pool.signature(e)[1], 0u);
    }
    EXPECT_EQ(pool.create(), Entity{13});
}

TEST(EntityPool, E3_a_new_entity_has_no_flags_and_no_classes) {
    EntityPool pool;
    pool.widen(40);
    const Entity e = pool.create();
    EXPECT_EQ(*pool.signature(e), 0u);
    *pool.signature(e) = EntityPool::REMOVAL_PENDING | EntityPool::NOTIFIES_REMOVAL;
    pool.signature(e)[1] = 1;
    pool.destroy(e);
    const Entity again = pool.create();
    ASSERT_EQ(index_of(again), index_of(e));
    EXPECT_EQ(pool.signature(again)[0], 0u);
    EXPECT_EQ(pool.signature(again)[1], 0u);
}

TEST(EntityPool, S2_signatures_keep_their_classes_when_they_become_wider) {
    EntityPool pool;
    Ids all;
    for (int i = 0; i < 5; ++i) all.push_back(pool.create());
    const std::vector<ComponentId> classes = {0, 7, 29, 30, 61, 62, 200};
    for (const ComponentId id : classes) {
        pool.widen(id);
        const EntityPool::ClassBit bit(id);
        for (std::size_t i = 0; i < all.size(); i += 2) pool.signature(all[i])[bit.word] |= bit.mask;
    }
    pool.reserve(100);
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::vector<ComponentId> found;
        *pool.signature(all[i]) |= EntityPool::REMOVAL_PENDING;  // a flag is no class
        pool.each_class(all[i], [&](ComponentId id) { found.push_back(id); });
        EXPECT_EQ(found, i % 2 == 0 ? classes : std::vector<ComponentId>{});
    }
}

TEST(EntityPool, E4_each_visits_the_living_entities_only) {
    EntityPool pool;
    Ids all;
    for (int i = 0; i < 50; ++i) all.push_back(pool.create());
    Ids left;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i % 3 == 1) pool.destroy(all[i]);
        else left.push_back(all[i]);
    }
    Ids visited;
    pool.each([&](Entity e) { visited.push_back(e); });
    EXPECT_EQ(visited, left);
}
