// Inboxes and subscriptions of systems (rule V3, and V1 for the latter).
#include <memory>
#include <string>
#include <vector>

#include "world.hpp"

using namespace test;

namespace {

struct Smashed {
    int points = 0;
};
struct Noise {
    std::shared_ptr<int> loudness;  // not trivial
};

struct Scores : System<> {
    explicit Scores(std::size_t limit = Inbox<Smashed>::LIMIT) : smashed(*this, limit) { require_none(); }
    void update(double) override {
        for (const Smashed& event : smashed) {
            taken.push_back(event.points);
            if (at_event) at_event(event.points);
            if (stops) break;
        }
    }
    Inbox<Smashed> smashed;
    std::vector<int> taken;
    std::function<void(int)> at_event;
    bool stops = false;
};

using Points = std::vector<int>;

}  // namespace

TEST(Inbox, V3_iterating_takes_the_events_out) {
    ECS ecs;
    ecs.events.dispatch(Smashed{1});
    auto& scores = ecs.add_system<Scores>(0);
    for (const int points : {2, 3}) ecs.events.dispatch(Smashed{points});
    EXPECT_EQ(scores.smashed.size(), 2u);
    ecs.update();
    EXPECT_EQ(scores.taken, (Points{2, 3})) << "those since the system was added";
    EXPECT_TRUE(scores.smashed.empty());
    ecs.update();
    EXPECT_EQ(scores.taken.size(), 2u);
}

TEST(Inbox, V3_each_event_is_taken_when_the_body_for_it_begins_and_the_others_stay) {
    ECS ecs;
    auto& scores = ecs.add_system<Scores>(0);
    for (const int points : {1, 2, 3}) ecs.events.dispatch(Smashed{points});
    scores.stops = true;
    ecs.update();
    EXPECT_EQ(scores.smashed.size(), 2u);
    scores.at_event = [](int) { throw std::string("stop"); };
    EXPECT_THROW(ecs.update(), std::string);
    EXPECT_EQ(scores.smashed.size(), 1u);
    EXPECT_EQ(scores.taken, (Points{1, 2}));
}

TEST(Inbox, V3_events_that_are_dispatched_during_the_loop_stay_for_the_next_one) {
    ECS ecs;
    auto& scores = ecs.add_system<Scores>(0);
    scores.at_event = [&](int points) { ecs.events.dispatch(Smashed{points + 10}); };
    for (const int points : {1, 2}) ecs.events.dispatch(Smashed{points});
    ecs.update();
    EXPECT_EQ(scores.taken, (Points{1, 2}));
    ecs.update();
    EXPECT_EQ(scores.taken, (Points{1, 2, 11, 12}));
    scores.at_event = [&](int) {
        ecs.clear();
        ecs.events.dispatch(Smashed{99});
    };
    ecs.update();
    EXPECT_EQ(scores.taken.back(), 21) << "clear() has removed the other one, and the new one waits";
    EXPECT_EQ(scores.smashed.size(), 1u);
}

TEST(Inbox, V3_events_accumulate_while_the_system_does_not_run_up_to_the_limit) {
    ECS ecs;
    auto& scores = ecs.add_system<Scores>(0, 3u);
    ecs.disable_system(scores);
    for (int points = 0; points < 5; ++points) ecs.events.dispatch(Smashed{points});
    ecs.update();
    EXPECT_EQ(scores.smashed.size(), 3u);
    EXPECT_EQ(scores.smashed.dropped(), 2u);
    ecs.enable_system(scores);
    ecs.update();
    EXPECT_EQ(scores.taken, (Points{2, 3, 4}));
}

TEST(Inbox, V3_WhileSkipped_drop_discards_the_events_of_frames_in_which_the_system_is_skipped) {
    struct Game : System<> {
        Game() {
            require_none();
            interval(0.5);
        }
        bool when(const ECS&) override { return !menu; }
        void update(double) override {
            for (const Smashed& event : dropped) taken.push_back(event.points);
        }
        Points frame(double delta = 0.5) {
            ecs().events.dispatch(Smashed{++next});
            ecs().update(delta);
            return std::exchange(taken, {});
        }
        Inbox<Smashed> dropped{*this, WhileSkipped::drop};
        Inbox<Smashed> kept{*this};
        Points taken;
        int next = 0;
        bool menu = false;
    };
    ECS ecs;
    auto& game = ecs.add_system<Game>(0);
    EXPECT_EQ(game.frame(), (Points{1}));
    game.menu = true;
    game.frame();
    EXPECT_TRUE(game.dropped.empty());
    EXPECT_EQ(game.kept.size(), 2u);
    game.menu = false;
    EXPECT_EQ(game.frame(), (Points{3}));
    ecs.disable_system(game);
    game.frame();
    ecs.enable_system(game);
    EXPECT_EQ(game.frame(), (Points{5}));
    ecs.set_paused(true);
    game.frame();
    ecs.set_paused(false);
    EXPECT_EQ(game.frame(), (Points{7}));
    ecs.clock().time_scale(0);
    game.frame();
    ecs.clock().time_scale(1);
    EXPECT_EQ(game.frame(), (Points{9}));
    game.frame(0.25);
    EXPECT_EQ(game.frame(0.25), (Points{10, 11})) << "the interval was not due";
    game.frame(0);
    EXPECT_EQ(game.frame(), (Points{12, 13}));
    EXPECT_EQ(game.kept.size(), 13u);
}

