// Systems that only show the world (rule S18).
#include <stdexcept>
#include <string>
#include <vector>

#include "crateful/rewind.hpp"
#include "crateful/state.hpp"
#include "world.hpp"

namespace crateful::test_observer {
namespace {

using test::copy;
using test::Ids;
using Bytes = std::vector<std::byte>;

struct Place {
    float x = 0;
};
struct Hit {
    static constexpr std::string_view type_name = "observer.Hit";
    int points = 0;
};

struct Mover : System<> {
    Mover() {
        require<Place>();
        watch<Place>();
    }
    void update(double) override {
        for (auto [e, place] : ecs().query<Place>()) {
            place.x += 1;
            ecs().dirty<Place>(e);
        }
    }
};
struct Draw : System<> {
    explicit Draw(std::string called = "Draw") : called_(std::move(called)) {
        require<Place>();
        watch<Place>();
        observer();
    }
    [[nodiscard]] std::string name() const override { return called_; }
    void on_add(Aspect& a) override {
        ++adds;
        if (at_add) at_add(a.entity());
    }
    void on_remove(Aspect& a) override {
        if (at_remove) at_remove(a.entity());
    }
    void update(double, Entities&, Dirty& dirty) override {
        drawn = copy(dirty.ids());
        if (at_update) at_update();
    }
    std::string called_;
    Inbox<Hit> hits{*this};
    std::function<void(Entity)> at_add;
    std::function<void(Entity)> at_remove;
    std::function<void()> at_update;
    Ids drawn;
    int adds = 0;
};

class Observers : public testing::Test {
protected:
    Observers() { describe_component<Place>("observer.Place").field("x", &Place::x); }
    static Bytes save(ECS& ecs) { return snapshot(ecs, {.systems = true}); }
    ECS ecs;
};

}  // namespace

TEST_F(Observers, S18_observers_are_in_no_snapshot) {
    ECS without;
    for (ECS* each : {&ecs, &without}) {
        each->add_system<Mover>(1);
        each->add_entity(Place{2});
        each->update();
    }
    for (int i = 0; i < 2; ++i) ecs.add_system<Draw>(2);  // two with one name
    ecs.events.dispatch(Hit{1});
    ecs.add_system(3, "show", [](ECS&, double) {}, {.observer = true});
    EXPECT_EQ(save(ecs), save(without));
    restore(without, save(ecs));
    restore(ecs, save(without));
}

TEST_F(Observers, S18_a_snapshot_with_a_system_that_is_an_observer_now_is_restored_without_it) {
    struct Shown : Mover {
        [[nodiscard]] std::string name() const override { return "Draw"; }
    };
    ECS before;
    before.add_system<Shown>(1);
    before.add_entity(Place{2});
    ecs.add_system<Draw>(1);
    restore(ecs, save(before));
    EXPECT_EQ(ecs.storage<Place>().count(), 1u);
}

TEST_F(Observers, S18_after_a_state_was_restored_an_observer_finds_what_differs) {
    auto& draw = ecs.add_system<Draw>(1);
    const Entity same = ecs.add_entity(Place{1});
    const Entity moved = ecs.add_entity(Place{2});
    const Bytes saved = save(ecs);
    ecs.set<Place>(moved, {3});
    const Entity removed = ecs.add_entity(Place{4});
    ecs.update();
    EXPECT_EQ(draw.drawn, (Ids{same, moved, removed}));
    restore(ecs, saved);
    EXPECT_EQ(copy(draw.dirty_set().ids()), Ids{moved});
    EXPECT_FALSE(draw.tracks(removed));
    EXPECT_EQ(draw.adds, 3);
}

TEST_F(Observers, S18_a_recording_continues_when_observers_come_and_go) {
    ecs.add_system<Mover>(1);
    const Entity e = ecs.add_entity(Place{});
    Rewind rewind(ecs);
    for (int i = 0; i < 2; ++i) ecs.update();
    auto& draw = ecs.add_system<Draw>(2);
    for (int i = 0; i < 2; ++i) ecs.update();
    EXPECT_EQ(rewind.oldest(), 0);
    EXPECT_EQ(rewind.newest(), 4);
    rewind.to(1);
    EXPECT_EQ(ecs.get<Place>(e).x, 1);
    EXPECT_EQ(copy(draw.dirty_set().ids()), Ids{e});
    ecs.remove_system(draw);
    rewind.to(3);
    EXPECT_EQ(ecs.get<Place>(e).x, 3);
    EXPECT_EQ(rewind.newest(), 4);
}

TEST_F(Observers, S18_make_aspect_of_an_observer_cannot_change_the_world_also_if_it_is_called_later) {
    struct Shape : Aspect {};
    struct Shapes : System<Shape> {
        using System::entities;
        Shapes() {
            require<Place>();
            observer();
        }
        std::unique_ptr<Shape> make_aspect() override {
            if (++calls == 1) throw std::runtime_error("later");
            ecs().add_entity(Place{});
            return std::make_unique<Shape>();
        }
        void update(double, Entities&, Dirty&) override {}
        int calls = 0;
    };
    auto& shapes = ecs.add_system<Shapes>(1);
    Entity e = NONE;
    EXPECT_THROW(ecs.add(e = ecs.add_entity(), Place{}), std::runtime_error);
#ifndef NDEBUG
    EXPECT_THROW(static_cast<void>(shapes.entities().get(e)), Error);
    EXPECT_EQ(ecs.count(), 1u);
#endif
    EXPECT_GE(shapes.calls, 1);
}

TEST_F(Observers, S18_an_observer_cannot_be_exact) {
    struct Both : Draw {
        Both() { exact(); }
    };
    EXPECT_ERROR(ecs.add_system<Both>(1), ErrorCode::bad_system);
    EXPECT_TRUE(ecs.systems().empty());
}

TEST_F(Observers, S20_updates_in_a_replay_skip_observers_which_track_and_find_later_what_changed) {
    auto& mover = ecs.add_system<Mover>(1);
    auto& draw = ecs.add_system<Draw>(2);
    int shown = 0;
    ecs.add_system(3, "show", [&](ECS&, double) { ++shown; }, {.while_paused = true, .observer = true});
    const Entity e = ecs.add_entity(Place{});
    Rewind rewind(ecs);
    for (int i = 0; i < 3; ++i) ecs.update();
    draw.drawn.clear();
    Entity late = NONE;
    ecs.replay([&] {
        rewind.to(1);
        for (int i = 0; i < 2; ++i) ecs.update();
        late = ecs.add_entity(Place{});
        ecs.set_paused(true);
        ecs.update();
        ecs.set_paused(false);
    });
    EXPECT_EQ(ecs.get<Place>(e).x, 3);
    EXPECT_TRUE(draw.tracks(late));
    EXPECT_EQ(draw.adds, 2);
    EXPECT_EQ(draw.drawn, Ids{});
    EXPECT_EQ(shown, 3);
    ecs.run(draw);  // does not ask (rule S19)
    EXPECT_EQ(draw.drawn, (Ids{e, late}));
    ecs.replay([&] { ecs.run({&mover, &draw}); });
    EXPECT_EQ(draw.drawn, (Ids{e, late}));
    ecs.update();
    EXPECT_EQ(shown, 4);
}

TEST_F(Observers, S20_replaying_is_true_in_all_that_a_replay_calls_and_then_what_it_was) {
    std::vector<bool> seen;
    ecs.events.subscribe<Hit>([&](const Hit&) { seen.push_back(ecs.replaying()); });
    const auto hit = [&] { ecs.events.dispatch(Hit{1}); };
    hit();
    ecs.replay([&] {
        hit();
        ecs.replay(hit);
        EXPECT_THROW(ecs.replay([] { throw std::string("stop"); }), std::string);
        hit();
    });
    EXPECT_THROW(ecs.replay([] { throw std::string("stop"); }), std::string);
    hit();
    EXPECT_EQ(seen, (std::vector<bool>{false, true, true, true, false}));
    seen.clear();
    ecs.add_system(1, "replays", [&](ECS& all, double) { all.replay(hit); });  // inside of an update, too
    auto& draw = ecs.add_system<Draw>(2);
    const Entity e = ecs.add_entity(Place{});
    ecs.update();
    hit();
    EXPECT_EQ(seen, (std::vector<bool>{true, false}));
    EXPECT_EQ(draw.drawn, Ids{e}) << "the replay has ended";
    EXPECT_FALSE(ecs.replaying());
}

TEST_F(Observers, S20_V3_a_replay_empties_the_inboxes_of_observers_that_drop_and_does_not_count_for_their_interval) {
    struct Sounds : Draw {
        explicit Sounds(double seconds) { interval(seconds); }
        Inbox<Hit> dropped{*this, WhileSkipped::drop};
    };
    auto& sounds = ecs.add_system<Sounds>(1, 0.5);
    auto& game = ecs.add_system<Draw>(2);
    const auto frame = [&] {
        ecs.events.dispatch(Hit{1});
        ecs.update(0.25);
    };
    frame();
    EXPECT_EQ(sounds.dropped.size(), 1u) << "the interval is not due";
    ecs.replay([&] {
        for (int i = 0; i < 3; ++i) frame();
    });
    EXPECT_EQ(sounds.dropped.size(), 0u);
    EXPECT_EQ(sounds.hits.size(), 4u);
    EXPECT_EQ(game.hits.size(), 4u);
    int runs = 0;
    sounds.at_update = [&] { ++runs; };
    frame();
    EXPECT_EQ(runs, 1);
}

#ifndef NDEBUG
TEST_F(Observers, S18_what_changes_the_world_in_an_observer_is_an_error_without_NDEBUG) {
    auto& draw = ecs.add_system<Draw>(1);
    const Entity e = ecs.add_entity(Place{1});
    int refused = 0;
    const auto refuses = [&](auto&& call) {
        try {
            call();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::bad_system);
            EXPECT_NE(std::string(error.what()).find("Draw is an observer"), std::string::npos) << error.what();
            ++refused;
        }
    };
    const auto changes = [&] {
        refuses([&] { ecs.add_entity(); });
        refuses([&] { ecs.add_entity(Place{}); });
        refuses([&] { ecs.add(e, Hit{}); });
        refuses([&] { ecs.add(e, Hit{}, Place{}); });
        refuses([&] { ecs.set<Place>(e, {9}); });
        refuses([&] { ecs.modify<Place>(e, [](Place& place) { place.x = 9; }); });
        refuses([&] { ecs.dirty<Place>(e); });
        refuses([&] { ecs.dirty<Place>(std::span(&e, 1)); });
        refuses([&] { ecs.query<Place>().change([](Place& place) { place.x = 9; }); });
        refuses([&] { ecs.query<Place>(order_by(&Place::x)).change([](Place& place) { place.x = 9; }); });
        refuses([&] { ecs.sort<Place>([](const Place& a, const Place& b) { return a.x < b.x; }); });
        refuses([&] { ecs.events.dispatch(Hit{1}, 1); });
        refuses([&] { ecs.disable_system(draw); });
        refuses([&] { static_cast<void>(ecs.prefab(Place{}).spawn(3)); });
        refuses([&] { ecs.add<Place>(std::span(&e, 1), Place{}); });
        refuses([&] { ecs.remove<Place>(std::span(&e, 1)); });
        refuses([&] { ecs.remove<Place, Hit>(e); });
        refuses([&] { ecs.remove<Place>(e); });
        refuses([&] { ecs.remove_entity(e); });
        refuses([&] { ecs.set_parent(e, ecs.world()); });
        refuses([&] { ecs.events.dispatch(Hit{1}); });
        refuses([&] { ecs.add_system<Mover>(1); });
        refuses([&] { ecs.remove_system(draw); });
        refuses([&] { ecs.clear(); });
    };
    draw.at_update = changes;
    ecs.update();
    EXPECT_EQ(refused, 24);
    draw.at_add = draw.at_remove = [&](Entity) { changes(); };
    const Entity other = ecs.add_entity(Place{});
    EXPECT_EQ(refused, 48);
    ecs.remove<Place>(other);
    EXPECT_EQ(refused, 72);
    EXPECT_EQ(ecs.get<Place>(e).x, 1);
    EXPECT_EQ(ecs.count(), 2u);
    ecs.set<Place>(e, {5});  // outside of it, nothing is refused
    ecs.events.dispatch(Hit{1});
    EXPECT_EQ(draw.hits.size(), 1u);
}
#endif

