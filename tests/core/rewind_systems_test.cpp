// A recording continues when systems are added and removed (rule N7).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "crateful/ecs.hpp"
#include "crateful/rewind.hpp"
#include "crateful/state.hpp"
#include "random_model.hpp"

namespace crateful::test_rewind_systems {
namespace {

using Bytes = std::vector<std::byte>;

struct Place {
    float x = 0;
};
struct Flag {};
struct Hit {
    static constexpr std::string_view type_name = "rewind_systems.Hit";
    std::int32_t points = 0;
};

// Takes a part of its events in each frame, and changes what is dirty. Each number is another class.
template <int N>
struct Worker : System<> {
    Worker() {
        require<Place>();
        watch<Place>();
        exact();
        interval(N == 1 ? 0.05 : 0);
    }
    void update(double, Entities&, Dirty& dirty) override {
        for (const Entity e : dirty) visited.push_back(e);
        int n = 0;
        for (const Hit& hit : hits) {
            points += hit.points;
            if (++n == 2) break;
        }
    }
    [[nodiscard]] std::string name() const override { return "Worker " + std::to_string(N); }
    Inbox<Hit> hits{*this};
    std::vector<Entity> visited;
    std::int32_t points = 0;
};

class Model {
public:
    Model(std::uint32_t seed, std::size_t bytes) : random_(seed), rewind_(ecs_, {.bytes = bytes}) {
        describe_component<Place>("rewind_systems.Place").field("x", &Place::x);
        describe_component<Flag>("rewind_systems.Flag");
        note();
    }
    void play(std::uint32_t operations) {
        for (std::uint32_t k = 0; k < operations && !::testing::Test::HasFailure(); ++k) operation();
    }

private:
    // The state after a frame, and which systems it is of.
    struct State {
        Bytes plain;
        Bytes whole;
        std::vector<std::uint64_t> systems;
        std::map<std::uint64_t, bool> enabled;  // of these
    };
    std::uint32_t pick(std::size_t n) { return static_cast<std::uint32_t>(random_() % n); }

    void operation() {
        switch (pick(13)) {
            case 0: return toggle<0>();
            case 1: return toggle<1>();
            case 2: return toggle<2>();
            case 3: all_.push_back(ecs_.add_entity(Place{static_cast<float>(pick(9))})); return;
            case 4:
                if (const Entity e = any(); e != NONE) ecs_.remove_entity(e);
                return;
            case 5: return ecs_.events.dispatch(Hit{static_cast<std::int32_t>(pick(9))}, pick(2) == 0 ? 0 : 0.03);
            case 6:
                if (const Entity e = any(); e != NONE) {
                    if (ecs_.has<Flag>(e)) ecs_.remove<Flag>(e);
                    else ecs_.add(e, Flag{});
                }
                return;
            case 7: return go();
            case 8:
                if (SystemBase* worker = workers_[pick(3)]; worker != nullptr) ecs_.toggle_system(*worker);
                return;
            default:
                if (const Entity e = any(); e != NONE) ecs_.modify<Place>(e, [&](Place& place) { place.x += 1; });
                ecs_.update(0.02);
                frames_.erase(frames_.upper_bound(ecs_.clock().frame() - 1), frames_.end());
                note();
        }
    }
    Entity any() {
        std::erase_if(all_, [&](Entity e) { return !ecs_.alive(e); });
        return all_.empty() ? NONE : all_[pick(all_.size())];
    }
    template <int N>
    void toggle() {
        SystemBase*& worker = workers_[N];
        if (worker != nullptr) {
            ecs_.remove_system(*worker);
            worker = nullptr;
        } else {
            worker = &ecs_.add_system<Worker<N>>(static_cast<double>(pick(3)));
        }
    }
    [[nodiscard]] State state() {
        State now{snapshot(ecs_), snapshot(ecs_, {.systems = true}), {}, {}};
        for (const SystemBase* system : ecs_.systems()) {
            now.systems.push_back(system->sequence());
            now.enabled[system->sequence()] = system->enabled();
        }
        return now;
    }
    void note() { frames_[ecs_.clock().frame()] = state(); }
    void go() {
        const double oldest = rewind_.oldest();
        const double frame = oldest + pick(static_cast<std::size_t>(rewind_.newest() - oldest) + 1);
        const State before = state();
        rewind_.to(frame);
        ASSERT_EQ(frames_.count(frame), 1u);
        const State now = state();
        const State& then = frames_[frame];
        EXPECT_EQ(now.plain, then.plain) << "frame " << frame;
        for (const auto& [sequence, enabled] : now.enabled) {
            const auto recorded = then.enabled.find(sequence);
            const bool expected = recorded == then.enabled.end() ? before.enabled.at(sequence) : recorded->second;
            EXPECT_EQ(enabled, expected) << "frame " << frame << ", system " << sequence;
        }
        if (now.systems == then.systems) {
            EXPECT_EQ(now.whole, then.whole) << "frame " << frame;
        }
    }

