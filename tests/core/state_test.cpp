// Snapshots and restoring (rules N1 to N4, N8).
#include "crateful/state.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "../../core/src/state/format.hpp"
#include "crateful/ecs.hpp"
#include "state_world.hpp"
#include "world.hpp"

namespace crateful::test_state {
namespace {

struct Private {
    int* address = nullptr;
};

struct Log {
    std::vector<Entity> added;
    std::vector<Entity> removed;
    std::vector<Entity> dirty;
};

struct Watcher : System<> {
    explicit Watcher(Log& to) : log(to) {
        require<Place>(exclude<Flag>);
        watch<Place>();
    }
    void update(double, Entities&, Dirty& dirty) override {
        for (const Entity e : dirty) log.dirty.push_back(e);
    }
    void on_add(Aspect& aspect) override { log.added.push_back(aspect.entity()); }
    void on_remove(Aspect& aspect) override { log.removed.push_back(aspect.entity()); }
    Log& log;
};

class State : public testing::Test {
protected:
    State() { describe_all(); }
    ECS ecs;
    Log log;
};

using Bytes = std::vector<std::byte>;

// Sets the checksum.
void sign(Bytes& bytes) {
    const std::uint64_t hash = internal::checksum_of(std::span(bytes).subspan(24));
    std::memcpy(bytes.data() + 16, &hash, 8);
}

TEST_F(State, N1_N2_restores_an_equal_world_into_a_new_and_a_diverged_one) {
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
        ECS original;
        fill(original, seed, 300);
        const Bytes bytes = snapshot(original);
        ECS fresh;
        restore(fresh, bytes);
        EXPECT_EQ(snapshot(fresh), bytes) << seed;
        EXPECT_EQ(derived(fresh), derived(original)) << seed;
        ECS other;
        fill(other, seed + 1000, 600);
        derived(other);  // from now on, the reverse of links and the order are kept
        restore(other, bytes);
        EXPECT_EQ(snapshot(other), bytes) << seed;
        EXPECT_EQ(derived(other), derived(original)) << seed;
        fill(original, seed + 2000, 20);
        restore(original, bytes);
        EXPECT_EQ(snapshot(original), bytes) << seed;
    }
}

TEST_F(State, N3_the_same_operations_after_restoring_give_the_same_bytes) {
    for (std::uint32_t seed = 1; seed <= 30; ++seed) {
        ECS original;
        fill(original, seed, 200);
        ECS copy;
        fill(copy, seed + 500, 100);
        restore(copy, snapshot(original));
        const auto first = fill(original, seed + 900, 200);
        const auto second = fill(copy, seed + 900, 200);
        EXPECT_EQ(first, second);
        EXPECT_EQ(snapshot(original), snapshot(copy)) << seed;
    }
}

TEST_F(State, N2_systems_get_exactly_what_differs) {
    ecs.add_system<Watcher>(1, log);
    std::vector<Entity> all;
    for (int i = 0; i < 6; ++i) all.push_back(ecs.add_entity(Place{static_cast<float>(i), 0}, Life{}));
    const Bytes bytes = snapshot(ecs);
    ecs.update();
    log = {};
    ecs.modify<Place>(all[4], [](Place& p) { p.y = 5; });
    ecs.add(all[2], Flag{});
    ecs.remove_entity(all[1]);
    ecs.update();
    const Entity late = ecs.add_entity(Place{});
    ecs.update();
    log = {};
    restore(ecs, bytes);
    EXPECT_EQ(log.removed, std::vector{late});
    EXPECT_EQ(log.added, (std::vector{all[1], all[2]}));
    ecs.update(0);
    EXPECT_TRUE(log.dirty.empty());
    ecs.update();
    EXPECT_EQ(log.dirty, (std::vector{all[1], all[2], all[4]}));
    EXPECT_EQ(snapshot(ecs).size(), bytes.size());
}

TEST_F(State, N2_Q10_an_order_is_correct_after_a_snapshot_with_fewer_indices) {
    ECS world;
    const Bytes empty = snapshot(world);
    const auto sorted = world.query<const Life>(order_by(&Life::points));
    for (int k = 0; k < 100; ++k) world.add_entity(Life{100 - k});
    restore(world, empty);  // what was removed is in the list of changes
    EXPECT_EQ(sorted.ids(), std::vector<Entity>{});
    const Entity first = world.add_entity(Life{2});
    const Entity second = world.add_entity(Life{1});
    EXPECT_EQ(sorted.ids(), (std::vector<Entity>{second, first}));
}

TEST_F(State, N2_H3_a_parent_that_vanishes_has_no_children_afterwards) {
    ECS world;
    const std::vector<Entity> all = world.add_entities(3);
    world.set_parent(all[1], all[0]);
    const Bytes bytes = snapshot(world);
    world.set_parent(all[2], world.add_entity());  // the other children are those of the snapshot
    restore(world, bytes);
    EXPECT_EQ(world.parent(all[2]), NONE);
    EXPECT_EQ(world.parent(all[1]), all[0]);
    EXPECT_EQ(snapshot(world), bytes);
}

TEST_F(State, N2_callbacks_must_not_change_the_world_and_their_exceptions_follow) {
    struct Changes : System<> {
        Changes() { require<Place>(); }
        void update(double) override {}
        void on_add(Aspect&) override { static_cast<void>(ecs().add_entity()); }
    };
    const Entity e = ecs.add_entity(Place{1, 2});
    const Bytes bytes = snapshot(ecs);
    ecs.remove<Place>(e);
    ecs.add_system<Changes>(1);
    EXPECT_THROW(restore(ecs, bytes), Error);
    EXPECT_EQ(snapshot(ecs), bytes);
    EXPECT_NO_THROW(static_cast<void>(ecs.add_entity()));
}

TEST_F(State, N1_N2_are_refused_in_callbacks) {
    struct Inside : System<> {
        Inside() { require_none(); }
        void update(double) override {
            EXPECT_THROW(static_cast<void>(snapshot(ecs())), Error);
            EXPECT_THROW(restore(ecs(), {}), Error);
        }
    };
    ecs.add_system<Inside>(1);
    ecs.update();
}

TEST_F(State, N1_time_and_slow_motion_are_restored) {
    ecs.clock().time_scale(2);
    ecs.slow_motion().request(4, 10);
    ecs.update(0.5);
    ecs.set_paused(true);
    const Bytes bytes = snapshot(ecs);
    ECS copy;
    restore(copy, bytes);
    EXPECT_TRUE(copy.paused());
    copy.set_paused(false);
    ecs.set_paused(false);
    EXPECT_EQ(copy.update(0.5), ecs.update(0.5));
    EXPECT_EQ(copy.game_time(), ecs.game_time());
    EXPECT_EQ(copy.clock().frame(), ecs.clock().frame());
}

TEST_F(State, N1_a_class_that_is_not_described_is_an_error_unless_it_is_left_out) {
    const Entity e = ecs.add_entity(Private{});
    EXPECT_THROW(static_cast<void>(snapshot(ecs)), Error);
    const std::string name(registry::type(component_id<Private>()).name);
    const Bytes bytes = snapshot(ecs, {.without = {name}});
    int value = 1;
    ecs.add(e, Private{&value});
    restore(ecs, bytes);
    EXPECT_EQ(ecs.get<Private>(e).address, &value);
}

// Two builds of one program, whose classes differ. The registry keeps both, so they have different names.
TEST_F(State, N4_another_build_reads_a_snapshot_by_names) {
    const auto old_class =
        registry::add_stored("Body.1", {{"x", FieldType::f32},
                                        {"speed", FieldType::i16},
                                        {"state", FieldType::u8, 0, {}, false, {"idle", "walk", "run"}},
                                        {"gone", FieldType::u32}});
    std::vector<Field> fields{{"mood", FieldType::u8, 0, {}, false, {"none", "run", "walk", "idle"}},
                              {"velocity", FieldType::i32},
                              {"x", FieldType::f64},
                              {"extra", FieldType::f32}};
    float extra = 7;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &extra, 4);
    fields[3].initial = bits;
    const auto new_class = registry::add_stored("Body.2", fields);
    const Entity e = ecs.add_entity();
    const auto put = [&](float x, std::int16_t speed, std::uint8_t state) {
        std::array<std::uint64_t, 4> packed{};
        std::memcpy(&packed[0], &x, 4);
        std::memcpy(&packed[1], &speed, 2);
        packed[2] = state;
        ecs.by_id().add(e, old_class, reinterpret_cast<const std::byte*>(packed.data()));
    };
    put(1.5F, -300, 1);
    const Bytes bytes = snapshot(ecs);
    const RestoreOptions options{
        .rename = {{"Body.1", "Body.2"}, {"Body.1.speed", "velocity"}, {"Body.1.state", "mood"}}};
    ECS other;
    EXPECT_THROW(restore(other, bytes, {.rename = {{"Body.1", "Unknown"}}}), Error);
    restore(other, bytes, options);
    const Storage& s = other.by_id().storage(new_class);
    ASSERT_EQ(s.count(), 1u);
    const auto read = [&]<class T>(std::size_t field, T value) {
        std::memcpy(&value, s.control().columns[field], sizeof value);
        return value;
    };
    EXPECT_EQ(read(0, std::uint8_t{}), 2) << "walk";
    EXPECT_EQ(read(1, std::int32_t{}), -300);
    EXPECT_EQ(read(2, double{}), 1.5);
    EXPECT_EQ(read(3, float{}), 7);

