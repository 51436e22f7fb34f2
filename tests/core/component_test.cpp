#include "crateful/component.hpp"

#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include "world.hpp"

using namespace test;

namespace {

enum class Colour : std::uint8_t { red, green };

struct Everything {
    float a = 1;
    double b = 2;
    std::int8_t c = 3;
    std::uint8_t d = 4;
    std::int16_t e = 5;
    std::uint16_t f = 6;
    std::int32_t g = 7;
    std::uint32_t h = 8;
    bool i = true;
    Entity j = NONE;
    Colour k = Colour::green;
};

template <int N>
struct Numbered {
    int value = N;
};

}  // namespace

TEST(Description, C3_describing_a_class_again_replaces_its_fields) {
    struct Twice {
        float x = 0;
    };
    for (int k = 0; k < 2; ++k) describe_component<Twice>("Described again").field("x", &Twice::x);
    EXPECT_EQ(registry::type(component_id<Twice>()).fields.size(), 1u);
}

TEST(Description, C3_after_the_first_use_only_the_same_description_is_possible) {
    struct Late {
        float x = 0;
        std::int32_t state = 0;
        float many[2]{};
    };
    const auto describe = [](const char* name, const char* field, Policy policy, const char* value) {
        describe_component<Late>(name)
            .field(field, &Late::x)
            .field("state", &Late::state)
            .names({"idle", value})
            .field("many", &Late::many)
            .policy(policy);
    };
    describe("Described late", "first", Policy::linear, "run");
    describe("Described early", "x", Policy::sparse, "walk");  // not used yet
    ECS ecs;
    ecs.add_entity(Late{});
    describe("Described early", "x", Policy::sparse, "walk");
    EXPECT_ERROR(describe("Described late", "x", Policy::sparse, "walk"), ErrorCode::bad_argument);
    EXPECT_ERROR(describe("Described early", "y", Policy::sparse, "walk"), ErrorCode::bad_argument);
    EXPECT_ERROR(describe("Described early", "x", Policy::linear, "walk"), ErrorCode::bad_argument);
    EXPECT_ERROR(describe("Described early", "x", Policy::sparse, "run"), ErrorCode::bad_argument);
    EXPECT_ERROR(describe_component<Late>("Described early").field("state", &Late::state), ErrorCode::bad_argument);
    EXPECT_ERROR(describe_component<Late>("Described early").names({"idle", "walk"}), ErrorCode::bad_argument);
    const ComponentType& type = registry::type(component_id<Late>());
    EXPECT_EQ(type.name, "Described early");
    EXPECT_EQ(type.fields.size(), 4u);
    EXPECT_EQ(type.fields[1].names, (std::vector<std::string>{"idle", "walk"}));
    EXPECT_EQ(type.policy, Policy::sparse);
    struct Undescribed {
        float x = 0;
    };
    ecs.add_entity(Undescribed{});
    EXPECT_ERROR(describe_component<Undescribed>("Undescribed"), ErrorCode::bad_argument);
    EXPECT_FALSE(registry::type(component_id<Undescribed>()).described);
}

TEST(Component, C3_every_field_type_has_the_size_of_its_value) {
    const std::array<std::pair<FieldType, std::size_t>, 10> sizes{{{FieldType::f32, 4},
                                                                   {FieldType::f64, 8},
                                                                   {FieldType::i8, 1},
                                                                   {FieldType::u8, 1},
                                                                   {FieldType::i16, 2},
                                                                   {FieldType::u16, 2},
                                                                   {FieldType::i32, 4},
                                                                   {FieldType::u32, 4},
                                                                   {FieldType::boolean, 1},
                                                                   {FieldType::entity, 4}}};
    for (const auto& [type, size] : sizes) EXPECT_EQ(size_of(type), size);
}

