// Native components that are saved by a codec, and objects of another language (rules N1, N2, N8).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../core/src/state/format.hpp"
#include "crateful/detail/state_steps.hpp"
#include "crateful/ecs.hpp"
#include "crateful/state.hpp"
#include "world.hpp"

namespace crateful::test_state_codec {
namespace {

ECS* changed_by_functions = nullptr;  // which functions of the codec then try to change

struct Route {
    std::vector<int> stops;
    std::shared_ptr<int> lives = std::make_shared<int>(0);  // counts
    std::shared_ptr<ECS> at_end;                            // whose deleter is called by the destructor

    Route() = default;
    explicit Route(std::vector<int> all) : stops(std::move(all)) {}
    Route(Route&&) noexcept = default;
    Route& operator=(Route&&) noexcept = default;
    ~Route() = default;
    void add_entity_at_end(ECS& to) {
        at_end = std::shared_ptr<ECS>(&to, [](ECS* ecs) { static_cast<void>(ecs->add_entity()); });
    }
};

constexpr int UNREADABLE = 1'000'000;  // of a route that cannot be encoded

std::vector<std::byte> encode_route(const Route& route) {
    if (!route.stops.empty() && route.stops.front() == UNREADABLE) throw std::runtime_error("unreadable");
    if (changed_by_functions != nullptr) static_cast<void>(changed_by_functions->add_entity());
    std::vector<std::byte> bytes(route.stops.size() * sizeof(int));
    if (!bytes.empty()) std::memcpy(bytes.data(), route.stops.data(), bytes.size());
    return bytes;
}
Route decode_route(std::span<const std::byte> bytes) {
    if (changed_by_functions != nullptr) static_cast<void>(changed_by_functions->add_entity());
    if (bytes.size() % sizeof(int) != 0) throw std::runtime_error("odd");
    std::vector<int> stops(bytes.size() / sizeof(int));
    if (!bytes.empty()) std::memcpy(stops.data(), bytes.data(), bytes.size());
    if (!stops.empty() && stops.front() < 0) throw std::runtime_error("negative");
    return Route(std::move(stops));
}

struct Note {  // linear, and with a described field, too
    std::string text;
    float size = 1;
};
struct Mark {
    float x = 0;
};
struct Loose {
    std::string text;
};

void describe_all() {
    describe_component<Route>("codec.Route").codec<encode_route, decode_route>();
    describe_component<Note>("codec.Note")
        .field("size", &Note::size)
        .policy(Policy::linear)
        .codec<[](const Note& note) {
            const auto bytes = std::as_bytes(std::span(note.text));
            return std::vector<std::byte>(bytes.begin(), bytes.end());
        },
               [](std::span<const std::byte> bytes) {
                   return Note{std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())};
               }>();
    describe_component<Mark>("codec.Mark").field("x", &Mark::x);
    describe_component<Loose>("codec.Loose");
}

struct Watcher : System<> {
    Watcher() {
        require<Route>();
        watch<Route>();
    }
    void on_add(Aspect& a) override { log += "+" + std::to_string(a.get<Route>().stops.size()); }
    void on_remove(Aspect& a) override { log += "-" + std::to_string(a.get<Route>().stops.size()); }
    void update(double, Entities&, Dirty& dirty) override {
        for (const Entity e : dirty) log += "*" + std::to_string(static_cast<std::uint32_t>(e));
    }
    std::string take() { return std::exchange(log, {}); }
    std::string log;
};

class StateCodec : public testing::Test {
protected:
    void SetUp() override {
        describe_all();
        changed_by_functions = nullptr;
    }
    void TearDown() override { changed_by_functions = nullptr; }
};

}  // namespace

TEST_F(StateCodec, N1_components_that_own_memory_are_saved_by_their_codec) {
    ECS ecs;
    const Entity a = ecs.add_entity(Route({1, 2, 3}), Note{"text", 5});
    const Entity b = ecs.add_entity(Route(), Note{});
    const std::vector<std::byte> bytes = snapshot(ecs);
    ECS other;
    restore(other, bytes);
    EXPECT_EQ(other.get<Route>(a).stops, (std::vector{1, 2, 3}));
    EXPECT_EQ(other.get<Route>(b).stops, std::vector<int>());
    EXPECT_EQ(other.get<Note>(a).text, "text");
    EXPECT_EQ(other.get<Note>(a).size, 1);  // no part of what is encoded
    EXPECT_EQ(snapshot(other), bytes);
}

