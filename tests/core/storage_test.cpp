#include "crateful/storage.hpp"

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "world.hpp"

using namespace test;

namespace {

struct Dense {
    std::int32_t value = 0;
};
struct DenseName {
    std::string text;
};
const auto dense = describe_component<Dense>("Dense").field("value", &Dense::value).policy(Policy::linear);
const auto dense_name = describe_component<DenseName>("DenseName").policy(Policy::linear);

template <class T>
T stored_value(const Storage& s, std::size_t column, Entity e) {
    T value{};
    std::memcpy(&value, s.control().columns[column] + s.slot(e) * sizeof(T), sizeof(T));
    return value;
}

struct Packed {
    alignas(8) std::byte bytes[64] = {};
    template <class T>
    Packed& set(std::size_t field, T value) {
        std::memcpy(bytes + 8 * field, &value, sizeof value);
        return *this;
    }
};

// Rule T3, for 1000 entities and a component of `size` bytes: bytes under the policy linear; and under sparse, for each
// tenth of the entities that has the component.
struct TableRow {
    std::size_t size;
    std::size_t linear;
    std::size_t sparse[10];
};
constexpr TableRow EXPECTED_BYTES[] = {
    {8, 8125, {8800, 9600, 10400, 11200, 12000, 12800, 13600, 14400, 15200, 16000}},
    {16, 16125, {9600, 11200, 12800, 14400, 16000, 17600, 19200, 20800, 22400, 24000}},
    {24, 24125, {10400, 12800, 15200, 17600, 20000, 22400, 24800, 27200, 29600, 32000}},
    {32, 32125, {11200, 14400, 17600, 20800, 24000, 27200, 30400, 33600, 36800, 40000}},
    {40, 40125, {12000, 16000, 20000, 24000, 28000, 32000, 36000, 40000, 44000, 48000}},
    {48, 48125, {12800, 17600, 22400, 27200, 32000, 36800, 41600, 46400, 51200, 56000}},
    {56, 56125, {13600, 19200, 24800, 30400, 36000, 41600, 47200, 52800, 58400, 64000}},
    {64, 64125, {14400, 20800, 27200, 33600, 40000, 46400, 52800, 59200, 65600, 72000}},
    {72, 72125, {15200, 22400, 29600, 36800, 44000, 51200, 58400, 65600, 72800, 80000}},
    {80, 80125, {16000, 24000, 32000, 40000, 48000, 56000, 64000, 72000, 80000, 88000}},
    {88, 88125, {16800, 25600, 34400, 43200, 52000, 60800, 69600, 78400, 87200, 96000}},
    {96, 96125, {17600, 27200, 36800, 46400, 56000, 65600, 75200, 84800, 94400, 104000}},
    {104, 104125, {18400, 28800, 39200, 49600, 60000, 70400, 80800, 91200, 101600, 112000}},
    {112, 112125, {19200, 30400, 41600, 52800, 64000, 75200, 86400, 97600, 108800, 120000}},
    {120, 120125, {20000, 32000, 44000, 56000, 68000, 80000, 92000, 104000, 116000, 128000}},
    {128, 128125, {20800, 33600, 46400, 59200, 72000, 84800, 97600, 110400, 123200, 136000}},
};

}  // namespace

TEST(Storage, T1_sparse_values_and_entities_are_contiguous_and_in_the_same_order) {
    ECS ecs;
    const Ids all = ecs.add_entities(5);
    for (const std::size_t i : {4u, 1u, 3u}) ecs.add<Health>(all[i], {static_cast<int>(i)});
    TypedStorage<Health>& s = ecs.storage<Health>();
    EXPECT_EQ(copy(s.entities()), (Ids{all[4], all[1], all[3]}));
    ASSERT_EQ(s.values().size(), 3u);
    for (std::uint32_t i = 0; i < 3; ++i)
        EXPECT_EQ(all[static_cast<std::size_t>(s.values()[i].points)], s.entities()[i]);

    ecs.remove<Health>(all[4]);
    EXPECT_EQ(copy(s.entities()), (Ids{all[3], all[1]})) << "the last element moves into the gap";
    EXPECT_EQ(s.values()[0].points, 3);
    EXPECT_EQ(s.find(all[3]), &s.at(0));
    EXPECT_EQ(s.find(all[4]), nullptr);
}