    restore(other, bytes, {.ignore = {"Body.1"}});
    EXPECT_EQ(s.count(), 0u);

    // The way back: a value that does not fit, and a name that is gone.
    restore(other, bytes, options);
    const std::int32_t large = 40000;
    std::memcpy(s.control().columns[1], &large, 4);
    const RestoreOptions back{.rename = {{"Body.2", "Body.1"}, {"Body.2.velocity", "speed"}, {"Body.2.mood", "state"}}};
    const auto message = [&] {
        try {
            restore(ecs, snapshot(other), back);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const Bytes before = snapshot(ecs);
    EXPECT_EQ(message(), "restore: Body.1.speed: the field cannot store 40000");
    *s.control().columns[0] = std::byte{0};
    EXPECT_EQ(message(), "restore: Body.1.state: the class has no value none");
    EXPECT_EQ(snapshot(ecs), before);
}

struct Follower : System<> {
    Follower() {
        require<Everywhere>(exclude<Flag>, any<Place, Called>);
        watch<Everywhere, Place>();
    }
    void update(double, Entities& all, Dirty& set) override {
        tracked.assign(all.ids().begin(), all.ids().end());
        dirty.assign(set.ids().begin(), set.ids().end());
        for ([[maybe_unused]] const Entity e : set) continue;
    }
    std::vector<Entity> tracked;
    std::vector<Entity> dirty;
    int alive = 0;  // calls of on_add less those of on_remove
};
struct Counting final : Follower {
    void on_add(Aspect& aspect) override {
        ++alive;
        EXPECT_TRUE(aspect.has<Everywhere>());
    }
    void on_remove(Aspect& aspect) override {
        --alive;
        EXPECT_TRUE(aspect.has<Everywhere>());
    }
};

template <class S>
void follow(bool counts) {
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        ECS original;
        fill(original, seed, 400);
        ECS ecs;
        auto& system = ecs.add_system<S>(1);
        fill(ecs, seed + 700, 400);
        ecs.update();
        std::map<Entity, std::pair<int, float>> before;
        for (auto [e, level, place] : ecs.query<const Everywhere>(optional<Place>))
            before[e] = {level.level, place == nullptr ? -1 : place->x};
        const std::vector<Entity> was = system.tracked;
        restore(ecs, snapshot(original));
        std::vector<Entity> expected;
        std::vector<Entity> differ;
        for (auto [e, level, place] : ecs.query<const Everywhere>(optional<Place>, exclude<Flag>, any<Place, Called>)) {
            expected.push_back(e);
            const std::pair<int, float> now{level.level, place == nullptr ? -1 : place->x};
            const bool stayed = std::find(was.begin(), was.end(), e) != was.end();
            if (!stayed || before[e] != now) differ.push_back(e);
        }
        EXPECT_EQ(system.alive, counts ? static_cast<int>(expected.size()) : 0) << seed;
        ecs.update();
        std::sort(system.tracked.begin(), system.tracked.end());
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(system.tracked, expected) << seed;
        std::sort(differ.begin(), differ.end(), [](Entity a, Entity b) { return index_of(a) < index_of(b); });
        EXPECT_EQ(system.dirty, differ) << seed;
    }
}

TEST_F(State, N2_a_system_without_callbacks_tracks_what_it_selects_and_gets_exactly_what_differs) {
    follow<Follower>(false);
}
TEST_F(State, N2_a_system_with_callbacks_tracks_what_it_selects_and_gets_exactly_what_differs) {
    follow<Counting>(true);
}

TEST_F(State, N1_components_that_are_left_out_vanish_with_their_entities) {
    const std::string name(registry::type(component_id<Private>()).name);
    const Entity stays = ecs.add_entity(Private{}, Place{});
    const Bytes bytes = snapshot(ecs, {.without = {name}});
    const Entity goes = ecs.add_entity(Private{});
    restore(ecs, bytes);
    EXPECT_EQ(ecs.storage<Private>().count(), 1u);
    EXPECT_TRUE(ecs.has<Private>(stays));
    EXPECT_FALSE(ecs.alive(goes));
    EXPECT_FALSE(ecs.has<Private>(ecs.add_entity()));
    EXPECT_THROW(static_cast<void>(snapshot(ecs, {.without = {"Parent", name}})), Error);
}

TEST_F(State, N2_members_that_are_not_described_have_their_default_in_a_new_component) {
    const Entity e = ecs.add_entity(Part{3, 4});
    const Bytes bytes = snapshot(ecs);
    ecs.remove<Part>(e);
    restore(ecs, bytes);
    EXPECT_EQ(ecs.get<Part>(e).shown, 3);
    EXPECT_EQ(ecs.get<Part>(e).hidden, 2);
}

TEST_F(State, N2_a_component_of_the_world_that_returns_signals) {
    struct Board : System<> {
        Board() {
            require<Life>();
            watch<Place>();
        }
        void update(double, Entities&, Dirty& dirty) override { seen = dirty.size(); }
        std::uint32_t seen = 0;
    };
    const auto& board = ecs.add_system<Board>(1);
    ecs.add(ecs.world(), Life{});
    ecs.add(ecs.world(), Place{1, 1});
    const Bytes bytes = snapshot(ecs);
    ecs.remove<Place>(ecs.world());
    ecs.update();
    ecs.update();
    EXPECT_EQ(board.seen, 0u);
    restore(ecs, bytes);
    ecs.update();
    EXPECT_EQ(board.seen, 1u);
}

struct Save {
    std::uint16_t number = 0;
    std::array<std::byte, 8192> bytes{};  // not described
};

TEST_F(State, X3_the_bytes_are_in_a_component_that_moves) {
    describe_component<Save>("state.Save").field("number", &Save::number);
    ECS original;
    for (std::uint16_t k = 0; k < 200; ++k) original.add_entity(Save{k, {}});
    const Bytes bytes = snapshot(original);
    ASSERT_LE(bytes.size(), 8192u);
    ecs.add_entity(Save{});
    std::copy(bytes.begin(), bytes.end(), ecs.storage<Save>().at(0).bytes.begin() + 6);  // aligned
    const std::span<const std::byte> moving = std::span(ecs.storage<Save>().at(0).bytes).subspan(6);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(moving.data()) % 8, 0u);
    restore(ecs, moving.first(bytes.size()));
    EXPECT_EQ(snapshot(ecs), bytes);
}

