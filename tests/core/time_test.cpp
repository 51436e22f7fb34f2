#include "crateful/time.hpp"

#include <cmath>
#include <limits>

#include "world.hpp"

using namespace test;

namespace {
constexpr double INF = std::numeric_limits<double>::infinity();
constexpr double NOT_A_NUMBER = std::numeric_limits<double>::quiet_NaN();

/// For each of the next `n` frames of one second: "1" if its delta is not 0, else "0".
std::string frames(Clock& clock, int n) {
    std::string all;
    for (int i = 0; i < n; ++i) {
        const double delta = clock.advance(1, 1);
        EXPECT_TRUE(delta == 0 || delta == 1) << "the delta of a step frame is the full delta or 0";
        all += delta == 0 ? '0' : '1';
    }
    return all;
}
}  // namespace

TEST(Clock, M1_game_time_and_wall_time_accumulate) {
    Clock clock;
    EXPECT_EQ(clock.advance(0.25, 1), 0.25);
    EXPECT_EQ(clock.advance(0.5, 1), 0.5);
    EXPECT_EQ(clock.advance(0, 1), 0);
    EXPECT_EQ(clock.game_time(), 0.75);
    EXPECT_EQ(clock.wall_time(), 0.75);
}

TEST(Clock, M1_bad_deltas_are_errors_and_change_nothing) {
    Clock clock;
    clock.advance(1, 1);
    clock.slow_motion.request(2, 10);
    for (const double bad : {NOT_A_NUMBER, INF, -INF, -0.001}) {
        EXPECT_ERROR(clock.advance(bad, 1), ErrorCode::bad_argument);
    }
    EXPECT_EQ(clock.game_time(), 1);
    EXPECT_EQ(clock.wall_time(), 1);
}

TEST(Clock, M2_pausing_stops_game_time_and_does_not_consume_slow_motion) {
    Clock clock;
    clock.slow_motion.request(4, 1);
    clock.paused = true;
    for (int i = 0; i < 10; ++i) EXPECT_EQ(clock.advance(1, 1), 0);
    EXPECT_EQ(clock.game_time(), 0);
    EXPECT_EQ(clock.wall_time(), 10);
    clock.paused = false;
    EXPECT_EQ(clock.slow_motion.factor(), 4);
    EXPECT_EQ(clock.advance(1, 1), 0.25);
    EXPECT_EQ(clock.advance(1, 1), 1) << "its duration of one second has ended";
}

TEST(Clock, M5_the_time_scale_multiplies_deltas_before_slow_motion) {
    Clock clock;
    clock.time_scale(2);
    EXPECT_EQ(clock.time_scale(), 2);
    EXPECT_EQ(clock.advance(0.5, clock.time_scale()), 1);
    clock.slow_motion.request(4, 1);
    EXPECT_EQ(clock.advance(1, 2), 0.5) << "its duration is in wall time";
    EXPECT_EQ(clock.slow_motion.factor(), 1);
    EXPECT_EQ(clock.game_time(), 1.5);
    EXPECT_EQ(clock.wall_time(), 1.5);
}

TEST(Clock, M5_with_the_time_scale_0_no_game_time_passes_and_slow_motion_stays) {
    Clock clock;
    clock.slow_motion.request(4, 1);
    EXPECT_EQ(clock.advance(5, 0), 0);
    EXPECT_EQ(clock.slow_motion.factor(), 4);
    EXPECT_EQ(clock.game_time(), 0);
    EXPECT_EQ(clock.wall_time(), 5);
}

TEST(Clock, M5_a_time_scale_that_is_negative_or_not_finite_is_an_error) {
    Clock clock;
    for (const double bad : {-1.0, std::nan(""), HUGE_VAL, -HUGE_VAL}) {
        EXPECT_ERROR(clock.time_scale(bad), ErrorCode::bad_argument);
        EXPECT_ERROR(clock.advance(1, bad), ErrorCode::bad_argument);
    }
    EXPECT_ERROR(clock.advance(1e308, 10), ErrorCode::bad_argument);
    EXPECT_EQ(clock.time_scale(), 1);
    EXPECT_EQ(clock.wall_time(), 0);
}

TEST(SlowMotion, M2_scale_divides_the_delta) {
    SlowMotion slow;
    slow.request(5, 2);
    EXPECT_DOUBLE_EQ(slow.apply(1, 1), 0.2);
    EXPECT_DOUBLE_EQ(slow.apply(1, 1), 0.2);
    EXPECT_EQ(slow.factor(), 1);
    EXPECT_EQ(slow.apply(1, 1), 1);
}