TEST(Component, C3_a_described_struct_has_fields_with_type_and_offset) {
    describe_component<Everything>("Everything")
        .field("a", &Everything::a)
        .field("b", &Everything::b)
        .field("c", &Everything::c)
        .field("d", &Everything::d)
        .field("e", &Everything::e)
        .field("f", &Everything::f)
        .field("g", &Everything::g)
        .field("h", &Everything::h)
        .field("i", &Everything::i)
        .field("j", &Everything::j)
        .field("k", &Everything::k);
    const ComponentType& type = registry::type(component_id<Everything>());
    EXPECT_EQ(registry::find_native("Everything"), &type);
    EXPECT_EQ(type.kind, ComponentKind::native);
    EXPECT_EQ(type.value_bytes, sizeof(Everything));
    ASSERT_EQ(type.fields.size(), 11u);
    const std::array expected{FieldType::f32,     FieldType::f64,    FieldType::i8,  FieldType::u8,
                              FieldType::i16,     FieldType::u16,    FieldType::i32, FieldType::u32,
                              FieldType::boolean, FieldType::entity, FieldType::u8};
    for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_EQ(type.fields[k].type, expected[k]) << k;
    EXPECT_EQ(type.fields[0].offset, offsetof(Everything, a));
    EXPECT_EQ(type.fields[1].offset, offsetof(Everything, b));
    EXPECT_EQ(type.fields[9].offset, offsetof(Everything, j));
}

TEST(Component, C3_a_described_struct_may_inherit_nest_and_repeat_its_members) {
    struct Vector {
        float x = 1, y = 2;
    };
    struct Placed {
        std::uint8_t layer = 3;
        Vector place{4, 5};
    };
    struct Body : Placed {
        Vector size{6, 7};
        std::int16_t speeds[2] = {8, 9};
        std::array<double, 2> weights{10, 11};
    };
    describe_component<Body>("nested Body")
        .field("layer", &Body::layer)
        .field("y", &Body::place, &Vector::y)
        .field("width", &Body::size, &Vector::x)
        .field("speed", &Body::speeds)
        .field("weight", &Body::weights);
    const ComponentType& type = registry::type(component_id<Body>());
    const Body body;
    const auto at = [&](const auto& member) {
        return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&member) -
                                        reinterpret_cast<const std::byte*>(&body));
    };
    const std::vector<std::tuple<std::string, FieldType, std::size_t>> expected{
        {"layer", FieldType::u8, at(body.layer)},   {"y", FieldType::f32, at(body.place.y)},
        {"width", FieldType::f32, at(body.size.x)}, {"speed", FieldType::i16, at(body.speeds[0])},
        {"", FieldType::i16, at(body.speeds[1])},   {"weight", FieldType::f64, at(body.weights[0])},
        {"", FieldType::f64, at(body.weights[1])}};
    std::vector<std::tuple<std::string, FieldType, std::size_t>> fields;
    for (const Field& field : type.fields) fields.emplace_back(field.name, field.type, field.offset);
    EXPECT_EQ(fields, expected);
    EXPECT_EQ(type.fields[0].initial, 3u);
    EXPECT_EQ(type.fields[4].initial, 9u);
}

TEST(Component, C3_the_columns_of_a_native_class_are_its_fields) {
    struct Point {
        double x = 1.5;
        std::int16_t n = -3;
    };
    describe_component<Point>("Point").field("n", &Point::n).field("x", &Point::x);
    ECS ecs;
    const Entity e = ecs.add_entity();
    ecs.add<Point>(e, {2.5, 9});
    const Storage::Control& control = ecs.storage<Point>().control();
    std::int16_t n = 0;
    std::memcpy(&n, control.columns[0], sizeof n);
    EXPECT_EQ(n, 9);
    const double x = 4.25;
    std::memcpy(control.columns[1], &x, sizeof x);
    EXPECT_EQ(ecs.get<Point>(e).x, 4.25);
}