TEST_F(State, N8_changed_bytes_are_refused_and_change_nothing) {
    fill(ecs, 7, 200);
    const Bytes bytes = snapshot(ecs);
    fill(ecs, 8, 30);
    const Bytes before = snapshot(ecs);
    for (std::size_t k = 0; k < bytes.size(); k += 3) {
        Bytes changed = bytes;
        changed[k] ^= std::byte{16};
        EXPECT_THROW(restore(ecs, changed), Error);
        EXPECT_THROW(restore(ecs, std::span(bytes).first(k)), Error);
    }
    EXPECT_EQ(snapshot(ecs), before);
}

TEST_F(State, N1_E2_a_free_index_whose_next_generation_is_the_last_one_is_restored) {
    for (const int others : {0, 1}) {
        ECS world;
        const Entity other = world.add_entity();
        Entity last = NONE;
        for (std::uint32_t n = 0; n < ENTITY_LAST_GENERATION; ++n) {
            world.remove_entity(last = world.add_entity());
            world.remove_marked();
        }
        if (others == 1) world.remove_entity(other), world.remove_marked();
        ECS copy;
        restore(copy, snapshot(world));
        EXPECT_EQ(snapshot(copy), snapshot(world));
        if (others == 1) EXPECT_EQ(index_of(copy.add_entity()), index_of(other));
        const Entity next = copy.add_entity();
        EXPECT_EQ(index_of(next), index_of(last));
        EXPECT_EQ(generation_of(next), ENTITY_LAST_GENERATION);
    }
}