TEST(SlowMotion, M2_the_largest_active_factor_applies) {
    SlowMotion slow;
    slow.request(2, 5);
    slow.request(10, 2);
    slow.request(4, 3);
    EXPECT_EQ(slow.factor(), 10);
    std::vector<double> deltas;
    for (int i = 0; i < 6; ++i) deltas.push_back(slow.apply(1, 1));
    EXPECT_EQ(deltas, (std::vector{0.1, 0.1, 0.25, 0.5, 0.5, 1.0}));
}

TEST(Clock, M1_a_delta_with_which_a_time_would_be_infinite_is_an_error) {
    ECS ecs;
    ecs.update(1.7e308);
    EXPECT_ERROR(ecs.update(1.7e308), ErrorCode::bad_argument);
    EXPECT_EQ(ecs.clock().wall_time(), 1.7e308);
}

TEST(SlowMotion, M2_an_infinite_duration_lasts_until_cleared) {
    SlowMotion slow;
    slow.request(2, INF);
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(slow.apply(1e6, 1e6), 5e5);
    EXPECT_EQ(slow.factor(), 2);
    slow.clear();
    EXPECT_EQ(slow.factor(), 1);
}

TEST(SlowMotion, M2_bad_requests_are_errors_and_change_nothing) {
    SlowMotion slow;
    for (const double factor : {0.5, 0.0, -2.0, INF, NOT_A_NUMBER})
        EXPECT_ERROR(slow.request(factor, 1), ErrorCode::bad_argument);
    for (const double duration : {0.0, -1.0, NOT_A_NUMBER})
        EXPECT_ERROR(slow.request(2, duration), ErrorCode::bad_argument);
    EXPECT_EQ(slow.factor(), 1);
    EXPECT_EQ(slow.apply(1, 1), 1);
}

TEST(SlowMotion, M2_step_runs_every_factor_th_frame_with_the_full_delta) {
    Clock clock;
    clock.slow_motion.style = SlowMotion::Style::step;
    clock.slow_motion.request(3, 9);
    EXPECT_EQ(frames(clock, 12), "001001001111");
    EXPECT_EQ(clock.game_time(), 6);
    EXPECT_EQ(clock.wall_time(), 12);
}

TEST(SlowMotion, M2_step_with_a_fractional_factor_has_the_right_average) {
    Clock clock;
    clock.slow_motion.style = SlowMotion::Style::step;
    clock.slow_motion.request(1.5, INF);
    EXPECT_EQ(frames(clock, 9), "011011011");
}

TEST(SlowMotion, M2_step_continues_with_the_smaller_factor_when_a_larger_one_ends) {
    Clock clock;
    clock.slow_motion.style = SlowMotion::Style::step;
    clock.slow_motion.request(2, INF);
    clock.slow_motion.request(10, 9);
    EXPECT_EQ(frames(clock, 9), "000000000");
    const std::string after = frames(clock, 8);
    EXPECT_TRUE(after == "10101010" || after == "01010101") << after;
}

TEST(SlowMotion, M2_step_starts_again_with_a_new_request) {
    Clock clock;
    clock.slow_motion.style = SlowMotion::Style::step;
    clock.slow_motion.request(4, 3);
    EXPECT_EQ(frames(clock, 4), "0001");
    clock.slow_motion.request(4, 8);
    EXPECT_EQ(frames(clock, 8), "00010001");
}

TEST(SlowMotion, M2_only_debug_systems_run_in_frames_with_delta_0) {
    ECS ecs;
    auto& plain = ecs.add_system<Spy<Requires<Position>>>(0);
    auto& debug = ecs.add_system<Spy<Requires<Position>>>(0, false, true);
    ecs.slow_motion().style = SlowMotion::Style::step;
    ecs.slow_motion().request(3, INF);
    for (int i = 0; i < 6; ++i) ecs.update(0.5);
    EXPECT_EQ(plain.updates, 2);
    EXPECT_EQ(plain.delta, 0.5);
    EXPECT_EQ(debug.updates, 6);
}

TEST(SlowMotion, M3_each_ecs_has_its_own_time) {
    ECS one;
    ECS two;
    one.slow_motion().request(2, 10);
    one.update(1);
    two.update(1);
    EXPECT_EQ(one.game_time(), 0.5);
    EXPECT_EQ(two.game_time(), 1);
    EXPECT_EQ(one.wall_time(), 1);
}