TEST(Component, C3_a_native_row_sets_described_fields_and_defaults_the_rest) {
    struct Partly {
        int shown = 5;
        int hidden = 6;
    };
    describe_component<Partly>("Partly").field("shown", &Partly::shown);
    ECS ecs;
    const Entity e = ecs.add_entity();
    ecs.add<Partly>(e, {50, 60});
    alignas(8) std::byte packed[8] = {};
    const int value = 77;
    std::memcpy(packed, &value, sizeof value);
    ecs.by_id().add(e, component_id<Partly>(), packed);
    EXPECT_EQ(ecs.get<Partly>(e).shown, 77);
    EXPECT_EQ(ecs.get<Partly>(e).hidden, 6) << "the default, not the replaced value";
    ecs.by_id().add(e, component_id<Partly>(), nullptr);
    EXPECT_EQ(ecs.get<Partly>(e).shown, 5);
}

TEST(Component, C3_a_class_that_can_only_be_moved_is_stored) {
    struct Owner {
        std::unique_ptr<int> value;
        bool operator==(const Owner& other) const { return value == other.value; }
    };
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Owner>, Watches<Owner>>>(0);
    spy.at_remove = [](Aspect& aspect) { EXPECT_NE(aspect.get<Owner>().value, nullptr); };
    const Ids all = ecs.add_entities(100);  // more than fit into the first memory
    for (std::size_t i = 0; i < all.size(); ++i) ecs.add(all[i], Owner{std::make_unique<int>(static_cast<int>(i))});
    const Entity composed = ecs.add_entity(Owner{std::make_unique<int>(7)}, Position{1, 2});
    ecs.remove<Owner>(all[3]);
    ecs.modify<Owner>(all[4], [](Owner& owner) { ++*owner.value; });
    ecs.set(all[5], Owner{});
    for (auto [e, owner] : ecs.query<Owner>(exclude<Position>)) {
        const auto i = static_cast<int>(index_of(e) - index_of(all[0]));
        if (i == 5) EXPECT_EQ(owner.value, nullptr);
        else EXPECT_EQ(*owner.value, i == 4 ? 5 : i);
    }
    EXPECT_EQ(*ecs.get<Owner>(composed).value, 7);
    EXPECT_EQ(ecs.get<Position>(composed).y, 2);
    EXPECT_EQ(spy.removed, Ids{all[3]});
    EXPECT_EQ(spy.dirty().size(), 100u);
    ecs.remove<Owner>(all[99]);
    ecs.remove_entity(composed);
    ecs.update();
    EXPECT_EQ(ecs.storage<Owner>().count(), 98u);
}

TEST(Component, C3_classes_that_are_not_described_have_their_cpp_names_and_are_not_found_by_them) {
    struct Nameless {};
    EXPECT_EQ(registry::type(component_id<Nameless>()).name, "Nameless");
    EXPECT_EQ(registry::find_native("Nameless"), nullptr);
    describe_component<Nameless>("Described");
    EXPECT_EQ(registry::type(component_id<Nameless>()).name, "Described");
    ASSERT_NE(registry::find_native("Described"), nullptr);
    EXPECT_EQ(registry::find_native("Described")->id, component_id<Nameless>());
    const ComponentType& stored = registry::type(registry::add_stored("", {}));
    EXPECT_EQ(stored.name, "component " + std::to_string(stored.id));
}

TEST(Component, X1_messages_and_reports_name_native_classes) {
    ECS ecs;
    const Entity e = ecs.add_entity(Velocity{});
    try {
        static_cast<void>(ecs.get<Health>(e));
        ADD_FAILURE() << "no error";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("has no Health"), std::string::npos) << error.what();
    }
    EXPECT_EQ(ecs.memory_report().front().name, "Velocity");
}

TEST(Component, C3_find_native_finds_the_first_native_class_of_a_name) {
    registry::add_stored("Twice", {});
    struct One {};
    struct Two {};
    describe_component<One>("Twice");
    describe_component<Two>("Twice");
    ASSERT_NE(registry::find_native("Twice"), nullptr);
    EXPECT_EQ(registry::find_native("Twice")->id, component_id<One>());
}

