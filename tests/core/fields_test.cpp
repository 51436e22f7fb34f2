// Vectors and enums (rules C11, C12).
#include <array>
#include <cstring>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "crateful/state.hpp"
#include "crateful/storage.hpp"
#include "world.hpp"

using namespace test;

namespace {

enum class State : std::uint8_t { idle, walk, attack };

struct Unit {
    float at[3] = {1, 2, 3};
    State state = State::walk;
    std::array<State, 2> orders{State::attack, State::idle};
    std::array<double, 2> speed{4, 5};
    std::array<Entity, 2> targets{NONE, NONE};
    float grid[2][2] = {{6, 7}, {8, 9}};
    std::uint16_t weapon = 1;
    bool alive = true;
};

// One component of the stored class "Body" with the fields f32x3 and u8, of which a packed form has 4 values.
struct Body {
    float at[3];
    std::uint8_t layer;

    [[nodiscard]] std::array<std::uint64_t, 4> packed() const {
        std::array<std::uint64_t, 4> all{};
        for (std::size_t k = 0; k < 3; ++k) std::memcpy(&all[k], &at[k], sizeof(float));
        std::memcpy(&all[3], &layer, 1);
        return all;
    }
    bool operator==(const Body&) const = default;
};

std::uint64_t bits(float value) {
    std::uint64_t all = 0;
    std::memcpy(&all, &value, sizeof value);
    return all;
}
std::vector<Field> body_fields() {
    return {{.name = "at", .type = FieldType::f32, .initial = bits(7)},
            {.name = "", .type = FieldType::f32, .initial = bits(8), .continues = true},
            {.name = "", .type = FieldType::f32, .initial = bits(9), .continues = true},
            {.name = "layer", .type = FieldType::u8, .initial = 5}};
}
constexpr Body DEFAULT{{7, 8, 9}, 5};

Body body_at(const Storage& s, std::uint32_t slot) {
    Body body{};
    std::byte* const* columns = s.control().columns;
    std::memcpy(body.at, columns[0] + slot * sizeof(body.at), sizeof(body.at));
    std::memcpy(&body.layer, columns[3] + slot, 1);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(columns[k], columns[0] + k * sizeof(float));
    return body;
}

class Vectors : public testing::TestWithParam<Policy> {
protected:
    Body of(Entity e) { return body_at(storage(), storage().slot(e)); }
    const Storage& storage() { return ecs.by_id().storage(id); }
    void add(Entity e, const Body& body) {
        const auto packed = body.packed();
        ecs.by_id().add(e, id, reinterpret_cast<const std::byte*>(packed.data()));
    }