TEST(Storage, T2_linear_has_a_slot_for_each_index_and_a_mask_of_the_filled_slots) {
    ECS ecs;
    const Ids all = ecs.add_entities(200);
    for (const std::size_t i : {64u, 130u, 3u}) ecs.add<Dense>(all[i], {static_cast<std::int32_t>(i)});
    TypedStorage<Dense>& s = ecs.storage<Dense>();  // the index of all[i] is i + 1
    EXPECT_EQ(s.count(), 3u);
    EXPECT_EQ(s.extent(), 132u);
    EXPECT_EQ(s.slot(all[64]), 65u);
    EXPECT_EQ(s.values().size(), 132u);
    EXPECT_EQ(s.values()[131].value, 130);
    EXPECT_EQ(s.entities()[131], all[130]);
    EXPECT_EQ(s.mask()[0], std::uint64_t{1} << 4);
    EXPECT_EQ(s.mask()[1], std::uint64_t{1} << 1);
    EXPECT_EQ(s.mask()[2], std::uint64_t{1} << 3);
    EXPECT_FALSE(s.has(all[4]));

    ecs.remove<Dense>(all[64]);
    EXPECT_EQ(s.mask()[1], 0u);
    EXPECT_EQ(s.values()[131].value, 130) << "no value moves";
}

TEST(Storage, T2_linear_compares_the_generation_when_an_index_is_reused) {
    ECS ecs;
    const Entity e = ecs.add_entity();
    ecs.add<Dense>(e, {1});
    ecs.remove_entity(e);
    ecs.update();
    const Entity again = ecs.add_entity();
    ASSERT_EQ(index_of(again), index_of(e));
    EXPECT_FALSE(ecs.has<Dense>(again));
    ecs.add<Dense>(again, {2});
    EXPECT_FALSE(ecs.storage<Dense>().has(e));
    EXPECT_EQ(ecs.get<Dense>(again).value, 2);
}

TEST(Storage, T2_linear_has_the_right_entities_after_the_table_of_handles_moved) {
    ECS ecs;
    const Entity e = ecs.add_entity();
    ecs.add<Dense>(e, {7});
    for (int i = 0; i < 5000; ++i) ecs.add_entity();
    EXPECT_EQ(ecs.storage<Dense>().entities()[index_of(e)], e);
    EXPECT_EQ(ecs.storage<Dense>().control().entities, ecs.by_id().pool().handles().data());
    const Entity late = ecs.add_entity();
    ecs.add<Dense>(late, {8});
    EXPECT_EQ(ecs.get<Dense>(late).value, 8);
    EXPECT_EQ(ecs.get<Dense>(e).value, 7);
}

TEST(Storage, T1_removing_a_component_releases_what_its_value_owns) {
    struct Holder {
        std::shared_ptr<int> held;
    };
    ECS ecs;
    const auto watched = std::make_shared<int>(1);
    const Ids all = ecs.add_entities(3);
    for (const Entity e : all) ecs.add<Holder>(e, {watched});
    EXPECT_EQ(watched.use_count(), 4);
    ecs.remove<Holder>(all[0]);
    EXPECT_EQ(watched.use_count(), 3);
    ecs.add<Holder>(all[1], {});
    EXPECT_EQ(watched.use_count(), 2) << "replaced";
    ecs.remove_entity(all[2]);
    ecs.update();
    EXPECT_EQ(watched.use_count(), 1);
}

TEST(Storage, T1_a_parked_value_is_released_after_the_removal) {
    struct Holder {
        std::shared_ptr<int> held;
    };
    ECS ecs;
    const auto watched = std::make_shared<int>(1);
    auto& spy = ecs.add_system<Spy<Requires<Holder>>>(0);
    spy.at_remove = [&](Aspect& a) { EXPECT_EQ(a.get<Holder>().held, watched); };
    const Entity e = ecs.add_entity();
    ecs.add<Holder>(e, {watched});
    ecs.remove<Holder>(e);
    EXPECT_EQ(spy.removed, Ids{e});
    EXPECT_EQ(watched.use_count(), 1);
}

