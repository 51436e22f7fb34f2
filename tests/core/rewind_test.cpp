// Recording frames, and going back and forth between them (rule N7).
#include "crateful/rewind.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "crateful/changes.hpp"
#include "crateful/detail/recording.hpp"
#include "crateful/ecs.hpp"
#include "crateful/state.hpp"
#include "failing_memory.hpp"

namespace crateful::test_rewind {
namespace {

using Bytes = std::vector<std::byte>;

struct Place {
    float x = 0;
    float y = 0;
    int hidden = 7;  // not described
};
struct Life {
    std::int32_t points = 3;
};
struct Named {
    String name;
};
struct Route {
    std::vector<std::uint8_t> stops;
};
struct Mesh {  // owns memory, and is not recorded
    std::string file;
};
struct Level {  // linear
    std::uint16_t value = 0;
};
struct Hit {
    static constexpr std::string_view type_name = "rewind.Hit";
    std::int32_t points = 0;
};
struct Nameless {
    int x = 0;
};

Bytes encode_route(const Route& route) {
    const auto bytes = std::as_bytes(std::span(route.stops));
    return {bytes.begin(), bytes.end()};
}
Route decode_route(std::span<const std::byte> bytes) {
    Route route;
    for (const std::byte b : bytes) route.stops.push_back(static_cast<std::uint8_t>(b));
    return route;
}

void describe_all() {
    describe_component<Place>("rewind.Place").field("x", &Place::x).field("y", &Place::y);
    describe_component<Life>("rewind.Life").field("points", &Life::points);
    describe_component<Named>("rewind.Named").field("name", &Named::name);
    describe_component<Route>("rewind.Route").codec<encode_route, decode_route>();
    describe_component<Mesh>("rewind.Mesh");
}

struct Watcher : System<> {
    Watcher() {
        require<Place>();
        watch<Place>();
    }
    void on_add(Aspect& aspect) override { log.push_back("+" + std::to_string(index_of(aspect.entity()))); }
    void on_remove(Aspect& aspect) override { log.push_back("-" + std::to_string(index_of(aspect.entity()))); }
    void update(double, Entities&, Dirty& dirty) override {
        for (const Entity e : dirty) log.push_back("d" + std::to_string(index_of(e)));
    }
    std::vector<std::string> log;
};

struct World {
    World() { describe_all(); }
    // Sets x in a frame.
    void frame(Entity e, float x) {
        ecs.modify<Place>(e, [&](Place& place) { place.x = x; });
        ecs.update();
    }
    [[nodiscard]] float x(Entity e) { return ecs.get<Place>(e).x; }
    ECS ecs;
};

/// Whether it throws `std::bad_alloc` with so many allocations that succeed.
template <class F>
bool fails(int allocations, F&& f) {
    bool failed = false;
    test::allocations_left = allocations;
    try {
        f();
    } catch (const std::bad_alloc&) {
        failed = true;
    }
    test::allocations_left = -1;
    return failed;
}

TEST(Rewind, N7_goes_to_the_state_after_an_update_back_and_forth) {
    World world;
    const Entity e = world.ecs.add_entity(Place{1, 2});
    Rewind rewind(world.ecs);
    for (float x = 1; x <= 9; ++x) world.frame(e, x);
    EXPECT_EQ(rewind.oldest(), 0);
    EXPECT_EQ(rewind.newest(), 9);
    for (const double frame : {4, 8, 9, 0, 1, 9, 3}) {
        rewind.to(frame);
        EXPECT_EQ(world.ecs.clock().frame(), frame);
        EXPECT_EQ(world.x(e), frame == 0 ? 1 : static_cast<float>(frame));
        EXPECT_EQ(rewind.newest(), 9);
    }
}

TEST(Rewind, N7_continuing_from_an_earlier_frame_discards_the_later_ones) {
    World world;
    const Entity e = world.ecs.add_entity(Place{});
    Rewind rewind(world.ecs);
    for (float x = 1; x <= 9; ++x) world.frame(e, x);
    rewind.to(3);
    world.frame(e, 40);
    EXPECT_EQ(rewind.newest(), 4);
    rewind.to(3);
    EXPECT_EQ(world.x(e), 3);
    rewind.to(4);
    EXPECT_EQ(world.x(e), 40);
}

/// A debug system, which also runs while the ECS is paused.
struct Drawer : System<> {
    Drawer() : System(false, true) { require<Place>(); }
    void update(double, Entities& entities, Dirty&) override {
        ++runs;
        if (!writes) return;
        for (const auto& [e, aspect] : entities) ecs().modify<Life>(e, [](Life& life) { ++life.points; });
    }
    int runs = 0;
    bool writes = false;
};

TEST(Rewind, N7_updates_of_a_paused_ECS_that_shows_an_earlier_frame_keep_the_later_ones) {
    World world;
    const Entity e = world.ecs.add_entity(Place{}, Life{0});
    Drawer& drawer = world.ecs.add_system<Drawer>(1);
    Rewind rewind(world.ecs);
    for (float x = 1; x <= 9; ++x) world.frame(e, x);
    rewind.show(3);
    EXPECT_TRUE(world.ecs.paused());
    drawer.writes = true;
    const int runs = drawer.runs;
    for (int i = 0; i < 5; ++i) {
        world.ecs.update();
        EXPECT_EQ(world.ecs.clock().frame(), 3);
    }
    EXPECT_EQ(drawer.runs, runs + 5);
    EXPECT_EQ(world.ecs.get<Life>(e).points, 5);
    EXPECT_EQ(rewind.newest(), 9);
    rewind.to(8);
    EXPECT_EQ(world.x(e), 8);
    EXPECT_EQ(world.ecs.get<Life>(e).points, 0) << "what happened during the pause is lost";
    rewind.show(3);
    world.ecs.update();
    world.ecs.set_paused(false);
    drawer.writes = false;
    world.frame(e, 40);
    EXPECT_EQ(world.ecs.clock().frame(), 4);
    EXPECT_EQ(rewind.newest(), 4) << "continuing discards the later ones";
    EXPECT_EQ(world.ecs.get<Life>(e).points, 1) << "and keeps what has happened during the pause";
    rewind.to(0);
    rewind.to(4);
    EXPECT_EQ(world.x(e), 40);
    EXPECT_EQ(world.ecs.get<Life>(e).points, 1);
}

TEST(Rewind, N7_updates_of_a_paused_ECS_that_shows_the_newest_frame_belong_to_it) {
    World world;
    const Entity e = world.ecs.add_entity(Place{}, Life{0});
    Drawer& drawer = world.ecs.add_system<Drawer>(1);
    Rewind rewind(world.ecs);
    for (float x = 1; x <= 3; ++x) world.frame(e, x);
    rewind.show(3);
    drawer.writes = true;
    for (int i = 0; i < 5; ++i) {
        world.ecs.update();
        EXPECT_EQ(world.ecs.clock().frame(), 3);
        EXPECT_EQ(rewind.newest(), 3);
    }
    EXPECT_EQ(world.ecs.get<Life>(e).points, 5);
    rewind.show(3);
    EXPECT_EQ(world.ecs.get<Life>(e).points, 0) << "what happened during the pause is lost";
    world.ecs.update();
    world.ecs.set_paused(false);
    drawer.writes = false;
    world.frame(e, 4);
    EXPECT_EQ(world.ecs.clock().frame(), 4);
    EXPECT_EQ(rewind.newest(), 4);
    rewind.to(3);
    rewind.to(4);
    EXPECT_EQ(world.x(e), 4);
    EXPECT_EQ(world.ecs.get<Life>(e).points, 1) << "what happened during the pause belongs to the next frame";
}

TEST(Rewind, N7_a_recording_that_starts_anew_shows_no_frame) {
    World world;
    const Entity e = world.ecs.add_entity(Place{});
    Rewind rewind(world.ecs);
    for (float x = 1; x <= 3; ++x) world.frame(e, x);
    rewind.show(3);
    restore(world.ecs, snapshot(world.ecs));
    world.ecs.update();
    world.ecs.update();
    EXPECT_EQ(world.ecs.clock().frame(), 5);
    EXPECT_EQ(rewind.newest(), 5);
}

TEST(Rewind, N7_callbacks_find_the_frames_that_are_recorded) {
    struct Asks : Watcher {
        void on_add(Aspect& aspect) override { ask(aspect); }
        void on_remove(Aspect& aspect) override { ask(aspect); }
        void ask(const Aspect&) {
            if (rewind != nullptr) seen.push_back({rewind->oldest(), rewind->newest()});
        }
        Rewind* rewind = nullptr;
        std::vector<std::pair<double, double>> seen;
    };
    World world;
    Asks& asks = world.ecs.add_system<Asks>(0);
    Rewind rewind(world.ecs);
    const Entity e = world.ecs.add_entity(Place{});
    for (float x = 1; x <= 3; ++x) world.frame(e, x);
    asks.rewind = &rewind;
    rewind.to(0);  // removes the entity
    rewind.to(2);
    EXPECT_EQ(asks.seen, (std::vector<std::pair<double, double>>{{0, 3}, {0, 3}}));
}

TEST(Rewind, N7_updates_of_a_paused_ECS_are_frames_like_others_unless_it_shows_one) {
    World world;
    const Entity e = world.ecs.add_entity(Place{});
    Rewind first(world.ecs);
    Rewind second(world.ecs);
    for (float x = 1; x <= 3; ++x) world.frame(e, x);
    world.ecs.set_paused(true);
    world.ecs.update();
    EXPECT_EQ(first.newest(), 4);
    first.to(2);
    world.ecs.set_paused(true);
    world.ecs.update();  // continues
    EXPECT_EQ(first.newest(), 3);
    for (float x = 4; x <= 6; ++x) world.frame(e, x);
    first.show(2);
    for (int i = 0; i < 3; ++i) world.ecs.update();
    EXPECT_EQ(first.newest(), 6);
    // The other one started anew; its numbers are those of the frames.
    world.ecs.set_paused(false);
    world.frame(e, 7);
    EXPECT_EQ(world.ecs.clock().frame(), 3);
    EXPECT_EQ(first.newest(), 3);
    EXPECT_EQ(second.newest(), 3);
    world.frame(e, 8);
    second.to(3);
    EXPECT_EQ(world.x(e), 7);
}

TEST(Rewind, N7_a_frame_that_is_not_recorded_is_an_error_and_changes_nothing) {
    World world;
    const Entity e = world.ecs.add_entity(Place{});
    world.ecs.update();
    Rewind rewind(world.ecs);
    for (float x = 1; x <= 3; ++x) world.frame(e, x);
    for (const double frame : {0.0, 5.0, -1.0, 2.5, 1e300, std::nan("")}) {
        try {
            rewind.to(frame);
            FAIL();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::bad_argument);
            EXPECT_NE(std::string(error.what()).find("choose one from 1 to 4"), std::string::npos) << error.what();
        }
    }
    EXPECT_EQ(world.x(e), 3);
    EXPECT_EQ(world.ecs.clock().frame(), 4);
}

TEST(Rewind, N7_what_was_changed_outside_of_an_update_belongs_to_the_next_frame) {
    World world;
    const Entity e = world.ecs.add_entity(Place{});
    Rewind rewind(world.ecs);
    world.frame(e, 1);
    world.ecs.modify<Place>(e, [](Place& place) { place.x = 50; });
    world.ecs.update();
    rewind.to(1);
    EXPECT_EQ(world.x(e), 1);
    rewind.to(2);
    EXPECT_EQ(world.x(e), 50);
    world.ecs.modify<Place>(e, [](Place& place) { place.x = 60; });
    const Entity other = world.ecs.add_entity(Life{});
    rewind.to(2);  // since the last update
    EXPECT_EQ(world.x(e), 50);
    EXPECT_FALSE(world.ecs.alive(other));
}

TEST(Rewind, N7_only_what_differs_is_dirty_and_entities_that_stay_keep_their_aspects) {
    World world;
    auto& watcher = world.ecs.add_system<Watcher>(0);
    std::vector<Entity> all;
    for (int k = 0; k < 5; ++k) all.push_back(world.ecs.add_entity(Place{}));
    world.ecs.update();
    Rewind rewind(world.ecs);
    world.frame(all[1], 1);
    world.ecs.remove_entity(all[2]);
    world.ecs.remove<Place>(all[3]);
    world.frame(all[0], 1);
    const Entity added = world.ecs.add_entity(Place{});
    world.frame(all[0], 2);
    watcher.log.clear();
    rewind.to(1);
    world.ecs.update();
    const std::vector<std::string> expected{"-" + std::to_string(index_of(added)), "+3", "+4", "d1", "d2", "d3", "d4"};
    EXPECT_EQ(watcher.log, expected);
    EXPECT_TRUE(world.ecs.alive(all[2]));
    EXPECT_FALSE(world.ecs.alive(added));
}

TEST(Rewind, N7_members_that_are_not_described_stay_with_entities_that_stay) {
    World world;
    const Entity e = world.ecs.add_entity(Place{1, 2, 99});
    const Entity removed = world.ecs.add_entity(Place{1, 2, 98});
    Rewind rewind(world.ecs);
    world.ecs.remove_entity(removed);
    world.frame(e, 5);
    rewind.to(0);
    EXPECT_EQ(world.ecs.get<Place>(e).hidden, 99);
    EXPECT_EQ(world.ecs.get<Place>(removed).hidden, 7);  // its default
}

TEST(Rewind, N7_the_ring_drops_the_oldest_frames) {
    World world;
    std::vector<Entity> all = world.ecs.add_entities(100);
    for (const Entity e : all) world.ecs.add(e, Place{});
    Rewind rewind(world.ecs, {.bytes = 20'000});
    for (int frame = 1; frame <= 100; ++frame) {
        world.ecs.query<Place>().change([&](Place& place) { place.x = static_cast<float>(frame); });
        world.ecs.update();
        EXPECT_EQ(rewind.newest(), frame);
    }
    EXPECT_GT(rewind.oldest(), 80);
    EXPECT_LT(rewind.oldest(), 96);
    const double oldest = rewind.oldest();
    rewind.to(oldest);
    EXPECT_EQ(world.x(all[99]), oldest);
    rewind.to(100);
    EXPECT_EQ(world.x(all[0]), 100);
}

TEST(Rewind, N7_show_pauses_also_if_a_callback_throws) {
    struct Throws : System<> {
        Throws() { require<Place>(); }
        void on_add(Aspect& /*aspect*/) override {
            if (on) throw std::runtime_error("in on_add");
        }
        bool on = false;
    };
    World world;
    const Entity e = world.ecs.add_entity(Place{});
    auto& throws = world.ecs.add_system<Throws>(0);
    Rewind rewind(world.ecs);
    world.frame(e, 1);
    world.ecs.remove<Place>(e);
    world.ecs.update();
    throws.on = true;
    EXPECT_THROW(rewind.show(1), std::runtime_error);
    EXPECT_TRUE(world.ecs.paused());
    world.ecs.update();
    EXPECT_EQ(world.ecs.clock().frame(), 1);
    EXPECT_EQ(rewind.newest(), 2) << "the later frames remain";
    world.ecs.set_paused(false);
    EXPECT_THROW(rewind.show(9), Error);
    EXPECT_FALSE(world.ecs.paused()) << "nothing has changed";
}

TEST(Rewind, N7_seconds_drop_the_frames_that_are_not_needed_to_go_back_as_far) {
    World world;
    const Entity e = world.ecs.add_entity(Place{});
    Rewind rewind(world.ecs, {.seconds = 1});
    const auto update = [&](double delta) {
        world.ecs.modify<Place>(e, [](Place& place) { place.x += 1; });
        world.ecs.update(delta);
    };
    for (int frame = 1; frame <= 4; ++frame) update(0.25);
    EXPECT_EQ(rewind.oldest(), 0) << "a second ago";
    update(0.25);
    EXPECT_EQ(rewind.oldest(), 1);
    world.ecs.set_paused(true);  // wall time passes
    update(0.125);
    EXPECT_EQ(rewind.oldest(), 1);
    update(0);
    EXPECT_EQ(rewind.oldest(), 1);
    update(5);
    EXPECT_EQ(rewind.oldest(), 7) << "the last one is long ago";
    EXPECT_EQ(rewind.newest(), 8);
    rewind.to(7);
    EXPECT_EQ(world.x(e), 7);
    update(0.5);  // from there
    EXPECT_EQ(rewind.oldest(), 7);
    update(0.5);
    EXPECT_EQ(rewind.oldest(), 7);
    update(0.5);
    EXPECT_EQ(rewind.oldest(), 8);
    for (const double wrong : {-1.0, std::numeric_limits<double>::quiet_NaN()})
        EXPECT_THROW(Rewind(world.ecs, {.seconds = wrong}), Error);
    Rewind none(world.ecs, {.seconds = 0});
    update(0.25);
    EXPECT_EQ(none.oldest(), none.newest());
}

TEST(Rewind, N7_bytes_of_a_frame_are_those_that_the_ring_needs_for_it) {
    World world;
    const std::vector<Entity> all = world.ecs.add_entities(100);
    for (const Entity e : all) world.ecs.add(e, Place{});
    Rewind rewind(world.ecs, {.bytes = 20'000});
    for (int frame = 1; frame <= 40; ++frame) {
        world.ecs.query<Place>().change([&](Place& place) { place.x = static_cast<float>(frame); });
        world.ecs.update();
    }
    const auto total = [&] {
        std::size_t bytes = 0;
        for (double frame = rewind.oldest() + 1; frame <= rewind.newest(); ++frame) bytes += rewind.bytes_of(frame);
        return bytes;
    };
    EXPECT_LE(total(), 20'000u);
    EXPECT_GT(total() + rewind.bytes_of(rewind.newest()), 20'000u) << "there was no room for another one";
    world.ecs.update();
    EXPECT_LT(rewind.bytes_of(41), rewind.bytes_of(40));
    rewind.to(39);
    EXPECT_LT(rewind.bytes_of(41), rewind.bytes_of(40)) << "later frames, too";
    for (const double wrong : {rewind.oldest(), rewind.oldest() - 1, 42.0, 40.5, -1.0}) {
        try {
            static_cast<void>(rewind.bytes_of(wrong));
            ADD_FAILURE() << wrong;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::bad_argument);
            EXPECT_NE(std::string(error.what()).find("bytes_of: frame "), std::string::npos);
        }
    }
}

TEST(Rewind, N7_the_ring_allocates_no_more_than_its_bytes) {
    constexpr std::size_t LIMIT = 1 << 20;
    World world;
    for (int i = 0; i < 1000; ++i) world.ecs.add_entity(Place{});
    const auto play = [&](int n) {
        while (n-- > 0) {
            world.ecs.query<Place>().change([&](Place& place) { place.x += 1; });
            world.ecs.update();
        }
    };
    Rewind rewind(world.ecs, {.bytes = LIMIT});
    play(2);
    const std::size_t before = test::allocated_bytes;
    play(400);
    EXPECT_GT(rewind.oldest(), 100) << "it is full";
    EXPECT_LT(test::allocated_bytes - before, LIMIT + LIMIT / 20);
}

TEST(Rewind, N7_a_frame_that_is_larger_than_the_ring_empties_it) {
    World world;
    const Entity e = world.ecs.add_entity(Place{});
    Rewind rewind(world.ecs, {.bytes = 2'000});
    world.frame(e, 1);
    world.frame(e, 2);
    EXPECT_EQ(rewind.oldest(), 0);
    for (int k = 0; k < 200; ++k) world.ecs.add_entity(Place{});
    world.frame(e, 3);
    EXPECT_EQ(rewind.oldest(), 3);
    EXPECT_EQ(rewind.newest(), 3);
    world.frame(e, 4);
    rewind.to(3);
    EXPECT_EQ(world.x(e), 3);
}

TEST(Rewind, N7_it_continues_when_a_system_is_added_and_removed_and_restoring_starts_it_anew) {
    World world;
    const Entity e = world.ecs.add_entity(Place{});
    Rewind rewind(world.ecs);
    world.frame(e, 1);
    const Bytes saved = snapshot(world.ecs);
    auto& watcher = world.ecs.add_system<Watcher>(0);
    EXPECT_EQ(rewind.oldest(), 0);
    world.frame(e, 2);
    rewind.to(1);
    EXPECT_EQ(world.x(e), 1);
    rewind.to(2);
    EXPECT_EQ(world.x(e), 2);
    world.ecs.remove_system(watcher);
    world.frame(e, 3);
    EXPECT_EQ(rewind.oldest(), 0);
    rewind.to(0);
    EXPECT_EQ(world.x(e), 0);
    rewind.to(3);
    EXPECT_EQ(world.x(e), 3);
    restore(world.ecs, saved);
    EXPECT_EQ(rewind.oldest(), 1);
    EXPECT_EQ(rewind.newest(), 1);
    world.frame(e, 9);
    rewind.to(1);
    EXPECT_EQ(world.x(e), 1);
}

TEST(Rewind, N7_a_class_that_is_used_later_and_clear_are_changes_like_others) {
    World world;
    const Entity e = world.ecs.add_entity(Place{1, 0});
    Rewind rewind(world.ecs);
    world.ecs.add(e, Life{});
    world.ecs.update();
    world.ecs.clear();
    world.ecs.update();
    EXPECT_EQ(world.ecs.count(), 0u);
    rewind.to(1);
    EXPECT_EQ(world.ecs.get<Life>(e).points, 3);
    rewind.to(0);
    EXPECT_FALSE(world.ecs.has<Life>(e));
    EXPECT_EQ(world.x(e), 1);
    rewind.to(2);
    EXPECT_FALSE(world.ecs.alive(e));
}

TEST(Rewind, N7_texts_that_nothing_else_contains_are_kept) {
    World world;
    const Entity e = world.ecs.add_entity(Named{world.ecs.string("first")});
    Rewind rewind(world.ecs);
    world.ecs.by_id().strings().slack(0);
    for (int frame = 1; frame <= 50; ++frame) {
        world.ecs.set<Named>(e, {world.ecs.string("text " + std::to_string(frame))});
        for (int k = 0; k < 20; ++k) static_cast<void>(world.ecs.string("other " + std::to_string(frame * 100 + k)));
        world.ecs.update();
    }
    rewind.to(7);
    EXPECT_EQ(world.ecs.text(world.ecs.get<Named>(e).name), "text 7");
    rewind.to(0);
    EXPECT_EQ(world.ecs.text(world.ecs.get<Named>(e).name), "first");
    rewind.to(50);
    EXPECT_EQ(world.ecs.text(world.ecs.get<Named>(e).name), "text 50");
}

TEST(Rewind, N7_texts_of_frames_that_were_dropped_are_freed) {
    World world;
    const Entity e = world.ecs.add_entity(Named{});
    Rewind rewind(world.ecs, {.bytes = 5'000});
    for (int frame = 1; frame <= 20'000; ++frame) {
        world.ecs.set<Named>(e, {world.ecs.string("text " + std::to_string(frame))});
        world.ecs.update();
    }
    EXPECT_LT(world.ecs.by_id().strings().end(), 5000u);
    const double oldest = rewind.oldest();
    rewind.to(oldest);
    EXPECT_EQ(world.ecs.text(world.ecs.get<Named>(e).name), "text " + std::to_string(static_cast<int>(oldest)));
}

TEST(Rewind, N7_values_of_a_codec_and_classes_that_are_left_out) {
    World world;
    const Entity e = world.ecs.add_entity(Route{{1, 2}}, Mesh{"a file whose name is long enough for the heap"});
    Rewind rewind(world.ecs, {.without = {"rewind.Mesh"}});
    world.ecs.modify<Route>(e, [](Route& route) { route.stops = {3}; });
    world.ecs.update();
    world.ecs.remove<Route>(e);
    const Entity other = world.ecs.add_entity(Route{{9}}, Mesh{"another file whose name is long enough for the heap"});
    world.ecs.update();
    rewind.to(1);
    EXPECT_EQ(world.ecs.get<Route>(e).stops, (std::vector<std::uint8_t>{3}));
    EXPECT_EQ(world.ecs.get<Mesh>(e).file, "a file whose name is long enough for the heap");
    EXPECT_FALSE(world.ecs.alive(other));
    rewind.to(0);
    EXPECT_EQ(world.ecs.get<Route>(e).stops, (std::vector<std::uint8_t>{1, 2}));
    rewind.to(2);
    EXPECT_FALSE(world.ecs.has<Route>(e));
    EXPECT_EQ(world.ecs.get<Route>(other).stops, (std::vector<std::uint8_t>{9}));
    EXPECT_FALSE(world.ecs.has<Mesh>(other));  // it was not recorded
}

TEST(Rewind, N7_what_cannot_be_recorded_is_an_error_that_names_it) {
    World world;
    const Entity e = world.ecs.add_entity(Mesh{"file"});
    try {
        const Rewind rewind(world.ecs);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::bad_argument);
        EXPECT_NE(std::string(error.what()).find("rewind.Mesh"), std::string::npos) << error.what();
    }
    world.ecs.remove<Mesh>(e);
    Rewind rewind(world.ecs);
    world.ecs.add(e, Mesh{"file"});
    world.ecs.update();  // is not disturbed
    EXPECT_THROW(rewind.to(0), Error);
    world.ecs.remove<Mesh>(e);
    world.ecs.update();
    world.ecs.update();
    EXPECT_EQ(rewind.oldest(), 2);
    rewind.to(2);
    world.ecs.events.dispatch(Nameless{1}, 5);
    world.ecs.update();
    try {
        static_cast<void>(rewind.oldest());
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find("Rewind: an event of "), 0u) << error.what();
    }
}

TEST(Rewind, N7_events_that_wait_are_a_part_of_it) {
    World world;
    std::vector<std::int32_t> received;
    world.ecs.events.subscribe<Hit>([&](const Hit& hit) { received.push_back(hit.points); });
    Rewind rewind(world.ecs);
    world.ecs.events.dispatch(Hit{1}, 0.05);
    world.ecs.update(0.02);
    world.ecs.update(0.02);
    world.ecs.update(0.02);
    ASSERT_EQ(received, (std::vector<std::int32_t>{1}));
    rewind.to(2);
    world.ecs.update(0.02);
    EXPECT_EQ(received, (std::vector<std::int32_t>{1, 1}));
    rewind.to(0);
    for (int k = 0; k < 5; ++k) world.ecs.update(0.02);
    EXPECT_EQ(received, (std::vector<std::int32_t>{1, 1}));
}

TEST(Rewind, N7_it_cannot_be_called_in_an_update_or_a_callback) {
    World world;
    const Entity e = world.ecs.add_entity(Place{});
    Rewind rewind(world.ecs);
    world.frame(e, 1);
    ErrorCode code{};
    world.ecs.add_system(0, "Calls", [&](ECS&, double) {
        try {
            rewind.to(0);
        } catch (const Error& error) {
            code = error.code();
        }
    });
    world.ecs.update();
    EXPECT_EQ(code, ErrorCode::reentrant_update);
}

TEST(Rewind, N7_an_iteration_that_has_not_ended_is_an_error_and_nothing_is_lost) {
    World world;
    const Entity e = world.ecs.add_entity(Place{});
    Rewind rewind(world.ecs);
    world.frame(e, 1);
    const Entity other = world.ecs.add_entity(Place{4, 0});
    {
        const auto query = world.ecs.query<Place>();
        auto row = query.begin();
        EXPECT_THROW(rewind.to(0), Error);
    }
    EXPECT_EQ(world.x(e), 1);
    EXPECT_EQ(world.x(other), 4);
    world.ecs.update();
    rewind.to(1);
    EXPECT_FALSE(world.ecs.alive(other));
    rewind.to(2);
    EXPECT_EQ(world.x(other), 4);
}

TEST(Rewind, N7_an_iteration_over_what_a_system_tracks_is_an_error_if_its_order_would_change) {
    struct Plain : System<> {
        Plain() { require<Place>(exclude<Life>); }
        void update(double, Entities& tracked, Dirty&) override { entities = &tracked; }
        Entities* entities = nullptr;
        std::vector<Entity> order() {
            std::vector<Entity> all;
            for (const auto& [e, aspect] : *entities) all.push_back(e);
            return all;
        }
    };
    World world;
    auto& plain = world.ecs.add_system<Plain>(0);
    for (int i = 0; i < 8; ++i) world.ecs.add_entity(Place{});
    Rewind rewind(world.ecs);
    world.ecs.update();
    const std::vector<Entity> all = plain.order();
    const auto leave_and_return = [&](Entity e) {
        world.ecs.add<Life>(e);
        world.ecs.remove<Life>(e);
    };
    leave_and_return(all[2]);
    world.ecs.update();
    const double frame = world.ecs.clock().frame();
    for (const std::size_t i : {7u, 2u, 7u}) leave_and_return(all[i]);
    world.ecs.update();
    const std::vector<Entity> order = plain.order();
    std::vector<Entity> visited;
    for (const auto& [e, aspect] : *plain.entities) {
        visited.push_back(e);
        if (visited.size() == 3) {
            EXPECT_THROW(rewind.to(frame), Error);
        }
    }
    EXPECT_EQ(visited, order);
    rewind.to(frame);
    EXPECT_NE(plain.order(), order);
}

// The call that throws has found what the call before it has removed; the next one finds it once more.
TEST(Rewind, N7_after_a_call_that_throws_components_that_it_has_removed_before_are_found_to_be_removed) {
    World world;
    const Entity a = world.ecs.add_entity(Place{1, 0});
    const Entity b = world.ecs.add_entity();
    Rewind rewind(world.ecs);
    world.frame(a, 2);
    world.ecs.add(a, Life{});
    world.frame(a, 3);
    world.ecs.add(b, Place{9, 0});
    world.frame(a, 4);
    rewind.to(2);  // removes the component of b
    {
        const auto query = world.ecs.query<Life>();
        auto row = query.begin();
        EXPECT_THROW(rewind.to(1), Error);
    }
    for (const double frame : {1, 3, 2, 0, 3}) {
        rewind.to(frame);
        EXPECT_EQ(world.x(a), frame + 1);
        EXPECT_EQ(world.ecs.has<Place>(b), frame == 3);
        EXPECT_EQ(world.ecs.has<Life>(a), frame >= 2);
    }
    EXPECT_EQ(world.x(b), 9);
}

TEST(Rewind, N7_after_a_call_that_throws_an_entity_with_a_new_generation_is_found_once_more) {
    World world;
    const Entity a = world.ecs.add_entity(Place{1, 0});
    Rewind rewind(world.ecs);
    world.ecs.add(a, Life{});
    const Entity b = world.ecs.add_entity();
    world.frame(a, 2);
    world.ecs.remove_entity(b);
    world.ecs.remove_marked();
    const Entity again = world.ecs.add_entity();
    ASSERT_EQ(index_of(again), index_of(b));
    {
        const auto query = world.ecs.query<Life>();
        auto row = query.begin();
        EXPECT_THROW(rewind.to(0), Error);
    }
    rewind.to(1);
    EXPECT_TRUE(world.ecs.alive(b));
    EXPECT_FALSE(world.ecs.alive(again));
}

TEST(Rewind, N7_callbacks_cannot_change_the_ECS_and_what_they_throw_is_rethrown) {
    struct Callbacks : System<> {
        Callbacks() { require<Place>(); }
        void on_add(Aspect&) override {
            if (!active) return;
            try {
                static_cast<void>(ecs().add_entity());
            } catch (const Error&) {
                ++refused;
            }
            throw std::runtime_error("on_add");
        }
        void update(double) override {}
        bool active = false;
        int refused = 0;
    };
    World world;
    auto& system = world.ecs.add_system<Callbacks>(0);
    const Entity e = world.ecs.add_entity(Place{3, 0});
    Rewind rewind(world.ecs);
    world.ecs.remove_entity(e);
    world.ecs.update();
    system.active = true;
    EXPECT_THROW(rewind.to(0), std::runtime_error);
    EXPECT_EQ(system.refused, 1);
    EXPECT_EQ(world.x(e), 3);
    EXPECT_EQ(world.ecs.clock().frame(), 0);
}

TEST(Rewind, N7_several_record_independently_and_one_that_goes_back_starts_the_others_anew) {
    World world;
    const Entity e = world.ecs.add_entity(Place{});
    Rewind first(world.ecs);
    world.frame(e, 1);
    auto second = std::make_unique<Rewind>(world.ecs);
    Rewind third(world.ecs);
    world.frame(e, 2);
    EXPECT_EQ(second->oldest(), 1);
    second->to(1);
    EXPECT_EQ(first.oldest(), 1);
    EXPECT_EQ(first.newest(), 1);
    EXPECT_EQ(second->newest(), 2);
    second.reset();
    world.frame(e, 5);
    first.to(1);
    EXPECT_EQ(world.x(e), 1);
    EXPECT_EQ(third.oldest(), 1);
}

// In the frame to which it goes, the index was not used yet.
TEST(Rewind, N7_an_entity_with_a_new_index_has_nothing_of_the_one_that_had_it_before) {
    for (const bool restores : {false, true}) {
        World world;
        describe_component<Level>("rewind.Level").field("value", &Level::value).policy(Policy::linear);
        Rewind rewind(world.ecs);
        const Bytes before = snapshot(world.ecs);
        const Entity e = world.ecs.add_entity(Life{}, Level{});
        world.ecs.update();
        world.ecs.remove_entity(e);
        world.ecs.update();
        if (restores) restore(world.ecs, before);
        else rewind.to(0);
        const Entity again = world.ecs.prefab(Place{}).spawn(std::size_t{2})[0];
        EXPECT_FALSE(world.ecs.has<Life>(again));
        EXPECT_FALSE(world.ecs.has<Level>(again));
        EXPECT_TRUE(world.ecs.remove_entity(again));
        world.ecs.update();
        EXPECT_FALSE(world.ecs.alive(again));
        EXPECT_EQ(world.ecs.count(), 1u);
    }
}

// The slots of a linear storage are behind the indices in use then.
TEST(Rewind, N7_N2_loops_over_a_linear_storage_visit_what_exists) {
    for (const bool restores : {false, true}) {
        World world;
        describe_component<Level>("rewind.Level").field("value", &Level::value).policy(Policy::linear);
        Rewind rewind(world.ecs);
        const Entity first = world.ecs.add_entity(Level{1});
        world.ecs.add_entity(Level{2});
        world.ecs.update();
        const Bytes saved = snapshot(world.ecs);
        world.ecs.add_entity();
        const Entity last = world.ecs.add_entity(Level{4});
        world.ecs.remove_entity(first);
        world.ecs.remove_entity(last);
        world.ecs.update();
        if (restores) restore(world.ecs, saved);
        else rewind.to(1);
        std::vector<std::uint16_t> values;
        for (auto [e, level] : world.ecs.query<const Level>()) values.push_back(level.value);
        EXPECT_EQ(values, (std::vector<std::uint16_t>{1, 2}));
    }
}

TEST(Rewind, N7_N2_what_a_system_has_not_processed_yet_stays_dirty) {
    struct Draw : System<> {  // shows all entities
        Draw() {
            require<Place>();
            watch<Place>();
        }
        void update(double, Entities&, Dirty& dirty) override {
            for (const Entity e : dirty) shown[e] = ecs().get<Place>(e).x;
        }
        std::map<Entity, float> shown;
    };
    for (const bool restores : {false, true}) {
        World world;
        auto& draw = world.ecs.add_system<Draw>(0);
        const Entity a = world.ecs.add_entity(Place{});
        const Entity b = world.ecs.add_entity(Place{});
        Rewind rewind(world.ecs);
        std::vector<Bytes> saved;
        for (const Entity e : {a, a, b, b}) {
            world.frame(e, static_cast<float>(world.ecs.clock().frame()) + 1);
            saved.push_back(snapshot(world.ecs, {.systems = true}));
        }
        for (const std::size_t frame : {2u, 1u, 2u, 1u}) {
            if (restores) restore(world.ecs, saved[frame - 1]);
            else rewind.to(static_cast<double>(frame));
        }
        world.ecs.update();
        EXPECT_EQ(draw.shown[a], 1);
        EXPECT_EQ(draw.shown[b], 0);
    }
}

TEST(Rewind, N7_N5_a_selection_ends_with_its_entity_also_if_that_has_no_component) {
    World world;
    ECS other;
    Rewind rewind(world.ecs);
    Changes changes(world.ecs, {.components = {"rewind.Place"}});
    Receiver receiver = changes.receiver(Selection::selected);
    Replica replica(other);
    const Entity e = world.ecs.add_entity();
    world.ecs.update();
    receiver.select(e);
    replica.apply(receiver.take());
    rewind.to(0);
    replica.apply(receiver.take());
    EXPECT_EQ(world.ecs.add_entity(Place{}), e);  // another entity with its handle
    replica.apply(receiver.take());
    EXPECT_EQ(other.count(), 0u);
}

TEST(Rewind, N6_N7_a_replica_whose_own_ECS_goes_back_cannot_be_used_any_more) {
    for (const bool restores : {false, true}) {
        World world;
        ECS sender;
        Rewind rewind(world.ecs);
        const Bytes saved = snapshot(world.ecs);
        const Entity e = sender.add_entity(Place{1, 0});
        Changes changes(sender);
        Receiver receiver = changes.receiver();
        Replica replica(world.ecs);
        replica.apply(receiver.take());
        world.ecs.update();
        if (restores) restore(world.ecs, saved);
        else rewind.to(0);
        const Entity own = world.ecs.add_entity(Place{5, 0});  // with the handle of the copy
        EXPECT_EQ(replica.entity(e), NONE);
        EXPECT_EQ(replica.remote(own), NONE);
        sender.remove_entity(e);
        sender.update();
        EXPECT_THROW(replica.apply(receiver.take()), Error);
        EXPECT_THROW(replica.reset(), Error);
        EXPECT_EQ(world.x(own), 5);
        Receiver again = changes.receiver();
        Replica other(world.ecs);
        other.apply(again.take());
        EXPECT_EQ(world.x(own), 5);
    }
}

TEST(Rewind, N7_a_callback_can_destroy_it) {
    struct Destroys : System<> {
        Destroys() { require<Place>(); }
        void on_remove(Aspect&) override { rewind.reset(); }
        void update(double) override {}
        std::unique_ptr<Rewind> rewind;
    };
    World world;
    auto& system = world.ecs.add_system<Destroys>(0);
    system.rewind = std::make_unique<Rewind>(world.ecs);
    const Entity e = world.ecs.add_entity(Place{});
    world.ecs.update();
    system.rewind->to(0);
    EXPECT_FALSE(system.rewind);
    EXPECT_FALSE(world.ecs.alive(e));
    world.ecs.update();
}

TEST(Rewind, N7_it_can_be_destroyed_after_its_ECS) {
    auto world = std::make_unique<World>();
    const Entity e = world->ecs.add_entity(Place{}, Named{world->ecs.string("a text that is longer than the others")});
    Rewind rewind(world->ecs);
    auto other = std::make_unique<Rewind>(world->ecs);
    world->ecs.remove<Named>(e);
    world->frame(e, 1);
    world.reset();
    other.reset();
}

TEST(Rewind, N7_an_allocation_that_fails_changes_nothing) {
    const auto play = [](World& world, Rewind& rewind) {
        const Entity a = world.ecs.add_entity(Place{1, 0}, Named{world.ecs.string("a")}, Route{{1}});
        const Entity b = world.ecs.add_entity(Place{2, 0}, Life{});
        world.ecs.set_parent(b, a);
        world.ecs.update();
        world.ecs.remove_entity(a);
        world.ecs.add_entity(Life{}, Route{{4, 5}});
        world.ecs.update();
        EXPECT_EQ(rewind.newest(), 2);
    };
    struct Silent : System<> {  // creates no aspects, for which there could be no memory afterwards
        Silent() {
            require<Place>();
            watch<Place>();
        }
        void update(double, Entities&, Dirty&) override {}
    };
    for (int allowed = 0;; ++allowed) {
        World world;
        world.ecs.add_system<Silent>(0);
        Rewind rewind(world.ecs);
        play(world, rewind);
        const Bytes before = snapshot(world.ecs);
        const bool failed = fails(allowed, [&] { rewind.to(1); });
        if (!failed) {
            EXPECT_EQ(world.ecs.count(), 2u);
            EXPECT_GT(allowed, 10);
            break;
        }
        EXPECT_EQ(snapshot(world.ecs), before) << allowed;
        try {
            rewind.to(1);
            EXPECT_EQ(world.ecs.count(), 2u);
            rewind.to(2);
            EXPECT_EQ(snapshot(world.ecs), before) << allowed;
        } catch (const std::bad_alloc&) {  // the recording was lost, and begins again
            world.ecs.update();
            EXPECT_EQ(rewind.oldest(), 3);
        }
    }
}

TEST(Rewind, N7_an_update_that_cannot_be_recorded_for_lack_of_memory_begins_a_new_recording) {
    for (int allowed = 0; allowed < 60; ++allowed) {
        World world;
        Rewind rewind(world.ecs);
        const Entity e = world.ecs.add_entity(Place{}, Named{world.ecs.string("a")}, Route{{1}});
        static_cast<void>(fails(allowed, [&] { world.ecs.update(); }));
        world.ecs.update();
        const double first = std::max(rewind.oldest(), 1.0);  // 0 if there was memory
        world.frame(e, 9);
        rewind.to(first);
        EXPECT_EQ(world.x(e), 0);
    }
}

TEST(Rewind, N7_receivers_of_changes_and_sorted_queries_see_what_it_changes) {
    World world;
    ECS other;
    Replica replica(other);
    std::vector<Entity> all;
    for (int k = 0; k < 6; ++k) all.push_back(world.ecs.add_entity(Place{static_cast<float>(k), 0}));
    for (int k = 1; k < 4; ++k) world.ecs.set_parent(all[static_cast<std::size_t>(k)], all[0]);
    Changes changes(world.ecs);
    Receiver receiver = changes.receiver();
    Rewind rewind(world.ecs);
    const auto order = [&] {
        std::vector<Entity> found;
        for (auto [e, place] : world.ecs.query<const Place>(order_by(&Place::x))) found.push_back(e);
        return found;
    };
    const auto copied = [&] {
        replica.apply(receiver.take());
        for (const Entity e : all) {
            const Entity local = replica.entity(e);
            ASSERT_EQ(other.alive(local), world.ecs.alive(e) && world.ecs.has<Place>(e));
            if (!other.alive(local)) continue;
            EXPECT_EQ(other.get<Place>(local).x, world.x(e));
            std::vector<Entity> children;
            for (const Entity child : other.children(local)) children.push_back(replica.remote(child));
            std::vector<Entity> expected;
            for (const Entity child : world.ecs.children(e)) expected.push_back(child);
            EXPECT_EQ(children, expected);
        }
    };
    const std::vector<Entity> first = order();
    copied();
    world.ecs.set_parent(all[3], all[0], all[1]);
    world.ecs.remove_entity(all[5]);
    world.frame(all[4], -1);
    copied();
    EXPECT_NE(order(), first);
    rewind.to(0);
    copied();
    EXPECT_EQ(order(), first);
    rewind.to(1);
    copied();
    EXPECT_EQ(order().front(), all[4]);
}

TEST(Rewind, N7_values_that_have_changed_without_a_signal_can_be_found_after_an_update) {
    World world;
    describe_component<Level>("rewind.Level").field("value", &Level::value).policy(Policy::linear);
    ECS& ecs = world.ecs;
    internal::Recording recording(ecs, {.without = {"rewind.Life"}});
    const auto found = [&] {
        ecs.update();
        std::vector<std::string> texts;
        for (const auto& [cls, field, entity] : recording.unrecorded(1000))
            texts.push_back(cls + '.' + field + ' ' + std::to_string(index_of(entity)));
        return texts;
    };
    using Texts = std::vector<std::string>;
    const auto write = [&]<class T>(Entity e, T value) { ecs.storage<T>().at(ecs.storage<T>().slot(e)) = value; };
    const Entity removed = ecs.add_entity(Place{}, Level{});
    const Entity a = ecs.add_entity(Place{1, 2}, Named{ecs.string("a")}, Route{{1}}, Life{});
    const Entity b = ecs.add_entity(Place{3, 4}, Level{1});
    EXPECT_EQ(found(), Texts());
    ecs.remove_entity(removed);
    EXPECT_EQ(found(), Texts());

    write(b, Place{3, 5, 8});
    write(b, Level{2});
    write(a, Life{2});  // not recorded
    EXPECT_EQ(found(), (Texts{"rewind.Place.y 3", "rewind.Level.value 3"}));
    ecs.dirty<Place>(b);
    write(a, Place{1, 6});
    write(a, Named{ecs.string("b")});
    ecs.dirty<Level>(b);
    EXPECT_EQ(found(), (Texts{"rewind.Place.y 2", "rewind.Named.name 2"}));
    ecs.dirty<Place>(a);
    ecs.dirty<Named>(a);
    write(b, Place{4, 5});
    write(b, Place{3, 5, 1});  // what it was
    EXPECT_EQ(found(), Texts());

    write(b, Place{7, 5});
    EXPECT_EQ(found(), Texts{"rewind.Place.x 3"});
    restore(ecs, snapshot(ecs));  // starts the recording anew
    EXPECT_EQ(found(), Texts());
    ecs.clear();
    EXPECT_EQ(found(), Texts());
    ecs.add_entity(Mesh{});  // cannot be recorded
    EXPECT_EQ(found(), Texts());

    std::optional<ECS> other(std::in_place);
    other->add_entity(Place{});
    internal::Recording longer(*other, {});
    other.reset();
    EXPECT_TRUE(longer.unrecorded(1000).empty());
}

TEST(Rewind, N7_what_has_changed_without_a_signal_is_searched_in_parts) {
    World world;
    ECS& ecs = world.ecs;
    std::vector<Entity> all;
    for (int i = 0; i < 10; ++i) all.push_back(ecs.add_entity(Place{}));
    internal::Recording recording(ecs, {});
    ecs.update();
    std::vector<float*> values;
    for (const Entity e : all) {
        Place& place = ecs.storage<Place>().at(ecs.storage<Place>().slot(e));
        for (float* const value : {&place.x, &place.y}) values.push_back(value);
    }
    for (float* const value : values) {
        *value = 1;
        for (const std::size_t most : {std::size_t{1}, std::size_t{3}, std::size_t{64}}) {
            std::size_t found = 0;
            for (std::size_t checked = 0; checked < values.size(); checked += most) {
                ecs.update();
                found += recording.unrecorded(most).size();
            }
            EXPECT_GE(found, 1U) << most;
        }
        *value = 0;
    }
}

}  // namespace
}  // namespace crateful::test_rewind