TEST_F(State, N1_runs_of_handles_take_a_constant_number_of_bytes) {
    const auto size = [](std::size_t n, bool backwards, std::size_t kept) {
        ECS world;
        std::vector<Entity> all = world.add_entities(n + kept);
        if (backwards) std::reverse(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
        world.remove_entities(std::span(all).first(n));
        world.remove_marked();
        const Bytes bytes = snapshot(world);
        ECS copy;
        restore(copy, bytes);
        EXPECT_EQ(snapshot(copy), bytes);
        for (std::size_t k = 0; k < n + 2; ++k) EXPECT_EQ(copy.add_entity(), world.add_entity());
        return bytes.size();
    };
    for (const bool backwards : {false, true}) {
        EXPECT_EQ(size(100, backwards, 1), size(20'000, backwards, 1));
        EXPECT_LE(size(20'000, backwards, 1), 400u);
    }
    EXPECT_EQ(size(0, false, 100), size(0, false, 20'000));
}

TEST_F(State, N1_handles_without_runs_take_four_bytes) {
    ECS world;
    std::vector<Entity> all = world.add_entities(1000);
    const std::size_t whole = snapshot(world).size();
    std::mt19937 random(1);
    std::shuffle(all.begin(), all.end(), random);
    for (std::size_t k = 0; k < 700; ++k) world.remove_entity(all[k]);
    world.remove_marked();
    const Bytes bytes = snapshot(world);
    EXPECT_LE(bytes.size(), whole + 4 * 1001 + 8);
    ECS copy;
    restore(copy, bytes);
    EXPECT_EQ(snapshot(copy), bytes);
    for (int k = 0; k < 1000; ++k) EXPECT_EQ(copy.add_entity(), world.add_entity());
}

TEST_F(State, N1_N4_a_snapshot_of_version_1_is_read) {
    struct Point {
        float x = 0;
    };
    describe_component<Point>("format.Point").field("x", &Point::x);
    const std::string text =
        "4352464c01000100bd0000000000000056e38522510df0ae000000000000f03f000000000000e03f000000000000e03f000000000000f0"
        "3f00000000"
        "00000000000000000000040000000200000000000000000001000000ffff7f00030000000000000000000000010000000c000000666f72"
        "6d61742e50"
        "6f696e7404000000010000000100000078000100000000000000000000000002000000000000000001000000030000000000803f000040"
        "4000000000"
        "000000000000000000";
    Bytes bytes;
    for (std::size_t k = 0; k < text.size(); k += 2)
        bytes.push_back(static_cast<std::byte>(std::stoi(text.substr(k, 2), nullptr, 16)));
    ECS world;
    static_cast<void>(world.storage<Point>());
    restore(world, bytes);
    EXPECT_EQ(world.count(), 2u);
    EXPECT_EQ(world.get<Point>(Entity{1}).x, 1);
    EXPECT_EQ(world.get<Point>(Entity{3}).x, 3);
    EXPECT_EQ(world.add_entity(), Entity{1u << ENTITY_INDEX_BITS | 2});
}

TEST_F(State, N1_N8_pieces_of_handles_that_are_not_possible_are_refused) {
    ECS world;
    world.add_entities(99);  // one run
    const Bytes bytes = snapshot(world);
    constexpr std::size_t HEAD = internal::HEADER_BYTES + 5 * 8 + 2 + 4 + 4 + 4;
    std::uint32_t head;
    std::memcpy(&head, &bytes[HEAD], 4);
    ASSERT_EQ(head, 100u << 1 | 1);
    for (const std::uint32_t wrong : {0u, 1u, 101u << 1 | 1, 99u << 1 | 1, 100u << 1, 0xFFFFFFFFu}) {
        Bytes changed = bytes;
        std::memcpy(&changed[HEAD], &wrong, 4);
        internal::complete_header(changed);
        ECS copy;
        EXPECT_THROW(restore(copy, changed), Error) << wrong;
        EXPECT_EQ(copy.count(), 0u);
    }
}

TEST_F(State, N4_fields_of_one_type_can_be_renamed_into_each_other) {
    struct Turn {
        std::uint8_t a = 1, b = 2, c = 3;
    };
    describe_component<Turn>("state.Turn").field("a", &Turn::a).field("b", &Turn::b).field("c", &Turn::c);
    ECS from;
    const Entity e = from.add_entity(Turn{10, 20, 30});
    ECS to;
    to.add_entity(Turn{});
    restore(to, snapshot(from), {.rename = {{"state.Turn.a", "b"}, {"state.Turn.b", "c"}, {"state.Turn.c", "a"}}});
    const Turn& turn = to.get<Turn>(e);
    EXPECT_EQ((std::array{turn.a, turn.b, turn.c}), (std::array<std::uint8_t, 3>{30, 10, 20}));
}

TEST_F(State, N2_H4_a_loop_over_children_ends_if_restore_changes_the_hierarchy) {
    ECS world;
    const std::vector<Entity> all = world.add_entities(3);
    for (const std::size_t k : {1u, 2u}) world.set_parent(all[k], all[0]);
    const Bytes same = snapshot(world);
    world.set_parent(all[2], NONE);
    const Bytes bytes = snapshot(world);
    world.set_parent(all[2], all[0]);
    std::vector<Entity> visited;
    for (const Entity child : world.children(all[0])) {
        visited.push_back(child);
        restore(world, same);
    }
    EXPECT_EQ(visited, (std::vector{all[1], all[2]}));
    for (const Entity child : world.children(all[0])) {
        visited.push_back(child);
        restore(world, bytes);
    }
    EXPECT_EQ(visited, (std::vector{all[1], all[2], all[1]}));
}

TEST_F(State, N8_a_number_of_updates_that_is_not_whole_or_too_large_is_refused) {
    Bytes bytes = snapshot(ecs);
    for (const double forged : {0.5, 9'007'199'254'740'994.0, 1e300}) {
        std::memcpy(bytes.data() + 24, &forged, sizeof forged);
        sign(bytes);
        EXPECT_ERROR(restore(ecs, bytes), ErrorCode::bad_data);
    }
}

// Bytes with a right checksum, which a sender has forged.
TEST_F(State, N8_forged_bytes_are_refused_or_are_a_state) {
    fill(ecs, 9, 120);
    const Bytes bytes = snapshot(ecs);
    std::mt19937 random(3);
    int refused = 0;
    for (int k = 0; k < 3000; ++k) {
        Bytes forged = bytes;
        for (int n = 0; n < 3; ++n) forged[24 + random() % (bytes.size() - 24)] = static_cast<std::byte>(random());
        sign(forged);
        ECS other;
        try {
            restore(other, forged);
            restore(other, snapshot(other));
            other.update();
        } catch (const Error&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace crateful::test_state