    ECS ecs;
    const ComponentId id = registry::add_stored("Body", body_fields(), GetParam());
};

TEST_P(Vectors, C12_the_elements_of_a_vector_are_contiguous_and_so_is_the_column) {
    const Ids all = ecs.add_entities(100);
    for (std::uint32_t i = 0; i < 100; ++i) {
        const auto x = static_cast<float>(i);
        add(all[i], {{x, x + 0.25F, x + 0.5F}, static_cast<std::uint8_t>(i)});
    }
    for (std::uint32_t i = 0; i < 100; i += 3) ecs.by_id().remove(all[i], id);
    for (std::uint32_t i = 0; i < 100; ++i) {
        const auto x = static_cast<float>(i);
        if (i % 3 == 0) continue;
        EXPECT_EQ(of(all[i]), (Body{{x, x + 0.25F, x + 0.5F}, static_cast<std::uint8_t>(i)}));
    }
    EXPECT_EQ(registry::type(id).value_bytes, 13u);
}

TEST_P(Vectors, C12_C7_components_without_values_have_the_defaults) {
    const Entity e = ecs.add_entity();
    add(e, {{1, 2, 3}, 4});
    ecs.by_id().remove(e, id);
    ecs.by_id().add(e, id, nullptr);
    EXPECT_EQ(of(e), DEFAULT);
}

TEST_P(Vectors, C12_E7_columns_contain_one_vector_for_all_or_one_for_each) {
    const Ids all = ecs.add_entities(5);
    std::array<float, 15> at{};
    std::iota(at.begin(), at.end(), 0.0F);
    const std::uint8_t layer = 9;
    const auto column = [](const auto& value, std::uint32_t step) {
        return Storage::Column{reinterpret_cast<const std::byte*>(&value), step};
    };
    for (const std::uint32_t step : {0u, 12u}) {
        const std::array columns{column(at[0], step), column(at[1], step), column(at[2], step), column(layer, 0)};
        ecs.by_id().add(all, id, [&](std::size_t i, Storage& s, const internal::SlotList& slots) {
            s.write_columns(slots, columns.data(), i);
        });
        for (std::size_t i = 0; i < 5; ++i) {
            const float x = step == 0 ? 0 : at[3 * i];
            EXPECT_EQ(of(all[i]), (Body{{x, x + 1, x + 2}, 9})) << step;
        }
    }
}

TEST_P(Vectors, C12_A2_a_removed_vector_can_be_read) {
    Storage& s = ecs.by_id().storage(id);
    const Entity e = ecs.add_entity();
    add(e, {{1, 2, 3}, 4});
    s.reserve_parked();
    s.park(s.slot(e));
    std::array<float, 3> at{};
    for (std::size_t k = 0; k < 3; ++k) s.read_parked(0, k, reinterpret_cast<std::byte*>(&at[k]));
    s.unpark();
    EXPECT_EQ(at, (std::array<float, 3>{1, 2, 3}));
}

INSTANTIATE_TEST_SUITE_P(, Vectors, testing::Values(Policy::sparse, Policy::linear));

const ComponentType& described_unit() {
    static const bool described = [] {
        describe_component<Unit>("fields Unit")
            .field("at", &Unit::at)
            .field("state", &Unit::state)
            .names({"idle", "walk", "attack"})
            .field("order", &Unit::orders)
            .names({"idle", "walk", "attack"})
            .field("speed", &Unit::speed)
            .field("target", &Unit::targets)
            .field("grid", &Unit::grid)
            .field("weapon", &Unit::weapon)
            .names({"none", "sword"});
        return true;
    }();
    EXPECT_TRUE(described);
    return registry::type(component_id<Unit>());
}

TEST(Fields, C12_C3_an_array_of_numbers_is_a_vector_and_another_array_a_field_for_each_element) {
    std::vector<std::pair<std::string, bool>> fields;
    for (const Field& field : described_unit().fields) fields.emplace_back(field.name, field.continues);
    const std::vector<std::pair<std::string, bool>> expected{
        {"at", false},     {"", true},       {"", true},       {"state", false},   {"order0", false},
        {"order1", false}, {"speed", false}, {"", true},       {"target0", false}, {"target1", false},
        {"grid0", false},  {"", true},       {"grid1", false}, {"", true},         {"weapon", false}};
    EXPECT_EQ(fields, expected);
    EXPECT_EQ(described_unit().fields[2].initial, bits(3));
}

TEST(Fields, C12_packed_values_and_columns_set_the_vectors_of_a_struct) {
    const ComponentType& type = described_unit();
    ECS ecs;
    const Entity e = ecs.add_entity();
    ecs.add<Unit>(e);
    std::vector<std::uint64_t> packed;
    for (const Field& field : type.fields) packed.push_back(*field.initial);
    packed[1] = bits(20);
    ecs.by_id().add(e, type.id, reinterpret_cast<const std::byte*>(packed.data()));
    EXPECT_EQ(ecs.get<Unit>(e).at[1], 20);
    EXPECT_EQ(ecs.get<Unit>(e).at[2], 3);
    std::byte* const* columns = ecs.storage<Unit>().control().columns;
    float x = 0;
    std::memcpy(&x, columns[1], sizeof x);
    EXPECT_EQ(x, 20);
}

TEST(Fields, C11_the_values_of_an_enum_have_names) {
    const std::vector<std::string> states{"idle", "walk", "attack"};
    const std::vector<Field>& fields = described_unit().fields;
    EXPECT_EQ(fields[0].names, std::vector<std::string>());
    EXPECT_EQ(fields[3].names, states);
    EXPECT_EQ(fields[3].type, FieldType::u8);
    EXPECT_EQ(fields[3].initial, 1u);
    EXPECT_EQ(fields[4].names, states);
    EXPECT_EQ(fields[5].names, states);
    EXPECT_EQ(fields.back().names, (std::vector<std::string>{"none", "sword"}));
}

TEST(Fields, C11_X1_wrong_names_are_errors) {
    struct Wrong {
        std::uint8_t state = 0;
        float x = 0;
        bool on = false;
        std::uint8_t list[2] = {0, 0};
        Entity target = NONE;
    };
    auto describe = describe_component<Wrong>("fields Wrong");
    const auto message = [](auto call) -> std::string {
        try {
            call();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::bad_argument);
            return error.what();
        }
        return "nothing was thrown";
    };
    EXPECT_EQ(message([&] { describe.names({"a"}); }), "fields Wrong: names: call it after field(...)");
    describe.field("state", &Wrong::state);
    EXPECT_EQ(message([&] { describe.names({}); }), "fields Wrong: names: pass at least one name");
    EXPECT_EQ(message([&] { describe.names({"a", "b", "a"}); }), "fields Wrong: names: the names must be different");
    EXPECT_EQ(registry::type(component_id<Wrong>()).fields[0].names.size(), 0u);
    const std::string_view no = "fields Wrong: names: only the values of an enum or integer have names";
    EXPECT_EQ(message([&] { describe.field("x", &Wrong::x).names({"a"}); }), no);
    EXPECT_EQ(message([&] { describe.field("on", &Wrong::on).names({"a"}); }), no);
    EXPECT_EQ(message([&] { describe.field("list", &Wrong::list).names({"a"}); }), no);
    EXPECT_EQ(message([&] { describe.field("target", &Wrong::target).names({"a"}); }), no);
}