TEST(Storage, T1_columns_of_every_type_keep_their_values_through_growth_and_removal) {
    const ComponentId id = registry::add_stored("Mixed", {{"f32", FieldType::f32},
                                                          {"f64", FieldType::f64},
                                                          {"i8", FieldType::i8},
                                                          {"u16", FieldType::u16},
                                                          {"u32", FieldType::u32},
                                                          {"on", FieldType::boolean}});
    ECS ecs;
    const Ids all = ecs.add_entities(500);
    for (std::uint32_t i = 0; i < 500; ++i) {
        ecs.by_id().add(all[i], id,
                        Packed{}
                            .set(0, static_cast<float>(i))
                            .set(1, i * 0.5)
                            .set(2, static_cast<std::int8_t>(i % 100))
                            .set(3, static_cast<std::uint16_t>(i))
                            .set(4, i)
                            .set(5, i % 2 == 0)
                            .bytes);
    }
    for (std::uint32_t i = 0; i < 500; i += 3) ecs.by_id().remove(all[i], id);
    const Storage& s = ecs.by_id().storage(id);
    for (std::uint32_t i = 0; i < 500; ++i) {
        ASSERT_EQ(s.has(all[i]), i % 3 != 0);
        if (i % 3 == 0) continue;
        ASSERT_EQ(stored_value<float>(s, 0, all[i]), static_cast<float>(i));
        ASSERT_EQ(stored_value<double>(s, 1, all[i]), i * 0.5);
        ASSERT_EQ(stored_value<std::int8_t>(s, 2, all[i]), static_cast<std::int8_t>(i % 100));
        ASSERT_EQ(stored_value<std::uint16_t>(s, 3, all[i]), i);
        ASSERT_EQ(stored_value<std::uint32_t>(s, 4, all[i]), i);
        ASSERT_EQ(stored_value<bool>(s, 5, all[i]), i % 2 == 0);
    }
}

TEST(Storage, E6_the_default_of_an_entity_field_is_none_and_of_numbers_zero) {
    const ComponentId id = registry::add_stored("Link", {{"to", FieldType::entity}, {"weight", FieldType::f32}});
    ECS ecs;
    const Entity e = ecs.add_entity();
    ecs.by_id().add(e, id, Packed{}.set(0, e).set(1, 5.0f).bytes);
    EXPECT_EQ(stored_value<Entity>(ecs.by_id().storage(id), 0, e), e);
    ecs.by_id().remove(e, id);
    ecs.by_id().add(e, id, nullptr);
    EXPECT_EQ(stored_value<Entity>(ecs.by_id().storage(id), 0, e), NONE);
    EXPECT_EQ(stored_value<float>(ecs.by_id().storage(id), 1, e), 0.0f);
}

TEST(Storage, X2_the_control_block_is_updated_when_memory_grows) {
    const ComponentId id = registry::add_stored("Grows", {{"v", FieldType::u32}});
    ECS ecs;
    const Storage& s = ecs.by_id().storage(id);
    for (std::uint32_t i = 0; i < 3000; ++i) {
        const Entity e = ecs.add_entity();
        ecs.by_id().add(e, id, Packed{}.set(0, i).bytes);
        ASSERT_EQ(s.control().count, i + 1);
        ASSERT_EQ(s.control().entities, s.entities().data());
        ASSERT_EQ(stored_value<std::uint32_t>(s, 0, e), i);
    }
    for (std::uint32_t i = 0; i < 3000; ++i) ASSERT_EQ(stored_value<std::uint32_t>(s, 0, s.entities()[i]), i);
}

TEST(Storage, X2_the_reference_to_a_storage_stays_valid) {
    struct Early {};
    ECS ecs;
    Storage* early = &ecs.storage<Early>();
    for (int i = 0; i < 200; ++i) static_cast<void>(ecs.by_id().storage(registry::add_stored({}, {})));
    EXPECT_EQ(&ecs.storage<Early>(), early);
    EXPECT_EQ(ecs.by_id().find_storage(component_id<Early>()), early);
}