#ifndef NDEBUG
TEST_F(Observers, S18_each_callback_of_an_observer_is_one_in_which_the_world_must_not_change) {
    struct Panel final : System<> {
        explicit Panel(std::vector<std::string>& names) : called(&names) {
            require<Place>();
            observer();
            subscribe<Hit>([this](const Hit&) { refuse("handler"); });
        }
        void refuse(const char* callback) {
            EXPECT_ERROR(ecs().add_entity(), ErrorCode::bad_system);
            called->emplace_back(callback);
        }
        void init() override { refuse("init"); }
        bool when(const ECS&) override {
            refuse("when");
            return true;
        }
        void update(double) override { refuse("update"); }
        void on_enabled(Entities&) override { refuse("on_enabled"); }
        void on_disabled(Entities&) override { refuse("on_disabled"); }
        void on_clear() override { refuse("on_clear"); }
        std::vector<std::string>* called;
    };
    std::vector<std::string> called;
    auto& panel = ecs.add_system<Panel>(0, called);
    ecs.update();
    ecs.events.dispatch(Hit{1});
    ecs.disable_system(panel);
    ecs.enable_system(panel);
    ecs.clear();
    EXPECT_EQ(called,
              (std::vector<std::string>{"init", "when", "update", "handler", "on_disabled", "on_enabled", "on_clear"}));
    ecs.add_entity();
}
#endif

}  // namespace crateful::test_observer