TEST_F(StateCodec, N2_components_with_a_codec_that_are_equal_stay_and_others_are_exchanged) {
    ECS ecs;
    auto& watcher = ecs.add_system<Watcher>(0);
    const Entity a = ecs.add_entity(Route({1}));
    const Entity b = ecs.add_entity(Route({2, 2}));
    const Entity c = ecs.add_entity(Route({3, 3, 3}));
    ecs.update();
    const std::vector<std::byte> bytes = snapshot(ecs);
    const std::weak_ptr<int> kept = ecs.get<Route>(a).lives;
    const std::weak_ptr<int> replaced = ecs.get<Route>(b).lives;
    ecs.modify<Route>(b, [](Route& route) { route.stops.push_back(7); });
    ecs.remove_entity(c);
    ecs.update();
    const Entity d = ecs.add_entity(Route({4, 4, 4, 4}));
    const std::weak_ptr<int> removed = ecs.get<Route>(d).lives;
    ecs.update();
    watcher.take();
    restore(ecs, bytes);
    EXPECT_EQ(watcher.take(), "-4+3");
    EXPECT_EQ(snapshot(ecs), bytes);
    ecs.update();
    EXPECT_EQ(watcher.take(), "*2*3");
    EXPECT_EQ(ecs.get<Route>(a).lives, kept.lock());
    EXPECT_TRUE(replaced.expired());
    EXPECT_TRUE(removed.expired());
    EXPECT_EQ(ecs.get<Route>(b).stops, (std::vector{2, 2}));
    EXPECT_EQ(ecs.get<Route>(c).stops, (std::vector{3, 3, 3}));
}

TEST_F(StateCodec, N2_components_with_a_codec_are_sorted_as_in_the_snapshot) {
    ECS ecs;
    std::vector<Entity> all;
    for (int i = 0; i < 20; ++i) all.push_back(ecs.add_entity(Route({i, i})));
    const std::vector<std::byte> bytes = snapshot(ecs);
    for (const int i : {3, 0, 11}) ecs.remove<Route>(all[static_cast<std::size_t>(i)]);
    ecs.add<Route>(all[11], Route({99}));
    restore(ecs, bytes);
    EXPECT_EQ(snapshot(ecs), bytes);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(ecs.get<Route>(all[static_cast<std::size_t>(i)]).stops, (std::vector{i, i}));
}

TEST_F(StateCodec, T5_destructors_of_values_that_restoring_removes_may_use_the_ECS) {
    ECS ecs;
    const std::vector<std::byte> empty = snapshot(ecs);
    const Entity a = ecs.add_entity(Route({1}));
    const std::vector<std::byte> full = snapshot(ecs);
    ecs.modify<Route>(a, [&](Route& route) {
        route.stops = {5};
        route.add_entity_at_end(ecs);
    });
    restore(ecs, full);
    EXPECT_EQ(ecs.count(), 2U);  // the destructor has added one
    ecs.modify<Route>(a, [&](Route& route) { route.add_entity_at_end(ecs); });
    restore(ecs, empty);
    EXPECT_EQ(ecs.count(), 1U);
}

TEST_F(StateCodec, N8_what_decoding_throws_is_thrown_and_nothing_has_changed) {
    ECS ecs;
    ecs.add_entity(Route({1}));
    ecs.add_entity(Route({-1}));
    const std::vector<std::byte> bytes = snapshot(ecs);
    ECS other;
    auto& watcher = other.add_system<Watcher>(0);
    other.add_entity(Route({9}), Mark{2});
    const std::vector<std::byte> before = snapshot(other);
    watcher.take();
    EXPECT_THROW(restore(other, bytes), std::runtime_error);
    EXPECT_EQ(snapshot(other), before);
    EXPECT_EQ(watcher.take(), "");
}

