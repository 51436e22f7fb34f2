// The memory of links (rule C15), also without any (rule X4).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <new>
#include <random>
#include <string>
#include <vector>

#include "crateful/state.hpp"
#include "failing_memory.hpp"
#include "world.hpp"

using namespace test;

namespace {

constexpr std::size_t WORLD = 1'000'000;
constexpr std::size_t KIB = 1024;

struct Aim {
    Link target;
};
struct Likes {
    Entity target = NONE;
};
[[maybe_unused]] const bool aim_described = [] {
    describe_component<Aim>("LinkMemoryAim").field("target", &Aim::target);
    return true;
}();

/// The bytes that the calls allocate.
std::size_t bytes_of(const std::function<void()>& calls) {
    const std::size_t before = allocated_bytes;
    calls();
    return allocated_bytes - std::min(before, allocated_bytes);
}
/// How many bytes links need more than fields of type entity, when they were read.
template <class Which>
std::size_t more_than_entities(ECS& ecs, const Ids& all, std::size_t n, const Which& which) {
    const std::size_t plain = bytes_of([&] {
        for (std::size_t i = 0; i < n; ++i) ecs.add<Likes>(all[which(i)], {all[which(i + n)]});
    });
    const std::size_t linked = bytes_of([&] {
        for (std::size_t i = 0; i < n; ++i) ecs.add<Aim>(all[which(i)], {all[which(i + n)]});
        EXPECT_EQ(ecs.linked<Aim>(all[which(n)]).entities().size(), 1u);
    });
    return linked - std::min(plain, linked);
}

}  // namespace