    std::mt19937 random_;
    ECS ecs_;
    Rewind rewind_;
    std::vector<Entity> all_;
    std::array<SystemBase*, 3> workers_{};
    std::map<double, State> frames_;
};

class RewindSystems : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(RewindSystems, N7_random_systems_are_added_and_removed) {
    const std::uint32_t seed = ::test::first_seed() + GetParam();
    Model(seed, seed % 2 == 0 ? 1u << 24 : 4000).play(::test::times(600));
}
INSTANTIATE_TEST_SUITE_P(Seeds, RewindSystems, ::testing::Range(0u, 12u));

TEST(RewindSystemsOne, N7_a_system_that_was_added_later_finds_what_differs_dirty) {
    describe_component<Place>("rewind_systems.Place").field("x", &Place::x);
    ECS ecs;
    const Entity a = ecs.add_entity(Place{1});
    ecs.add_entity(Place{2});
    Rewind rewind(ecs);
    ecs.modify<Place>(a, [](Place& place) { place.x = 5; });
    ecs.update();
    auto& worker = ecs.add_system<Worker<0>>(0);
    ecs.events.dispatch(Hit{1});
    ecs.events.dispatch(Hit{1});
    ecs.events.dispatch(Hit{1});
    ecs.update();
    EXPECT_EQ(rewind.oldest(), 0);
    EXPECT_EQ(worker.points, 2);
    worker.visited.clear();
    rewind.to(0);
    EXPECT_EQ(ecs.get<Place>(a).x, 1);
    ecs.update();
    EXPECT_EQ(worker.visited, std::vector{a});
    EXPECT_EQ(worker.points, 2) << "the event in its inbox was dispatched later";
}

// In each frame of the first system it is disabled, and the second one is enabled.
TEST(RewindSystemsOne, N7_a_system_gets_no_state_of_one_that_was_removed_between_frames) {
    describe_component<Place>("rewind_systems.Place").field("x", &Place::x);
    for (const bool goes_forward : {false, true}) {
        for (const bool updates : {false, true}) {
            ECS ecs;
            ecs.add_entity(Place{1});
            ecs.update();
            Rewind rewind(ecs);
            auto& first = ecs.add_system<Worker<0>>(0);
            ecs.disable_system(first);
            for (int k = 0; k < 6; ++k) ecs.update();
            if (goes_forward) rewind.to(1);
            ecs.remove_system(first);
            rewind.to(goes_forward ? 6 : 7);
            if (updates) ecs.update();
            auto& second = ecs.add_system<Worker<1>>(0);
            if (updates) ecs.update();
            for (double frame = rewind.newest(); frame >= rewind.oldest(); --frame) {
                rewind.to(frame);
                EXPECT_TRUE(second.enabled()) << "frame " << frame;
            }
        }
    }
}

// The frames in front of the last one with the first system are dropped.
TEST(RewindSystemsOne, N7_a_system_gets_no_state_of_one_whose_last_frame_is_the_oldest) {
    describe_component<Place>("rewind_systems.Place").field("x", &Place::x);
    ECS ecs;
    const std::vector<Entity> all = ecs.add_entities(200);
    ecs.add(all, Place{});
    auto& first = ecs.add_system<Worker<0>>(0);
    ecs.disable_system(first);
    Rewind rewind(ecs, {.bytes = 20'000});
    const auto change = [&] {
        for (const Entity e : all) ecs.modify<Place>(e, [](Place& place) { place.x += 1; });
        ecs.update();
    };
    change();
    ecs.remove_system(first);
    rewind.to(1);
    while (rewind.oldest() < 1) change();
    auto& second = ecs.add_system<Worker<1>>(0);
    for (double frame = rewind.newest(); frame >= rewind.oldest(); --frame) {
        rewind.to(frame);
        EXPECT_TRUE(second.enabled()) << "frame " << frame;
    }
}

TEST(RewindSystemsOne, N7_a_system_that_was_removed_and_added_again_is_another_one) {
    describe_component<Place>("rewind_systems.Place").field("x", &Place::x);
    ECS ecs;
    const Entity a = ecs.add_entity(Place{1});
    auto* before = &ecs.add_system<Worker<0>>(0);
    ecs.disable_system(*before);
    Rewind rewind(ecs);
    ecs.update();
    ecs.remove_system(*before);
    ecs.update();
    auto& after = ecs.add_system<Worker<0>>(0);
    ecs.modify<Place>(a, [](Place& place) { place.x = 2; });
    ecs.update();
    rewind.to(1);
    EXPECT_EQ(ecs.get<Place>(a).x, 1);
    EXPECT_TRUE(after.enabled());
    rewind.to(3);
    EXPECT_EQ(ecs.get<Place>(a).x, 2);
    ecs.remove_system(after);
    ecs.update();
    EXPECT_EQ(rewind.oldest(), 0);
    EXPECT_EQ(rewind.newest(), 4);
}

}  // namespace
}  // namespace crateful::test_rewind_systems