TEST(Inbox, V3_clear_empties_it) {
    ECS ecs;
    auto& scores = ecs.add_system<Scores>(0);
    ecs.events.dispatch(Smashed{1});
    ecs.clear();
    EXPECT_TRUE(scores.smashed.empty());
    ecs.events.dispatch(Smashed{2});
    EXPECT_EQ(scores.smashed.size(), 1u);
    scores.smashed.clear();
    EXPECT_TRUE(scores.smashed.empty());
}

TEST(Inbox, V3_two_systems_and_two_inboxes_of_one_have_the_events_each) {
    struct Both final : System<> {
        Both() { require_none(); }
        void update(double) override {}
        Inbox<Noise> first{*this};
        Inbox<Noise> second{*this};
    };
    ECS ecs;
    auto& a = ecs.add_system<Both>(0);
    auto& b = ecs.add_system<Both>(1);
    const auto loudness = std::make_shared<int>(3);
    ecs.events.dispatch(Noise{loudness});
    EXPECT_EQ(loudness.use_count(), 5);
    for (const Noise& noise : a.first) EXPECT_EQ(noise.loudness, loudness);
    EXPECT_EQ(loudness.use_count(), 4);
    EXPECT_EQ(a.second.size() + b.first.size() + b.second.size(), 3u);
    ecs.remove_system(b);
    EXPECT_EQ(loudness.use_count(), 2);
    ecs.events.dispatch(Noise{loudness});
    EXPECT_EQ(loudness.use_count(), 4);
}

TEST(Inbox, V3_loops_can_be_nested) {
    ECS ecs;
    auto& scores = ecs.add_system<Scores>(0);
    for (int points = 0; points < 6; ++points) ecs.events.dispatch(Smashed{points});
    Points outer;
    Points inner;
    for (const Smashed& event : scores.smashed) {
        outer.push_back(event.points);
        for (const Smashed& other : scores.smashed) {
            inner.push_back(other.points);
            break;
        }
        if (outer.size() == 2) break;
    }
    EXPECT_EQ(outer, (Points{0, 2}));
    EXPECT_EQ(inner, (Points{1, 3}));
    EXPECT_EQ(scores.smashed.size(), 2u);
}

TEST(Subscriptions, V1_those_of_a_system_begin_when_it_is_added_and_end_when_it_is_removed) {
    struct Counter final : System<> {
        Counter() {
            require_none();
            subscribe<Smashed>([this](const Smashed& event) { sum += event.points; });
        }
        void init() override {
            subscribe<Noise>([this](const Noise&) { ++noises; });
        }
        void update(double) override {}
        int sum = 0;
        int noises = 0;
    };
    ECS ecs;
    auto owned = std::make_unique<Counter>();
    ecs.events.dispatch(Smashed{1});
    auto& counter = ecs.add_system(0, std::move(owned));
    ecs.events.dispatch(Smashed{2});
    ecs.events.dispatch(Noise{});
    EXPECT_EQ(counter.sum, 2);
    EXPECT_EQ(counter.noises, 1);
    ecs.clear();
    ecs.events.dispatch(Smashed{3});
    EXPECT_EQ(counter.sum, 5);
    ecs.remove_system(counter);
    ecs.events.dispatch(Smashed{4});  // would use freed memory
    ecs.events.dispatch(Noise{});
}

TEST(Subscriptions, V1_a_system_can_remove_itself_in_its_handler) {
    struct Once final : System<> {
        explicit Once(int& calls) : calls_(calls) {
            require_none();
            subscribe<Smashed>([this](const Smashed&) {
                ++calls_;
                ecs().remove_system(*this);
                text_ += "it still exists, and its memory is on the heap";
            });
        }
        ~Once() override { EXPECT_FALSE(text_.empty()); }
        void update(double) override {}
        int& calls_;
        std::string text_;
    };
    ECS ecs;
    int calls = 0;
    ecs.add_system<Once>(0, calls);
    ecs.events.dispatch(Smashed{});
    ecs.events.dispatch(Smashed{});
    EXPECT_EQ(calls, 1);
    EXPECT_TRUE(ecs.systems().empty());
}

TEST(Inbox, D11_V3_events_that_wait_let_a_system_run_that_runs_only_when_dirty) {
    struct Rare : Scores {
        Rare() : Scores(2) { only_when_dirty(); }
        void update(double delta) override {
            ++runs;
            Scores::update(delta);
        }
        int runs = 0;
    };
    ECS ecs;
    auto& rare = ecs.add_system<Rare>(0);
    ecs.update();
    EXPECT_EQ(rare.runs, 0);
    for (const int points : {1, 2, 3}) ecs.events.dispatch(Smashed{points});
    rare.stops = true;
    ecs.update();
    ecs.update();
    ecs.update();
    EXPECT_EQ(rare.runs, 2) << "one event was dropped, and each run took one";
    EXPECT_EQ(rare.taken, (Points{2, 3}));
    ecs.events.dispatch(Smashed{4});
    ecs.clear();
    ecs.update();
    EXPECT_EQ(rare.runs, 2);
}

TEST(Events, V1_a_delay_to_which_deltas_add_up_except_for_rounding_has_passed) {
    ECS ecs;
    int frame = 0;
    int delivered = 0;
    ecs.events.subscribe<Smashed>([&](const Smashed&) { delivered = frame; });
    ecs.events.dispatch(Smashed{}, 1);
    for (frame = 1; frame <= 12; ++frame) ecs.update(0.1);
    EXPECT_EQ(delivered, 10);
}