TEST_F(StateCodec, N1_N2_functions_that_encode_and_decode_cannot_change_the_ECS) {
    ECS ecs;
    ecs.add_entity(Route({1}));
    const std::vector<std::byte> bytes = snapshot(ecs);
    changed_by_functions = &ecs;
    EXPECT_ERROR((static_cast<void>(snapshot(ecs))), ErrorCode::bad_argument);
    EXPECT_ERROR((restore(ecs, bytes)), ErrorCode::bad_argument);
    ECS other;
    changed_by_functions = &other;
    EXPECT_ERROR((restore(other, bytes)), ErrorCode::bad_argument);
    changed_by_functions = nullptr;
    EXPECT_EQ(other.count(), 0U);
    EXPECT_EQ(snapshot(ecs), bytes);
}

TEST_F(StateCodec, N2_a_component_that_cannot_be_encoded_is_replaced) {
    ECS ecs;
    const Entity e = ecs.add_entity(Route({1, 2}));
    const std::vector<std::byte> bytes = snapshot(ecs);
    ecs.add(e, Route({UNREADABLE}));
    EXPECT_THROW(static_cast<void>(snapshot(ecs)), std::runtime_error);
    restore(ecs, bytes);
    EXPECT_TRUE(std::ranges::equal(ecs.get<Route>(e).stops, std::array{1, 2}));
}

TEST_F(StateCodec, N2_components_that_own_memory_without_a_codec_cannot_be_exchanged) {
    ECS ecs;
    const std::vector<std::byte> empty = snapshot(ecs);
    ecs.add_entity(Loose{"text"});
    EXPECT_ERROR((static_cast<void>(snapshot(ecs))), ErrorCode::bad_argument);
    EXPECT_ERROR((restore(ecs, empty)), ErrorCode::bad_argument);
    EXPECT_EQ(ecs.count(), 1U);
}

TEST_F(StateCodec, N4_values_of_a_codec_and_fields_are_not_exchanged_for_each_other) {
    ECS ecs;
    ecs.add_entity(Route({1}));
    ECS other;
    other.add_entity(Mark{});
    EXPECT_ERROR((restore(ecs, snapshot(other), {.rename = {{"codec.Mark", "codec.Route"}}})), ErrorCode::bad_argument);
    EXPECT_ERROR((restore(other, snapshot(ecs), {.rename = {{"codec.Route", "codec.Mark"}}})), ErrorCode::bad_argument);
    restore(other, snapshot(ecs), {.ignore = {"codec.Route"}});
    EXPECT_EQ(other.count(), 1U);
}

TEST_F(StateCodec, N8_damaged_lengths_and_kinds_are_bad_data) {
    ECS ecs;
    ecs.add_entity(Route({1, 2}));
    ecs.add_entity(Route({3}));
    const std::vector<std::byte> bytes = snapshot(ecs);
    ECS other;
    other.add_entity(Mark{1});
    const std::vector<std::byte> before = snapshot(other);
    std::size_t refused = 0;
    for (std::size_t at = internal::HEADER_BYTES; at < bytes.size(); ++at) {
        for (const int value : {0, 1, 2, 4, 127, 255}) {
            std::vector<std::byte> changed = bytes;
            changed[at] = static_cast<std::byte>(value);
            const std::uint64_t sum = internal::checksum_of(std::span(changed).subspan(internal::HEADER_BYTES));
            std::memcpy(changed.data() + 16, &sum, 8);
            try {
                restore(other, changed);
                restore(other, before);
            } catch (const std::exception&) {
                ++refused;
                EXPECT_EQ(snapshot(other), before);
            }
        }
    }
    EXPECT_GT(refused, 200U);
}

TEST_F(StateCodec, N2_objects_of_another_language_cannot_be_restored_by_C__) {
    ECS ecs;
    const ComponentId id = registry::add_object("codec.Object");
    const Entity e = ecs.add_entity();
    ecs.by_id().add(e, id, nullptr, 0);
    EXPECT_ERROR((static_cast<void>(snapshot(ecs))), ErrorCode::bad_argument);
    const std::vector<std::uint32_t> lengths{2};
    const std::vector<std::byte> values{std::byte{1}, std::byte{'1'}};
    const std::vector<internal::EncodedValues> encoded{{id, lengths, values.data()}};
    const std::vector<std::byte> bytes = internal::write_snapshot(ecs, {}, encoded);
    EXPECT_ERROR((restore(ecs, bytes)), ErrorCode::bad_argument);
    restore(ecs, bytes, {.ignore = {"codec.Object"}});
    EXPECT_FALSE(ecs.by_id().has(e, id));
}

}  // namespace crateful::test_state_codec