TEST(Fields, C3_X1_two_fields_of_one_name_are_an_error_when_the_class_is_described) {
    struct Place {
        float x = 0;
        float y = 0;
        Entity owners[2] = {NONE, NONE};
    };
    auto describe = describe_component<Place>("fields.Place");
    describe.field("x", &Place::x);
    EXPECT_ERROR(describe.field("x", &Place::y), ErrorCode::bad_argument);
    describe.field("owner", &Place::owners);
    EXPECT_ERROR(describe.field("owner1", &Place::y), ErrorCode::bad_argument);
    describe.field("y", &Place::y);
    EXPECT_EQ(registry::type(component_id<Place>()).fields.size(), 4u);
    ECS ecs;
    const Entity e = ecs.add_entity(Place{1, 2});
    describe_component<Place>("fields.Place")
        .field("x", &Place::x)
        .field("owner", &Place::owners)
        .field("y", &Place::y);
    ECS other;
    restore(other, snapshot(ecs));
    EXPECT_EQ(other.get<Place>(e).y, 2);
}

TEST(Fields, C11_X1_an_enum_has_no_more_names_than_its_type_has_numbers) {
    struct Small {
        std::int8_t value = 0;
    };
    auto describe = describe_component<Small>("fields.Small").field("value", &Small::value);
    const auto text = [](int k) { return internal::number_text(k); };
    std::array<std::string, 129> texts;
    for (int k = 0; k < 129; ++k) texts[static_cast<std::size_t>(k)] = text(k);
    const auto name = [&]<std::size_t... K>(std::index_sequence<K...>) {
        describe.names({std::string_view(texts[K])...});
    };
    EXPECT_ERROR(name(std::make_index_sequence<129>()), ErrorCode::bad_argument);
    name(std::make_index_sequence<128>());
    EXPECT_EQ(registry::type(component_id<Small>()).fields[0].names.size(), 128u);
}

}  // namespace
