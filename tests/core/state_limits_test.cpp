// How much memory bytes may ask for (rule N8).
#include <gtest/gtest.h>
#include <array>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "crateful/changes.hpp"
#include "crateful/ecs.hpp"
#include "crateful/state.hpp"
#include "world.hpp"

namespace crateful::test_state_limits {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t INDEX = 100'000;
constexpr std::size_t WIDE = 512;  // bytes of a component

ComponentId wide(Policy policy) {
    std::vector<Field> fields{{"x", FieldType::f64}};
    for (std::size_t k = 1; k < WIDE / 8; ++k) fields.push_back({"", FieldType::f64, 0, {}, true});
    return registry::add_stored(policy == Policy::linear ? "limits.Linear" : "limits.Sparse", fields, policy);
}

/// One entity with a high index, which has a component of a class.
void fill(ECS& ecs, ComponentId id) {
    const test::Ids all = ecs.add_entities(INDEX);
    ecs.by_id().add(all.back(), id, nullptr);
    for (std::size_t k = 0; k + 1 < all.size(); ++k) ecs.remove_entity(all[k]);
    ecs.remove_marked();
    ASSERT_EQ(ecs.count(), 1u);
}

void expect_limits(const std::function<void()>& call) {
    try {
        call();
        ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::bad_data);
        EXPECT_NE(std::string(error.what()).find("limits: they ask for more memory than `bytes` (byte "),
                  std::string::npos)
            << error.what();
    }
}

TEST(Limits, N8_restore_refuses_columns_for_one_component_with_a_high_index) {
    static const ComponentId linear = wide(Policy::linear);
    static const ComponentId sparse = wide(Policy::sparse);
    for (const ComponentId id : {linear, sparse}) {
        ECS ecs;
        fill(ecs, id);
        const Bytes bytes = snapshot(ecs);
        RestoreOptions options;
        options.limits.bytes = INDEX * WIDE / 2;
        ECS other;
        const Entity mine = other.add_entity();
        if (id == linear) {
            expect_limits([&] { restore(other, bytes, options); });
            EXPECT_TRUE(other.alive(mine));
            EXPECT_EQ(other.count(), 1u);
            EXPECT_EQ(other.by_id().find_storage(id), nullptr);
            options.limits.bytes = INDEX * WIDE * 2;
        }
        restore(other, bytes, options);
        EXPECT_EQ(snapshot(other), bytes);
        options.limits.bytes = bytes.size();  // the tables of entities are larger
        expect_limits([&] { restore(other, bytes, options); });
    }
}

TEST(Limits, N8_restore_refuses_defaults_for_many_components) {
    static const ComponentId narrow = registry::add_stored("limits.Before", {{"y", FieldType::u8}});
    static const ComponentId now = wide(Policy::sparse);
    const RestoreOptions options{.rename = {{"limits.Before", "limits.Now"}}};
    registry::mutable_type(now).name = "limits.Now";
    ECS ecs;
    for (const Entity e : ecs.add_entities(1000)) ecs.by_id().add(e, narrow, nullptr);
    const Bytes bytes = snapshot(ecs);
    ECS other;
    RestoreOptions limited = options;
    limited.limits.bytes = 1000 * WIDE;
    expect_limits([&] { restore(other, bytes, limited); });
    EXPECT_EQ(other.count(), 0u);
    restore(other, bytes, options);
    EXPECT_EQ(other.count(), 1000u);
}

TEST(Limits, N8_C15_the_lists_of_links_count) {
    static const ComponentId plain = registry::add_stored("limits.Plain", {{"to", FieldType::entity}});
    static const ComponentId link = registry::add_stored("limits.Link", {{"to", FieldType::link}});
    constexpr std::size_t N = 1'000;
    // The least number of bytes for each entity that is enough.
    const auto least = [](const auto& read) {
        for (std::size_t each = 1;; ++each) {
            try {
                read(N * each);
                return each;
            } catch (const Error& error) {
                EXPECT_EQ(error.code(), ErrorCode::bad_data) << error.what();
            }
        }
    };
    std::array<std::size_t, 2> restored{};
    std::array<std::size_t, 2> applied{};
    for (const ComponentId id : {plain, link}) {
        ECS ecs;
        for (const Entity e : ecs.add_entities(N)) ecs.by_id().add(e, id, nullptr);
        const Bytes bytes = snapshot(ecs);
        const Bytes packet = Changes(ecs).receiver().take();
        ECS other;
        restored[id == link] = least([&](std::size_t n) {
            RestoreOptions options;
            options.limits.bytes = n;
            restore(other, bytes, options);
        });
        EXPECT_EQ(other.count(), N);
        applied[id == link] = least([&](std::size_t n) {
            ECS page;
            Replica(page, {.limits = {.bytes = n}}).apply(packet);
        });
    }
    EXPECT_GE(restored[1], restored[0] + 16);
    EXPECT_GE(applied[1], applied[0] + 16);
}

TEST(Limits, N8_apply_refuses_a_table_for_one_entity_with_a_high_index) {
    static const ComponentId tag = registry::add_stored("limits.Tag", {});
    ECS ecs;
    fill(ecs, tag);
    const Bytes bytes = Changes(ecs).receiver().take();
    EXPECT_LT(bytes.size(), 100u);
    ECS other;
    Replica limited(other, {.limits = {.bytes = INDEX * 4}});
    expect_limits([&] { limited.apply(bytes); });
    EXPECT_EQ(other.count(), 0u);
    Replica replica(other);
    replica.apply(bytes);
    EXPECT_EQ(other.count(), 1u);
}

TEST(Limits, N8_apply_refuses_components_for_which_there_are_few_bytes) {
    static const ComponentId narrow = registry::add_stored("limits.Both", {{"y", FieldType::u8}});
    static const ComponentId now = wide(Policy::sparse);
    registry::mutable_type(now).name = "limits.Both";
    ECS ecs;
    for (const Entity e : ecs.add_entities(1000)) ecs.by_id().add(e, narrow, nullptr);
    Changes changes(ecs, {.components = {"limits.Both"}});
    const Bytes bytes = changes.receiver().take();
    EXPECT_LT(bytes.size(), 10'000u);
    ECS other;
    static_cast<void>(other.by_id().storage(now));
    Replica limited(other, {.limits = {.bytes = 1000 * WIDE}});
    expect_limits([&] { limited.apply(bytes); });
    EXPECT_EQ(other.count(), 0u);
    Replica replica(other);
    replica.apply(bytes);
    EXPECT_EQ(other.by_id().storage(now).count(), 1000u);
}

}  // namespace
}  // namespace crateful::test_state_limits
