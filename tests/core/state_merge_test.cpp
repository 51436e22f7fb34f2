// Compact snapshots, and adding the entities of a snapshot (rules N1, N9).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "crateful/ecs.hpp"
#include "crateful/state.hpp"
#include "failing_memory.hpp"
#include "state_world.hpp"
#include "world.hpp"

namespace crateful::test_state_merge {
namespace {

using namespace test_state;
using Bytes = std::vector<std::byte>;

/// With a codec that maps handles.
struct Route {
    std::vector<Entity> stops;
};
std::vector<std::byte> encode_route(const Route& route) {
    std::vector<std::byte> bytes(route.stops.size() * sizeof(Entity));
    if (!bytes.empty()) std::memcpy(bytes.data(), route.stops.data(), bytes.size());
    return bytes;
}
Route decode_route(std::span<const std::byte> bytes) {
    if (bytes.size() % sizeof(Entity) != 0) throw std::runtime_error("odd");
    Route route;
    route.stops.resize(bytes.size() / sizeof(Entity));
    if (!bytes.empty()) std::memcpy(route.stops.data(), bytes.data(), bytes.size());
    return route;
}
void map_route(Route& route, const EntityMap& map) {
    for (Entity& stop : route.stops) stop = map(stop);
}
/// With one that does not.
struct Opaque {
    std::vector<Entity> stops;
};
std::vector<std::byte> encode_opaque(const Opaque& value) { return encode_route({value.stops}); }
Opaque decode_opaque(std::span<const std::byte> bytes) { return {decode_route(bytes).stops}; }

struct Hit {
    static constexpr std::string_view type_name = "merge.Hit";
    static void map_entities(Hit& hit, const EntityMap& map) { hit.target = map(hit.target); }
    Entity target = NONE;
};
struct Unmapped {
    static constexpr std::string_view type_name = "merge.Unmapped";
    Entity target = NONE;
};

struct Merge : testing::Test {
    Merge() {
        describe_all();
        describe_component<Route>("merge.Route").codec<encode_route, decode_route, map_route>();
        describe_component<Opaque>("merge.Opaque").codec<encode_opaque, decode_opaque>();
    }
    ECS ecs;
};

// Everything that entities have, with other handles.
std::string describe(ECS& ecs, const std::vector<Entity>& entities, const EntityMap& map) {
    std::ostringstream to;
    const auto handle = [&](Entity e) { return static_cast<std::uint32_t>(map(e)); };
    for (const Entity e : entities) {
        to << '\n' << handle(e) << " in " << handle(ecs.parent(e)) << " of";
        for (const Entity child : ecs.children(e)) to << ' ' << handle(child);
        to << " linked by";
        std::set<std::uint32_t> sources;
        for (const Entity source : ecs.linked<Chase>(e)) sources.insert(handle(source));
        for (const std::uint32_t source : sources) to << ' ' << source;
        if (const auto* c = ecs.try_get<Place>(e)) to << " Place " << c->x << ' ' << c->y;
        if (const auto* c = ecs.try_get<Life>(e)) to << " Life " << c->points << ' ' << c->hurt;
        if (const auto* c = ecs.try_get<Aim>(e)) to << " Aim " << handle(c->at) << ' ' << c->way[2];
        if (const auto* c = ecs.try_get<Everywhere>(e)) to << " Everywhere " << c->level;
        if (const auto* c = ecs.try_get<Chase>(e)) to << " Chase " << handle(c->prey.entity);
        if (const auto* c = ecs.try_get<Called>(e)) to << " Called " << ecs.text(c->name) << ' ' << c->number;
        if (const auto* c = ecs.try_get<Route>(e)) {
            to << " Route";
            for (const Entity stop : c->stops) to << ' ' << handle(stop);
        }
        to << (ecs.has<Flag>(e) ? " Flag" : "");
        if (const auto slot = ecs.by_id().has(e, stored_class()); slot) {
            const Storage& s = ecs.by_id().storage(stored_class());
            float x = 0;
            std::memcpy(&x, s.control().columns[0] + s.slot(e) * s.stride(0), sizeof x);
            to << " Stored " << x;
        }
    }
    return to.str();
}
std::vector<Entity> alive(ECS& ecs) {
    std::vector<Entity> all;
    ecs.by_id().pool().each([&](Entity e) { all.push_back(e); });
    return all;
}
// A random world with routes.
void fill_with_routes(ECS& ecs, std::uint32_t seed, int operations) {
    const std::vector<Entity> all = fill(ecs, seed, operations);
    for (std::size_t k = 0; k < all.size(); k += 3) ecs.add(all[k], Route{{all[0], all[k], NONE, all[all.size() / 2]}});
    for (std::size_t k = 0; k < all.size(); k += 7) ecs.remove_entity(all[k]);
    if (seed % 2 == 0) ecs.remove_marked();
}
// The handle of each entity by its number among those that are alive.
EntityMap numbers(ECS& ecs) {
    return [all = alive(ecs)](Entity e) {
        const auto at = std::find(all.begin(), all.end(), e);
        return at == all.end() ? NONE : Entity{static_cast<std::uint32_t>(at - all.begin())};
    };
}

TEST_F(Merge, N1_a_compact_snapshot_is_the_same_world_with_other_handles) {
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
        ECS original;
        fill_with_routes(original, seed, 300);
        const Bytes plain = snapshot(original);
        const Bytes bytes = snapshot(original, {.compact = true});
        EXPECT_EQ(snapshot(original), plain) << seed;
        ECS saved;
        fill_with_routes(saved, seed + 500, 100);
        restore(saved, bytes);
        EXPECT_EQ(snapshot(saved), bytes) << seed;  // no free indices, no references to entities that do not exist
        EXPECT_EQ(snapshot(saved, {.compact = true}), bytes) << seed;
        std::uint32_t next = 0;
        for (const Entity e : alive(saved)) EXPECT_EQ(e, Entity{next++}) << seed;
        EXPECT_EQ(saved.by_id().pool().control().slots, next);
        EXPECT_EQ(describe(saved, alive(saved), numbers(saved)), describe(original, alive(original), numbers(original)))
            << seed;
    }
}

TEST_F(Merge, N1_the_size_of_a_compact_snapshot_follows_the_entities_that_are_alive) {
    std::vector<Entity> all;
    for (int k = 0; k < 100'000; ++k) all.push_back(ecs.add_entity(Place{}));
    std::shuffle(all.begin(), all.end(), std::mt19937(1));
    for (std::size_t k = 1; k < all.size(); ++k) ecs.remove_entity(all[k]);
    ecs.update();
    EXPECT_LE(snapshot(ecs, {.compact = true}).size(), 400u);
    EXPECT_GE(snapshot(ecs).size(), 300'000u);
}

TEST_F(Merge, N1_compact_with_the_state_of_systems) {
    struct Watcher : System<> {
        Watcher() {
            require<Place>();
            watch<Place>();
            exact();
        }
        [[nodiscard]] std::string name() const override { return "Watcher"; }
        void update(double, Entities&, Dirty&) override {}
    };
    const auto fill_world = [](ECS& to) {
        to.add_system<Watcher>(1);
        std::vector<Entity> all;
        for (int k = 0; k < 10; ++k) all.push_back(to.add_entity(Place{static_cast<float>(k), 0}));
        to.update();
        for (std::size_t k = 0; k < 10; k += 2) to.remove_entity(all[k]);
        to.update();
        to.dirty<Place>(all[7]);
        to.dirty<Place>(all[3]);
    };
    fill_world(ecs);
    const Bytes bytes = snapshot(ecs, {.systems = true, .compact = true});
    ECS other;
    Watcher& restored = other.add_system<Watcher>(1);
    restore(other, bytes);
    EXPECT_EQ(snapshot(other, {.systems = true}), bytes);
    std::vector<float> dirty;
    for (const Entity e : restored.dirty_set().set().entities()) dirty.push_back(other.get<Place>(e).x);
    EXPECT_EQ(dirty, (std::vector<float>{7, 3}));
}

TEST_F(Merge, N1_handles_in_events_are_mapped_and_a_class_without_the_function_is_an_error) {
    const Entity gone = ecs.add_entity();
    const Entity target = ecs.add_entity(Place{});
    ecs.remove_entity(gone);
    ecs.update();
    ecs.events.dispatch(Hit{target}, 1);
    ecs.events.collect<Hit>();
    ecs.events.dispatch(Hit{gone});
    ECS other;
    restore(other, snapshot(ecs, {.compact = true}));
    other.events.collect<Hit>();
    ASSERT_EQ(other.events.inbox<Hit>().size(), 1u);
    EXPECT_EQ(other.events.inbox<Hit>()[0].target, NONE);
    other.update(2);
    ASSERT_EQ(other.events.inbox<Hit>().size(), 2u);
    EXPECT_EQ(other.events.inbox<Hit>()[1].target, Entity{1});
    EXPECT_EQ(ecs.events.inbox<Hit>()[0].target, gone);  // the events themselves stay as they are

    ecs.events.dispatch(Unmapped{target}, 1);
    static_cast<void>(snapshot(ecs));
    EXPECT_ERROR(snapshot(ecs, {.compact = true}), ErrorCode::bad_argument);
    static_cast<void>(snapshot(ecs, {.without = {"merge.Unmapped"}, .compact = true}));
}

TEST_F(Merge, N9_adds_the_entities_of_a_snapshot_to_a_living_world) {
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
        ECS original;
        fill_with_routes(original, seed, 200);
        const bool compact = seed % 3 == 0;
        const Bytes bytes = snapshot(original, {.compact = compact});
        fill_with_routes(ecs, seed + 100, 200);
        const std::vector<Entity> before = alive(ecs);
        const EntityMap same = [](Entity e) { return e; };
        const std::string present = describe(ecs, before, same);
        const double time = ecs.clock().game_time();

        ECS loaded;
        restore(loaded, bytes);
        const auto handles = merge(ecs, bytes);
        std::vector<Entity> later = before;
        std::vector<Entity> here;
        for (const Entity e : alive(loaded)) {
            if (e == Entity{0}) continue;
            ASSERT_TRUE(handles.contains(e)) << seed;
            here.push_back(handles.at(e));
        }
        later.insert(later.end(), here.begin(), here.end());
        std::sort(later.begin(), later.end(), [](Entity a, Entity b) { return index_of(a) < index_of(b); });
        EXPECT_EQ(handles.size(), here.size());
        EXPECT_EQ(alive(ecs), later) << seed;
        EXPECT_EQ(describe(ecs, before, same), present) << seed;
        const EntityMap to_new = [&](Entity e) {
            const auto at = handles.find(e);
            return at == handles.end() ? NONE : at->second;
        };
        std::vector<Entity> saved = alive(loaded);
        saved.erase(saved.begin());
        EXPECT_EQ(describe(ecs, here, same), describe(loaded, saved, to_new)) << seed;
        EXPECT_EQ(ecs.clock().game_time(), time);
    }
}

TEST_F(Merge, N9_an_empty_ecs_becomes_the_saved_one) {
    for (std::uint32_t seed = 2; seed <= 20; seed += 2) {  // nothing is marked for removal
        ECS original;
        fill_with_routes(original, seed, 200);
        const Bytes bytes = snapshot(original, {.compact = true});
        ECS empty;
        merge(empty, bytes);
        ECS loaded;
        restore(loaded, bytes);
        EXPECT_EQ(describe(empty, alive(empty), numbers(empty)), describe(loaded, alive(loaded), numbers(loaded)));
        EXPECT_EQ(empty.clock().game_time(), 0);
    }
}

TEST_F(Merge, N9_children_of_the_saved_world_are_children_of_the_world) {
    ECS level;
    level.add(level.world(), Place{9, 9});
    std::vector<Entity> doors;
    for (int k = 0; k < 3; ++k) doors.push_back(level.add_entity(Place{static_cast<float>(k), 0}));
    for (const Entity door : {doors[2], doors[0], doors[1]}) level.set_parent(door, level.world());
    level.add(doors[0], Aim{level.world(), {}});
    ecs.add(ecs.world(), Place{1, 2});
    const Entity first = ecs.add_entity();
    ecs.set_parent(first, ecs.world());
    auto handles = merge(ecs, snapshot(level));
    std::vector<Entity> children;
    for (const Entity child : ecs.children(ecs.world())) children.push_back(child);
    EXPECT_EQ(children, (std::vector{first, handles[doors[2]], handles[doors[0]], handles[doors[1]]}));
    EXPECT_EQ(ecs.get<Place>(ecs.world()).x, 1);
    EXPECT_EQ(ecs.get<Aim>(handles[doors[0]]).at, ecs.world());
    EXPECT_FALSE(handles.contains(level.world()));
}

TEST_F(Merge, N9_marks_for_removal_are_those_of_the_snapshot) {
    ECS level;
    const Entity stays = level.add_entity(Place{});
    const Entity goes = level.add_entity(Place{});
    level.remove_entity(goes);
    auto handles = merge(ecs, snapshot(level));
    EXPECT_TRUE(ecs.alive(handles[goes]));
    EXPECT_FALSE(ecs.remove_entity(handles[goes]));  // it is marked already
    ecs.update();
    EXPECT_FALSE(ecs.alive(handles[goes]));
    EXPECT_TRUE(ecs.alive(handles[stays]));
}

// Everything is there when a system gets the first entity.
struct Arrival : System<> {
    explicit Arrival(ECS& of, std::vector<std::string>& to) : ecs_(of), to_(to) { require<Place>(); }
    void update(double, Entities&) override {}
    void on_add(Aspect& aspect) override {
        const Entity e = aspect.entity();
        const Aim* aim = ecs_.try_get<Aim>(e);
        std::string text = std::to_string(ecs_.get<Place>(e).x) + " below " + to_string(ecs_.parent(e));
        if (aim != nullptr) text += " at " + std::to_string(ecs_.get<Place>(aim->at).x);
        to_.push_back(text);
        ecs_.add(e, Life{7, false});
        if (throws) throw test::Oops("on_add");
    }
    bool throws = false;

private:
    ECS& ecs_;
    std::vector<std::string>& to_;
};

TEST_F(Merge, N9_callbacks_find_everything_and_may_change_anything) {
    ECS level;
    const Entity last = level.add_entity(Place{2, 0});
    const Entity first = level.add_entity(Place{1, 0});
    level.add(last, Aim{first, {}});
    level.set_parent(last, first);
    const Bytes bytes = snapshot(level);
    std::vector<std::string> found;
    Arrival& arrival = ecs.add_system<Arrival>(1, ecs, found);
    auto handles = merge(ecs, bytes);
    EXPECT_EQ(found, (std::vector<std::string>{"2.000000 below " + to_string(handles[first]) + " at 1.000000",
                                               "1.000000 below " + to_string(NONE)}));
    EXPECT_EQ(ecs.get<Life>(handles[last]).points, 7);

    arrival.throws = true;
    found.clear();
    EXPECT_THROW(merge(ecs, bytes), test::Oops);
    EXPECT_EQ(found.size(), 2u);  // rethrown at the end
    EXPECT_EQ(alive(ecs).size(), 5u);
}

TEST_F(Merge, N9_what_cannot_be_merged_changes_nothing) {
    ECS level;
    level.add_entity(Place{}, Route{{NONE}});
    level.add_entity(Called{level.string("a"), 1});
    const Bytes bytes = snapshot(level);
    fill_with_routes(ecs, 3, 100);
    const Bytes before = snapshot(ecs);
    const auto refuses = [&](std::span<const std::byte> data, const RestoreOptions& options, ErrorCode code) {
        EXPECT_ERROR(merge(ecs, data, options), code);
        EXPECT_EQ(snapshot(ecs), before);
    };
    Bytes damaged = bytes;
    damaged[40] ^= std::byte{1};
    refuses(damaged, {}, ErrorCode::bad_data);
    refuses(std::span(bytes).first(bytes.size() - 8), {}, ErrorCode::bad_data);
    refuses(bytes, {.rename = {{"state.Place", "state.Nowhere"}}}, ErrorCode::bad_argument);
    refuses(bytes, {.limits = {.entities = 1}}, ErrorCode::bad_data);
    refuses(bytes, {.limits = {.bytes = 100}}, ErrorCode::bad_data);
    {
        auto rows = ecs.query<Place>();
        for (auto row : rows) {
            static_cast<void>(row);
            EXPECT_ERROR(merge(ecs, bytes), ErrorCode::bad_argument);
            break;
        }
    }
    EXPECT_EQ(snapshot(ecs), before);
    ECS in_update;
    in_update.add_system(1, "Merge",
                         [&](ECS&, double) { EXPECT_ERROR(merge(in_update, bytes), ErrorCode::reentrant_update); });
    in_update.update();
    EXPECT_EQ(merge(ecs, bytes, {.ignore = {"state.Place"}}).size(), 2u);
}

TEST_F(Merge, N8_N9_bytes_bound_the_columns_that_grow) {
    ECS level;
    level.add_entity(Everywhere{});
    const Bytes bytes = snapshot(level);
    for (int k = 0; k < 100'000; ++k) ecs.add_entity();
    EXPECT_ERROR(merge(ecs, bytes, {.limits = {.bytes = 100'000}}), ErrorCode::bad_data);
    EXPECT_EQ(ecs.count(), 100'000u);
    ecs.add(Entity{100'000}, Everywhere{});  // there is a column that is long enough now
    EXPECT_EQ(merge(ecs, bytes, {.limits = {.bytes = 100'000}}).size(), 1u);
}

TEST_F(Merge, N9_values_with_a_codec_that_does_not_map_keep_their_handles) {
    ECS level;
    const Entity e = level.add_entity();
    level.add(e, Opaque{{e}});
    ecs.add_entity();
    auto handles = merge(ecs, snapshot(level));
    EXPECT_EQ(ecs.get<Opaque>(handles[e]).stops, (std::vector{e}));
    EXPECT_NE(handles[e], e);
}

TEST_F(Merge, N9_X4_every_allocation_can_fail) {
    ECS level;
    fill_with_routes(level, 5, 200);
    const Bytes bytes = snapshot(level);
    std::vector<std::string> found;
    int failed = 0;
    for (int k = 0;; ++k) {
        ECS world;
        fill_with_routes(world, 6, 60);
        const Arrival& arrival = world.add_system<Arrival>(1, world, found);
        const std::size_t count = alive(world).size();
        test::allocations_left = k;
        bool done = true;
        try {
            merge(world, bytes);
        } catch (const std::bad_alloc&) {
            done = false;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
            done = false;
        }
        test::allocations_left = -1;
        if (done) break;
        ++failed;
        world.update();  // finds what systems did not start to track
        if (alive(world).size() == count) continue;
        for (const Entity e : alive(world)) EXPECT_EQ(world.has<Place>(e), arrival.tracks(e)) << k;
    }
    EXPECT_GT(failed, 20);
}

}  // namespace
}  // namespace crateful::test_state_merge