TEST(Storage, T2_linear_finds_what_is_filled_across_words_and_far_apart) {
    std::mt19937 random(3);
    const auto any = [&](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
    for (int round = 0; round < 40; ++round) {
        ECS ecs;
        const Ids all = ecs.add_entities(20'000);
        const Storage& s = ecs.storage<Dense>();
        std::set<std::uint32_t> filled;
        for (int k = 0; k < 12; ++k) {  // ranges around the limits of words (64) and of words of the summary (4,096)
            const std::uint32_t unit = std::array{1u, 64u, 4096u}[any(3)];
            const std::uint32_t from = std::min(any(5) * unit + any(3), 19'000u);
            const std::uint32_t n = 1 + any(round % 2 == 0 ? 3 : 200);
            for (std::uint32_t i = from; i < from + n; ++i) {
                ecs.add<Dense>(all[i]);
                filled.insert(index_of(all[i]));
            }
            if (k % 4 != 3) continue;
            const std::uint32_t gone = *std::next(filled.begin(), static_cast<std::ptrdiff_t>(any(filled.size())));
            ecs.remove<Dense>(all[gone - 1]);
            filled.erase(gone);
        }
        for (const std::uint32_t from : {0u, 63u, 64u, 65u, 4095u, 4096u, 8191u, 8192u, 12'288u, 19'999u}) {
            const auto next = filled.lower_bound(from);
            if (next == filled.end()) {
                EXPECT_GE(s.next_filled(from), s.extent());
            } else {
                EXPECT_EQ(s.next_filled(from), *next);
            }
        }
        std::set<std::uint32_t> found;
        std::uint32_t last = 0;  // the slot behind the range before
        s.each_range([&](std::size_t i, std::uint32_t slot, std::size_t n) {
            EXPECT_EQ(i, found.size());
            EXPECT_TRUE(i == 0 || slot > last) << "ranges are as long as possible";
            for (std::uint32_t k = 0; k < n; ++k) found.insert(slot + k);
            last = slot + static_cast<std::uint32_t>(n);
        });
        EXPECT_EQ(found, filled);
        Ids visited;
        s.each([&](Entity e) { visited.push_back(e); });
        EXPECT_TRUE(std::ranges::equal(visited, filled, {}, [](Entity e) { return index_of(e); }));
    }
}

TEST(Storage, T4_each_visits_every_remaining_component_once_while_others_are_added_and_removed) {
    ECS ecs;
    const auto check = [&]<class T>(T) {
        const Ids all = ecs.add_entities(60);
        for (const Entity e : all) ecs.add<T>(e);
        std::map<Entity, int> visits;
        std::set<Entity> removed;
        std::size_t i = 0;
        ecs.storage<T>().each([&](Entity e) {
            EXPECT_FALSE(removed.contains(e)) << to_string(e);
            ++visits[e];
            if (const Entity other = all[(i * 37) % 60]; i++ % 3 == 0) {  // the current entity, visited and later ones
                ecs.remove<T>(other);
                removed.insert(other);
            }
            if (i < 20) ecs.add<T>(ecs.add_entity());
        });
        for (const Entity e : all) {
            EXPECT_LE(visits[e], 1);
            if (!removed.contains(e)) {
                EXPECT_EQ(visits[e], 1) << to_string(e);
            }
        }
    };
    check(Health{});
    check(Name{});
    check(Dense{});
    check(DenseName{});
}

TEST(Storage, T4_each_stops_when_the_callback_returns_false) {
    ECS ecs;
    for (const Entity e : ecs.add_entities(10)) {
        ecs.add<Health>(e);
        ecs.add<Dense>(e);
    }
    for (Storage* s : {static_cast<Storage*>(&ecs.storage<Health>()), static_cast<Storage*>(&ecs.storage<Dense>())}) {
        int visits = 0;
        s->each([&](Entity) { return ++visits < 4; });
        EXPECT_EQ(visits, 4);
    }
}

TEST(Storage, T3_the_formulas_give_the_expected_bytes) {
    for (const TableRow& row : EXPECTED_BYTES) {
        EXPECT_EQ(linear_bytes(row.size, 1000), row.linear);
        for (std::size_t u = 1; u <= 10; ++u) EXPECT_EQ(sparse_bytes(row.size, 1000, u * 100), row.sparse[u - 1]);
    }
    EXPECT_EQ(linear_bytes(8, 1001), 8u * 1001 + 126) << "the mask is rounded up to whole bytes";
}

TEST(Storage, T3_the_memory_report_gives_the_expected_bytes) {
    std::vector<ComponentId> sparse;
    std::vector<ComponentId> linear;
    for (const TableRow& row : EXPECTED_BYTES) {
        const std::vector<Field> fields(row.size / 8, Field{"v", FieldType::f64});
        sparse.push_back(registry::add_stored("sparse", fields));
        linear.push_back(registry::add_stored("linear", fields, Policy::linear));
    }
    ECS ecs;
    const Ids all = ecs.add_entities(1000);
    for (std::size_t u = 1; u <= 10; ++u) {
        const std::span<const Entity> tenth(all.data() + (u - 1) * 100, 100);
        auto write = [](std::size_t, Storage& s, std::uint32_t slot) { s.write_packed(slot, nullptr); };
        for (const auto& classes : {sparse, linear}) {
            for (const ComponentId id : classes) ecs.by_id().add(tenth, id, write);
        }
        std::size_t k = 0;
        for (const StorageReport& r : ecs.memory_report()) {
            const TableRow& row = EXPECTED_BYTES[k / 2];  // ids alternate
            EXPECT_EQ(r.policy, k % 2 == 0 ? Policy::sparse : Policy::linear);
            EXPECT_EQ(r.other_bytes, k % 2 == 0 ? row.linear : row.sparse[u - 1]) << row.size << " bytes, " << u;
            EXPECT_EQ(r.count, u * 100);
            EXPECT_DOUBLE_EQ(r.utilisation, static_cast<double>(u) / 10);
            EXPECT_GE(r.bytes, row.size * r.count);
            ++k;
        }
        EXPECT_EQ(k, 32u);
    }
}

TEST(Storage, T3_the_other_policy_is_advised_if_it_saves_more_than_a_quarter) {
    struct Small {
        double value;
    };
    struct Big {
        double values[16];
    };
    describe_component<Big>("Big").policy(Policy::linear);
    ECS ecs;
    const Ids all = ecs.add_entities(1000);
    const auto advice = [&](Storage& s) { return report(s, ecs.count()).advice; };
    for (std::size_t i = 0; i < 1000; ++i) {
        ecs.add<Small>(all[i], {});
        ecs.add<Big>(all[i], {});
        // By the formulas, for 1000 entities: 8 n + 8000 against 8125, and 128125 against 128 n + 8000.
        const std::size_t n = i + 1;
        ASSERT_EQ(advice(ecs.storage<Small>()) == "", 8125 * 4 >= (8 * n + 8000) * 3) << n;
        ASSERT_EQ(advice(ecs.storage<Big>()) == "", (128 * n + 8000) * 4 >= 128125 * 3) << n;
        if (n == 100) {
            EXPECT_EQ(advice(ecs.storage<Big>()), "the sparse policy would save 83 %");
        }
    }
    EXPECT_EQ(advice(ecs.storage<Small>()), "the linear policy would save 49 %");
}

TEST(Storage, T3_no_policy_is_advised_that_needs_more_than_is_allocated) {
    struct Rare {
        std::uint16_t values[2];
    };
    ECS ecs;
    const Ids all = ecs.add_entities(6000);
    for (std::size_t i = 0; i < 60; ++i) ecs.add<Rare>(all[i], {});
    // By the formulas, linear would save half: 24750 bytes instead of 48240. But only one page of the index is
    // allocated.
    const StorageReport r = report(ecs.storage<Rare>(), ecs.count());
    EXPECT_EQ(r.other_bytes, 24750u);
    EXPECT_LT(r.bytes, r.other_bytes);
    EXPECT_EQ(r.advice, "");
}

TEST(Storage, T3_the_report_of_an_empty_ecs_has_utilisation_0) {
    ECS ecs;
    EXPECT_TRUE(ecs.memory_report().empty());
    static_cast<void>(ecs.storage<Health>());
    const auto reports = ecs.memory_report();
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_EQ(reports[0].count, 0u);
    EXPECT_EQ(reports[0].utilisation, 0);
    EXPECT_EQ(reports[0].advice, "");
}

TEST(Storage, C3_a_tag_needs_no_memory_for_values) {
    ECS ecs;
    const Ids all = ecs.add_entities(100);
    for (const Entity e : all) {
        ecs.add<Tag>(e);
        ecs.add<Health>(e);
    }
    EXPECT_LE(ecs.storage<Tag>().bytes() + 100 * sizeof(Health), ecs.storage<Health>().bytes());
}

TEST(TypedStorage, C3_after_a_column_write_members_that_are_not_described_have_their_default) {
    struct Partly {
        float shown = 1;
        int hidden = 2;
    };
    static const bool described = (describe_component<Partly>("storage_partly").field("shown", &Partly::shown), true);
    ASSERT_TRUE(described);
    ECS ecs;
    const Entity e = ecs.add_entity();
    ecs.add<Partly>(e, {5, 6});
    ecs.remove<Partly>(e);
    const float zero = 0;
    const Storage::Column column{reinterpret_cast<const std::byte*>(&zero), 0};
    ecs.by_id().add(
        std::span(&e, 1), component_id<Partly>(),
        [&](std::size_t i, Storage& s, const internal::SlotList& slots) { s.write_columns(slots, &column, i); });
    EXPECT_EQ(ecs.get<Partly>(e).shown, 0);
    EXPECT_EQ(ecs.get<Partly>(e).hidden, 2);
}

TEST(Storage, T1_the_first_value_of_a_large_class_makes_room_for_one_and_of_a_small_class_for_some) {
    struct Large {
        std::byte bytes[4096];
    };
    ECS ecs;
    ecs.add<Large>(ecs.add_entity());
    EXPECT_EQ(ecs.storage<Large>().capacity(), 1u);
    ecs.add<Large>(ecs.add_entity());
    EXPECT_EQ(ecs.storage<Large>().capacity(), 2u);
    ecs.add<Position>(ecs.add_entity());
    EXPECT_EQ(ecs.storage<Position>().capacity(), 16u);
}
