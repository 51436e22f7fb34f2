#include "crateful/detail/each.hpp"

#include "world.hpp"

using namespace test;

namespace {

struct Order {
    std::uint32_t value = 0;
};
struct Twice {
    std::uint32_t value = 0;
};

/// The entities that `each` visits; checks that the values are those of the entities.
template <class... Ts>
Ids visited(ECS& ecs) {
    Ids all;
    ecs.each<Ts...>([&](Entity e, Ts&... values) {
        all.push_back(e);
        EXPECT_TRUE((... && (&values == ecs.try_get<Ts>(e)))) << to_string(e);
    });
    std::sort(all.begin(), all.end());
    return all;
}

template <class... Ts>
Ids having(ECS& ecs) {
    Ids all;
    ecs.by_id().pool().each([&](Entity e) {
        if (ecs.has<Ts...>(e)) all.push_back(e);
    });
    return all;
}

}  // namespace

TEST(Each, T1_each_visits_exactly_the_entities_that_have_all_components) {
    ECS ecs;
    const Ids all = ecs.add_entities(300);
    for (std::size_t i = 0; i < all.size(); ++i) {
        ecs.add<Order>(all[i], {static_cast<std::uint32_t>(i)});
        if (i % 3 != 0 || i > 200) ecs.add<Twice>(all[i]);
    }
    for (std::size_t i = 0; i < all.size(); i += 7)
        ecs.remove<Order>(all[i]);  // so that the slots are in another order
    EXPECT_EQ((visited<Order, Twice>(ecs)), (having<Order, Twice>(ecs)));
    EXPECT_EQ((visited<Twice, Order>(ecs)), (having<Order, Twice>(ecs)));
    EXPECT_EQ(visited<Order>(ecs), having<Order>(ecs));
}

TEST(Each, T1_each_can_write_the_components) {
    ECS ecs;
    const Ids all = ecs.add_entities(100);
    for (std::size_t i = 0; i < all.size(); ++i) {
        ecs.add<Order>(all[i], {static_cast<std::uint32_t>(i)});
        ecs.add<Twice>(all[i]);
    }
    ecs.each<Order, Twice>([](const Order& order, Twice& twice) { twice.value = 2 * order.value; });
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(ecs.get<Twice>(all[i]).value, 2 * i);
}

TEST(Each, T1_runs_can_have_any_length) {
    for (const std::size_t other : {1u, 31u, 32u, 33u, 63u, 64u, 65u, 99u}) {
        ECS ecs;
        const Ids all = ecs.add_entities(100);
        for (const Entity e : all) ecs.add<Order>(e);
        // The same order except for one entity, which is last.
        for (const Entity e : all) {
            if (e != all[other]) ecs.add<Twice>(e);
        }
        ecs.add<Twice>(all[other]);
        EXPECT_EQ((visited<Order, Twice>(ecs)), all) << other;
    }
}

TEST(Each, T2_each_skips_the_gaps_of_linear_storages) {
    struct Dense {
        std::uint32_t value = 0;
    };
    static const bool described = (describe_component<Dense>("each_dense").policy(Policy::linear), true);
    ASSERT_TRUE(described);
    ECS ecs;
    const Ids all = ecs.add_entities(200);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i % 5 != 2) ecs.add<Dense>(all[i]);
        if (i % 2 == 0) ecs.add<Order>(all[i]);
    }
    EXPECT_EQ((visited<Order, Dense>(ecs)), (having<Order, Dense>(ecs)));
    EXPECT_EQ(visited<Dense>(ecs), having<Dense>(ecs));
    ecs.remove_entity(all[4]);
    ecs.update();
    EXPECT_EQ(visited<Dense>(ecs), having<Dense>(ecs));
}

TEST(Each, T1_each_accepts_tags_and_classes_without_components) {
    ECS ecs;
    const Ids all = ecs.add_entities(3);
    for (const Entity e : all) ecs.add<Order>(e);
    int visits = 0;
    ecs.each<Order, Tag>([&](Order&, Tag&) { ++visits; });
    EXPECT_EQ(visits, 0);
    ecs.add<Tag>(all[1]);
    ecs.each<Order, Tag>([&](Entity e, Order&, Tag&) { visits += e == all[1] ? 1 : 100; });
    EXPECT_EQ(visits, 1);
}