TEST(LinkMemory, C15_it_follows_the_number_of_links_and_not_that_of_entities) {
    ECS ecs;
    const Ids all = ecs.add_entities(WORLD);
    ecs.add<Tag>(all.back());
    const std::size_t adjacent = more_than_entities(ecs, all, 50, [](std::size_t i) { return WORLD / 2 + i; });
    EXPECT_LT(adjacent, 100 * KIB);
    ecs.clear();
    const Ids again = ecs.add_entities(WORLD);
    const std::size_t spread = more_than_entities(ecs, again, 50, [](std::size_t i) { return i * 9973; });
    EXPECT_LT(spread, 200 * KIB);
    ecs.clear();
    const Ids many = ecs.add_entities(100'000);
    const std::size_t each = more_than_entities(ecs, many, 50'000, [](std::size_t i) { return i; }) / 50'000;
    EXPECT_LT(each, 40u);
}

TEST(LinkMemory, C15_a_class_whose_policy_is_linear_has_memory_for_its_links_only) {
    static const ComponentId link = registry::add_stored("LinkMemoryLinear", {{"to", FieldType::link}}, Policy::linear);
    static const ComponentId entity =
        registry::add_stored("LinkMemoryPlain", {{"to", FieldType::entity}}, Policy::linear);
    ECS ecs;
    for (const ComponentId id : {entity, link})
        static_cast<void>(ecs.by_id().storage(id));  // signatures grow for new classes
    const Ids all = ecs.add_entities(WORLD);
    std::size_t bytes[2];
    for (const ComponentId id : {entity, link}) {
        bytes[id == link] = bytes_of([&] {
            for (std::size_t i = 0; i < 50; ++i) {
                const std::uint64_t packed = static_cast<std::uint32_t>(all[i]);
                ecs.by_id().add(all[WORLD - 1 - i * 9973], id, reinterpret_cast<const std::byte*>(&packed));
            }
            if (id == link) {
                EXPECT_EQ(ecs.by_id().linked(id, 0, all[7]).size(), 1u);
            }
        });
    }
    EXPECT_LT(bytes[1] - bytes[0], 250 * KIB);
}

// Sources and targets are other entities each time, so that every page was used once.
TEST(LinkMemory, C15_links_that_are_elsewhere_now_have_no_memory_where_they_were) {
    for (const Policy policy : {Policy::sparse, Policy::linear}) {
        ECS ecs;
        const ComponentId id = registry::add_stored("LinkMemoryMoving", {{"to", FieldType::link}}, policy);
        const Ids all = ecs.add_entities(200'000);
        std::mt19937 random(1);
        const auto any = [&] { return all[random() % all.size()]; };
        const auto add = [&](Entity e) {
            const std::uint64_t packed = static_cast<std::uint32_t>(any());
            ecs.by_id().add(e, id, reinterpret_cast<const std::byte*>(&packed));
        };
        for (const Entity e : all) ecs.by_id().add(e, id, nullptr);
        for (const Entity e : all) ecs.by_id().remove(e, id);
        const std::size_t before = allocated_bytes;
        std::vector<Entity> sources(50, NONE);
        for (int k = 0; k < 20'000; ++k) {
            Entity& source = sources[random() % sources.size()];
            if (source != NONE) ecs.by_id().remove(source, id);
            add(source = any());
            static_cast<void>(ecs.by_id().linked(id, 0, any()));
        }
        EXPECT_LT(allocated_bytes - before, 500 * KIB);
    }
}

TEST(LinkMemory, C15_K1_removed_components_and_clear_give_it_back) {
    ECS ecs;
    const Ids all = ecs.add_entities(100'000);
    const auto link_all = [&] {
        const std::size_t before = allocated_bytes;
        for (const Entity e : all) ecs.set<Aim>(e, {e});
        EXPECT_EQ(ecs.linked<Aim>(all[0]).entities().size(), 1u);
        EXPECT_GT(allocated_bytes - before, 1000 * KIB);
    };
    for (const Entity e : all) ecs.add<Aim>(e);  // room for the values
    const std::size_t before = allocated_bytes;
    link_all();
    ecs.remove<Aim>(all);
    ecs.add<Aim>(all[0], {all[1]});
    EXPECT_EQ(ecs.linked<Aim>(all[1]).entities(), Ids{all[0]});
    EXPECT_LT(allocated_bytes, before + 50 * KIB);
    link_all();
    ecs.clear();
    EXPECT_LT(allocated_bytes, before + 50 * KIB);
}

TEST(LinkMemory, C15_N8_links_of_a_snapshot_to_high_indices_that_do_not_exist_take_no_memory) {
    ECS from;
    const Ids all = from.add_entities(1000);
    for (std::size_t i = 0; i < all.size(); ++i)
        from.add<Aim>(all[i], {make_entity(static_cast<std::uint32_t>(ENTITY_INDEX_MASK - 1 - i * 4000), 1)});
    from.add<Aim>(all[0], {all[1]});
    const std::vector<std::byte> bytes = snapshot(from);
    ECS ecs;
    static_cast<void>(ecs.storage<Aim>());
    restore(ecs, bytes);
    EXPECT_LT(bytes_of([&] { EXPECT_EQ(ecs.linked<Aim>(all[1]).entities(), Ids{all[0]}); }), 50 * KIB);
    EXPECT_EQ(snapshot(ecs), bytes);
}

TEST(LinkMemory, C15_X4_without_memory_for_them_links_are_as_they_were_and_can_be_read_later) {
    int failures = 0;
    for (bool failed = true; failed; ++failures) {
        ECS ecs;
        const Ids all = ecs.add_entities(2000);
        for (std::size_t i = 0; i < 1000; ++i) ecs.add<Aim>(all[i], {all[1000 + i / 2]});
        failed = false;
        allocations_left = failures;
        const auto attempt = [&](const auto& call) {
            try {
                call();
            } catch (const std::bad_alloc&) {
                failed = true;
            }
        };
        attempt([&] { static_cast<void>(ecs.linked<Aim>(all[1000])); });
        attempt([&] { ecs.set<Aim>(all[900], {all[3]}); });
        attempt([&] { ecs.remove_entity(all[1001]); });
        attempt([&] { ecs.remove_marked(); });
        allocations_left = -1;
        EXPECT_EQ(ecs.get<Aim>(all[900]).target, all[3]);
        EXPECT_EQ(ecs.linked<Aim>(all[1000]).entities(), (Ids{all[0], all[1]}));
        EXPECT_EQ(ecs.linked<Aim>(all[3]).entities(), Ids{all[900]});
        EXPECT_EQ(ecs.linked<Aim>(all[1450]).entities(), Ids{all[901]});
        if (ecs.alive(all[1001])) {
            EXPECT_EQ(ecs.linked<Aim>(all[1001]).entities(), (Ids{all[2], all[3]}));
            ecs.remove_entity(all[1001]);
        }
        ecs.update();
        for (const std::size_t i : {2u, 3u}) EXPECT_EQ(ecs.get<Aim>(all[i]).target, NONE);
    }
    EXPECT_GT(failures, 20);
}