TEST(Component, C3_tags_and_object_components_have_no_value_bytes) {
    EXPECT_EQ(registry::type(component_id<Tag>()).value_bytes, 0u);
    EXPECT_EQ(registry::type(registry::add_stored("StoredTag", {})).value_bytes, 0u);
    const ComponentType& object = registry::type(registry::add_object("Thing"));
    EXPECT_EQ(object.value_bytes, 0u);
    EXPECT_EQ(object.kind, ComponentKind::object);
}

TEST(Component, C3_the_size_of_a_stored_value_is_the_sum_of_its_fields) {
    const ComponentType& type = registry::type(registry::add_stored(
        "Sum", {{"a", FieldType::f64}, {"b", FieldType::u8}, {"c", FieldType::i16}, {"d", FieldType::entity}}));
    EXPECT_EQ(type.kind, ComponentKind::stored);
    EXPECT_EQ(type.value_bytes, 15u);
}

TEST(Component, C4_an_entity_can_have_components_of_three_hundred_classes) {
    std::vector<ComponentId> classes;
    for (int i = 0; i < 300; ++i) {
        classes.push_back(registry::add_stored("Class" + std::to_string(i), {{"v", FieldType::i32}}));
    }
    ECS ecs;
    const Entity all = ecs.add_entity();
    const Entity odd = ecs.add_entity();
    for (std::size_t i = 0; i < classes.size(); ++i) {
        alignas(8) std::byte packed[8] = {};
        std::memcpy(packed, &i, sizeof(std::int32_t));
        ecs.by_id().add(all, classes[i], packed);
        if (i % 2 == 1) ecs.by_id().add(odd, classes[i], packed);
    }
    for (std::size_t i = 0; i < classes.size(); ++i) {
        EXPECT_TRUE(ecs.by_id().has(all, classes[i]));
        EXPECT_EQ(ecs.by_id().has(odd, classes[i]), i % 2 == 1);
        Storage& s = ecs.by_id().storage(classes[i]);
        std::int32_t value = -1;
        std::memcpy(&value, s.control().columns[0] + 4 * s.slot(all), 4);
        EXPECT_EQ(value, static_cast<std::int32_t>(i));
    }
    ecs.remove_entity(all);
    ecs.update();
    for (std::size_t i = 0; i < classes.size(); ++i) EXPECT_EQ(ecs.by_id().storage(classes[i]).count(), i % 2);
}

TEST(Component, C4_systems_can_require_classes_whose_ids_are_far_apart) {
    const ComponentId first = component_id<Numbered<0>>();
    std::vector<ComponentId> between;
    for (int i = 0; i < 130; ++i) between.push_back(registry::add_stored({}, {}));
    const ComponentId last = component_id<Numbered<1>>();
    ASSERT_GE(last, first + 130);

    ECS ecs;
    ecs.add<Numbered<0>>(ecs.add_entity());  // signatures are in use before they become wider
    const Entity e = ecs.add_entity();
    ecs.add<Numbered<0>>(e);
    for (const ComponentId id : between) ecs.by_id().add(e, id, nullptr);
    ecs.add<Numbered<1>>(e);
    auto& both = ecs.add_system<Spy<Requires<Numbered<0>, Numbered<1>>, Watches<Numbered<1>>>>(0);
    EXPECT_EQ(both.tracking(), Ids{e});
    ecs.update();
    ecs.dirty<Numbered<1>>(e);
    EXPECT_EQ(both.dirty(), Ids{e});
    ecs.by_id().remove(e, between[70]);
    EXPECT_EQ(both.tracking(), Ids{e});
    ecs.remove<Numbered<1>>(e);
    EXPECT_EQ(both.removed, Ids{e});
}

TEST(Component, M3_a_class_has_the_same_id_and_its_own_storage_in_every_ecs) {
    ECS one;
    ECS two;
    EXPECT_EQ(one.storage<Position>().type().id, two.storage<Position>().type().id);
    EXPECT_NE(&one.storage<Position>(), &two.storage<Position>());
}
