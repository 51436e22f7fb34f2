// Rewind restores the values of each kind of component (rule N7): those that changed, those that moved to other places of their
// storage, and those that were removed and added again.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "crateful/detail/recording.hpp"
#include "crateful/ecs.hpp"

namespace crateful::test_rewind_kinds {
namespace {

using Bytes = std::vector<std::byte>;

struct Tag {};
struct TagLinear {};
struct Place {
    float x = 0;
    double y = 0;  // behind a gap
};
struct Level {
    std::uint16_t value = 0;
};
enum class State : std::uint8_t { idle, walk, attack };
struct Unit {
    State state = State::idle;
    bool awake = false;
    std::int32_t points = 0;
};
struct Body {
    std::array<float, 3> at{};
    std::array<std::uint8_t, 64> cells{};
};
struct Called {
    String name;
};
struct CalledLinear {
    String name;
};
struct Aim {
    Link target;
    Entity other = NONE;
};
struct AimLinear {
    Link target;
};
struct Route {
    std::string text;
};
struct RouteLinear {
    std::string text;
};

Bytes bytes_of(const std::string& text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}
std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
template <class T>
Bytes encode(const T& route) {
    return bytes_of(route.text);
}
template <class T>
T decode(std::span<const std::byte> bytes) {
    return {text_of(bytes)};
}
template <class T>
constexpr bool IS_ROUTE = std::is_same_v<T, Route> || std::is_same_v<T, RouteLinear>;

/// Classes that are not C++ structs.
struct Ids {
    ComponentId stored;
    ComponentId stored_linear;
    ComponentId object;
};
const Ids& describe_all() {
    describe_component<Tag>("rewind_kinds.Tag");
    describe_component<TagLinear>("rewind_kinds.TagLinear").policy(Policy::linear);
    describe_component<Place>("rewind_kinds.Place").field("x", &Place::x).field("y", &Place::y);
    describe_component<Level>("rewind_kinds.Level").field("value", &Level::value).policy(Policy::linear);
    describe_component<Unit>("rewind_kinds.Unit")
        .field("state", &Unit::state)
        .names({"idle", "walk", "attack"})
        .field("awake", &Unit::awake)
        .field("points", &Unit::points);
    describe_component<Body>("rewind_kinds.Body").field("at", &Body::at).field("cells", &Body::cells);
    describe_component<Called>("rewind_kinds.Called").field("name", &Called::name);
    describe_component<CalledLinear>("rewind_kinds.CalledLinear")
        .field("name", &CalledLinear::name)
        .policy(Policy::linear);
    describe_component<Aim>("rewind_kinds.Aim").field("target", &Aim::target).field("other", &Aim::other);
    describe_component<AimLinear>("rewind_kinds.AimLinear").field("target", &AimLinear::target).policy(Policy::linear);
    describe_component<Route>("rewind_kinds.Route").codec<encode<Route>, decode<Route>>();
    describe_component<RouteLinear>("rewind_kinds.RouteLinear")
        .codec<encode<RouteLinear>, decode<RouteLinear>>()
        .policy(Policy::linear);
    const auto fields = [] {
        return std::vector<Field>{
            {"small", FieldType::u8},    {"at", FieldType::f32},  {"", FieldType::f32, 0, {}, true},
            {"name", FieldType::string}, {"to", FieldType::link}, {"large", FieldType::f64},
        };
    };
    static const Ids ids{registry::add_stored("rewind_kinds.Stored", fields()),
                         registry::add_stored("rewind_kinds.StoredLinear", fields(), Policy::linear),
                         registry::add_object("rewind_kinds.Object")};
    return ids;
}

/// An ECS with five entities, whose object components are texts.
struct World final : internal::RecordingHost {
    World() {
        describe_all();
        for (Entity& e : all) e = ecs.add_entity();
    }
    [[nodiscard]] internal::HostEvents events() override { return {}; }
    [[nodiscard]] Bytes encode(ComponentId, Entity e) override { return bytes_of(objects.at(e)); }
    /// As `Rewind::to`, with the objects.
    void to(double frame) {
        const internal::StateLock lock(ecs);
        const auto steps = recording->go(frame, false);
        std::map<Entity, std::string> later;
        for (const auto& cls : steps->classes()) {
            const std::byte* at = cls.bytes;
            for (std::size_t i = 0; i < cls.entities.size() && cls.id == describe_all().object; ++i) {
                later[cls.entities[i]] = text_of({at, cls.lengths[i]});
                at += cls.lengths[i];
            }
        }
        steps->prepare();
        steps->exchange();
        for (const auto& [e, text] : later) objects[e] = text;
        steps->finish();
    }
    ECS ecs;
    std::array<Entity, 5> all{};
    std::map<Entity, std::string> objects;
    std::unique_ptr<internal::Recording> recording;
};

/// How the tests use components of one kind. Their values are made from numbers.
struct Kind {
    const char* name;
    ComponentId id;
    std::function<void(World&, Entity, std::uint32_t)> add;
    std::function<void(World&, Entity, std::uint32_t)> change;  // the entity has a component
    std::function<std::string(World&, Entity)> read;
    std::function<void(World&)> sort;  // reverses the order; none if it cannot be sorted
};
void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

template <class T>
T make(World& world, std::uint32_t n) {
    const Entity other = n % 5 == 0 ? NONE : world.all[n % 5];
    if constexpr (std::is_empty_v<T>) return {};
    else if constexpr (std::is_same_v<T, Place>) return {static_cast<float>(n), n * 0.25};
    else if constexpr (std::is_same_v<T, Level>) return {static_cast<std::uint16_t>(n)};
    else if constexpr (std::is_same_v<T, Unit>) return {static_cast<State>(n % 3), n % 2 == 0, static_cast<int>(n)};
    else if constexpr (std::is_same_v<T, Body>) {
        Body body{{1, 2, static_cast<float>(n)}, {}};
        body.cells[n % 64] = 1;
        return body;
    } else if constexpr (std::is_same_v<T, Aim>) return {other, world.all[(n + 1) % 5]};
    else if constexpr (std::is_same_v<T, AimLinear>) return {other};
    else if constexpr (IS_ROUTE<T>) return {"a text that is longer than others, with number " + std::to_string(n)};
    else return {world.ecs.string("text " + std::to_string(n))};
}
template <class T>
std::string text(const World& world, const T& value) {
    const auto entity = [](Entity e) { return std::to_string(static_cast<std::uint32_t>(e)); };
    if constexpr (std::is_empty_v<T>) return "-";
    else if constexpr (std::is_same_v<T, Place>) return std::to_string(value.x) + ' ' + std::to_string(value.y);
    else if constexpr (std::is_same_v<T, Level>) return std::to_string(value.value);
    else if constexpr (std::is_same_v<T, Unit>)
        return std::to_string(static_cast<int>(value.state)) + ' ' + std::to_string(static_cast<int>(value.awake)) +
               ' ' + std::to_string(value.points);
    else if constexpr (std::is_same_v<T, Body>) {
        std::string all = std::to_string(value.at[2]);
        for (const std::uint8_t cell : value.cells) all += std::to_string(cell);
        return all;
    } else if constexpr (std::is_same_v<T, Aim>) return entity(value.target) + ' ' + entity(value.other);
    else if constexpr (std::is_same_v<T, AimLinear>) return entity(value.target);
    else if constexpr (IS_ROUTE<T>) return value.text;
    else return std::string(world.ecs.text(value.name));
}
template <class T, bool Sorted = true>
Kind native(const char* name) {
    Kind kind{name, component_id<T>(), {}, {}, {}, {}};
    kind.add = [](World& world, Entity e, std::uint32_t n) { world.ecs.add(e, make<T>(world, n)); };
    kind.change = [](World& world, Entity e, std::uint32_t n) {
        world.ecs.modify<T>(e, [&](T& value) { value = make<T>(world, n); });
    };
    kind.read = [](World& world, Entity e) { return text(world, world.ecs.get<T>(e)); };
    if constexpr (Sorted) {
        kind.sort = [](World& world) {
            const auto entities = world.ecs.storage<T>().entities();
            const std::vector<Entity> before(entities.begin(), entities.end());
            const auto place = [&](Entity e) { return std::find(before.begin(), before.end(), e); };
            world.ecs.sort<T>([&](Entity a, Entity b) { return place(b) < place(a); });
        };
    }
    return kind;
}
Kind stored(const char* name, ComponentId id) {
    Kind kind{name, id, {}, {}, {}, {}};
    const auto packed = [](World& world, std::uint32_t n) {
        std::array<std::uint64_t, 6> values{};
        const auto set = [&](std::size_t field, const auto& value) {
            std::memcpy(&values[field], &value, sizeof(value));
        };
        set(0, static_cast<std::uint8_t>(n));
        set(1, static_cast<float>(n));
        set(2, static_cast<float>(n) / 2);
        set(3, world.ecs.string("stored " + std::to_string(n)));
        set(4, world.all[n % 5]);
        set(5, n * 0.25);
        return values;
    };
    kind.add = [=](World& world, Entity e, std::uint32_t n) {
        world.ecs.by_id().add(e, id, reinterpret_cast<const std::byte*>(packed(world, n).data()));
    };
    kind.change = [=](World& world, Entity e, std::uint32_t n) {
        Storage& storage = world.ecs.by_id().storage(id);
        storage.write_packed(storage.slot(e), reinterpret_cast<const std::byte*>(packed(world, n).data()));
        world.ecs.by_id().dirty(e, id);
    };
    kind.read = [=](World& world, Entity e) {
        const Storage& storage = world.ecs.by_id().storage(id);
        const auto value = [&]<class T>(std::size_t field, T to) {
            std::memcpy(&to, storage.control().columns[field] + storage.slot(e) * storage.stride(field), sizeof(to));
            return to;
        };
        return std::to_string(value(0, std::uint8_t{})) + ' ' + std::to_string(value(1, float{})) + ' ' +
               std::to_string(value(2, float{})) + ' ' + std::string(world.ecs.text(value(3, String()))) + ' ' +
               std::to_string(static_cast<std::uint32_t>(value(4, Entity{}))) + ' ' +
               std::to_string(value(5, double{}));
    };
    return kind;
}
Kind object() {
    const ComponentId id = describe_all().object;
    const auto set = [](World& world, Entity e, std::uint32_t n) { world.objects[e] = "object " + std::to_string(n); };
    Kind kind{"object", id, {}, {}, {}, {}};
    kind.add = [=](World& world, Entity e, std::uint32_t n) {
        set(world, e, n);
        world.ecs.by_id().add(e, id, nullptr);
    };
    kind.change = [=](World& world, Entity e, std::uint32_t n) {
        set(world, e, n);
        world.ecs.by_id().dirty(e, id);
    };
    kind.read = [](World& world, Entity e) { return world.objects.at(e); };
    return kind;
}

class RewindKinds : public testing::TestWithParam<Kind> {
public:
    RewindKinds() : kind(GetParam()) {
        for (std::uint32_t k = 0; k < 5; ++k) kind.add(world, world.all[k], k);
        world.recording = std::make_unique<internal::Recording>(world.ecs, RewindOptions{}, &world);
        seen.push_back(state());
    }
    void frame() {
        world.ecs.update();
        seen.push_back(state());
    }
    void change(std::size_t k, std::uint32_t n) { kind.change(world, world.all[k], n); }
    void remove(std::size_t k) { world.ecs.by_id().remove(world.all[k], kind.id); }
    void add(std::size_t k, std::uint32_t n) { kind.add(world, world.all[k], n); }
    /// Of a kind that cannot be sorted, all components are removed and added in the other order.
    void reverse() {
        if (kind.sort) return kind.sort(world);
        std::vector<Entity> entities;
        world.ecs.by_id().storage(kind.id).each([&](Entity e) { entities.push_back(e); });
        for (const Entity e : entities) world.ecs.by_id().remove(e, kind.id);
        for (std::size_t k = entities.size(); k > 0; --k)
            kind.add(world, entities[k - 1], static_cast<std::uint32_t>(40 + k));
    }
    /// Goes from each frame to each other one.
    void expect_each_frame() {
        for (std::size_t from = 0; from < seen.size(); ++from) {
            for (std::size_t to = 0; to < seen.size(); ++to) {
                for (const std::size_t frame : {from, to}) {
                    world.to(static_cast<double>(frame));
                    ASSERT_EQ(state(), seen[frame]) << "from " << from << " to " << to;
                }
            }
        }
    }
    /// The components, in the order of the storage.
    [[nodiscard]] std::string state() {
        std::string all;
        world.ecs.by_id().storage(kind.id).each(
            [&](Entity e) { all += std::to_string(index_of(e)) + ": " + kind.read(world, e) + "; "; });
        return all;
    }
    const Kind& kind;
    World world;
    std::vector<std::string> seen;
};

class RewindValues : public RewindKinds {};

TEST_P(RewindValues, N7_values_that_changed_are_restored) {
    change(1, 21);
    frame();
    change(1, 22);
    change(3, 23);
    frame();
    change(3, 24);
    change(3, 3);  // what it was at first
    frame();
    expect_each_frame();
}

TEST_P(RewindKinds, N7_values_are_restored_if_a_component_of_another_entity_was_removed_in_the_same_frame) {
    change(4, 21);
    remove(0);  // the last one is in its place
    frame();
    change(4, 22);
    frame();
    remove(1);
    change(3, 23);
    add(0, 24);
    frame();
    change(0, 25);
    world.ecs.remove_entity(world.all[2]);
    frame();
    expect_each_frame();
}

TEST_P(RewindKinds, N7_values_are_restored_if_the_storage_was_sorted_in_between) {
    change(0, 21);
    frame();
    reverse();
    frame();
    change(0, 22);
    reverse();
    change(4, 23);
    frame();
    change(1, 24);
    reverse();
    remove(2);
    frame();
    expect_each_frame();
}

TEST_P(RewindKinds, N7_values_are_restored_if_the_component_was_removed_and_added_again) {
    remove(1);
    add(1, 1);  // the same value
    frame();
    remove(1);
    add(1, 21);
    frame();
    remove(3);
    frame();
    add(3, 22);
    change(1, 23);
    frame();
    remove(4);  // the last one, which has the same place again
    add(4, 24);
    frame();
    expect_each_frame();
}

const auto tags = testing::Values(native<Tag>("tag"), native<TagLinear, false>("tag_linear"));
const auto kinds =
    testing::Values(native<Place>("numbers"), native<Level, false>("numbers_linear"), native<Unit>("enum_and_bool"),
                    native<Body>("vectors"), native<Called>("string"), native<CalledLinear, false>("string_linear"),
                    native<Aim>("links"), native<AimLinear, false>("links_linear"), native<Route>("codec"),
                    native<RouteLinear, false>("codec_linear"), stored("stored", describe_all().stored),
                    stored("stored_linear", describe_all().stored_linear), object());
std::string name_of(const testing::TestParamInfo<Kind>& each) { return each.param.name; }
INSTANTIATE_TEST_SUITE_P(Tags, RewindKinds, tags, name_of);
INSTANTIATE_TEST_SUITE_P(Values, RewindKinds, kinds, name_of);
INSTANTIATE_TEST_SUITE_P(Values, RewindValues, kinds, name_of);

// The hierarchy is a component of each child, in an order of its own.
TEST(RewindKindsHierarchy, N7_parents_and_the_order_of_children_are_restored) {
    World world;
    ECS& ecs = world.ecs;
    const auto& all = world.all;
    ecs.set_parent(all[1], all[0]);
    ecs.set_parent(all[2], all[0]);
    world.recording = std::make_unique<internal::Recording>(ecs, RewindOptions{}, &world);
    const auto state = [&] {
        std::string text;
        for (const Entity e : all) {
            for (const Entity child : ecs.children(e)) text += std::to_string(index_of(child)) + ' ';
            text += ecs.has<Parent>(e) ? "| " : "; ";
        }
        return text;
    };
    std::vector<std::string> seen{state()};
    const std::vector<std::function<void()>> changes{
        [&] { ecs.set_parent(all[2], all[0], all[1]); },  // only the order
        [&] { ecs.set_parent(all[3], all[1]); },          // a new component
        [&] {                                             // removed, so that others move
            ecs.set_parent(all[1], NONE);
            ecs.set_parent(all[4], all[2]);
        },
        [&] {  // removed and added again
            ecs.set_parent(all[4], NONE);
            ecs.set_parent(all[4], all[2]);
            ecs.set_parent(all[2], NONE);
            ecs.set_parent(all[2], all[3]);
        },
        [&] { ecs.remove_entity(all[3]); },  // and its descendants
    };
    for (const auto& change : changes) {
        change();
        ecs.update();
        seen.push_back(state());
    }
    for (std::size_t from = 0; from < seen.size(); ++from) {
        for (std::size_t to = 0; to < seen.size(); ++to) {
            for (const std::size_t frame : {from, to}) {
                world.to(static_cast<double>(frame));
                ASSERT_EQ(state(), seen[frame]) << "from " << from << " to " << to;
            }
        }
    }
}

}  // namespace
}  // namespace crateful::test_rewind_kinds
