// A room that goes back in time is what it was, and continues exactly as it did.
#include <crateful/rewind.hpp>
#include <crateful/state.hpp>

#include <cstdlib>
#include <random>

#include "fight.hpp"

namespace crate_room::rewinding {
namespace {

using crateful::Rewind;

/// Records the room as the page does. The recorded input of a run stays: the state says how much of it has passed.
Rewind record(Game& game, std::size_t bytes = std::size_t{4} << 20) {
    game.room.tracking.record_times = true;
    return Rewind(game.ecs, {.bytes = bytes, .without = {"RecordedFrames"}});
}
Bytes state(const Game& game) { return crateful::snapshot(game.ecs, {.without = {"RecordedFrames"}}); }
void go(Game& game, Rewind& rewind, double frame) {
    rewind.to(frame);
    game.room.show_restored();
}

/// What a moment was.
struct Moment {
    double frame;
    int next;  // the number of the frame of the script that follows
    Bytes state;
    std::multiset<std::string> picture;
    std::uint64_t hash;
};

class RewindRoom : public testing::TestWithParam<std::tuple<int, int, bool>> {};
INSTANTIATE_TEST_SUITE_P(Rooms, RewindRoom,
                         testing::Values(std::tuple(60, -1, false), std::tuple(250, 4, true),
                                         std::tuple(900, 12, false)));

/// Plays frames of the script in one room, and keeps those with game time.
void play_and_keep(Game& game, int from, int frames, std::vector<Moment>& moments) {
    for (int i = from; i < from + frames; ++i) {
        const double before = game.ecs.clock().game_time();
        play_frame(game, i);
        if (game.ecs.clock().game_time() > before)
            moments.push_back({game.ecs.clock().frame(), i + 1, state(game), picture(game), game.room.state_hash()});
    }
}

TEST_P(RewindRoom, N7_frames_of_a_fight_are_gone_to_and_played_again) {
    const auto [crates, guards, opening] = GetParam();
    Game game(static_cast<std::uint32_t>(crates), guards);
    game.ecs.clear();
    game.room.begin(3, static_cast<std::uint32_t>(crates), guards, opening);
    Rewind rewind = record(game);
    std::vector<Moment> moments;
    play_and_keep(game, 0, 330, moments);  // slow motion among them
    ASSERT_EQ(game.rooms_entered, 0);
    std::mt19937 random(7);
    for (int k = 0; k < 60; ++k) {
        const std::size_t to = random() % moments.size();
        go(game, rewind, moments[to].frame);
        ASSERT_EQ(state(game), moments[to].state) << "frame " << moments[to].frame;
        ASSERT_EQ(picture(game), moments[to].picture) << "frame " << moments[to].frame;
        if (k % 3 != 0) continue;
        std::vector<Moment> again;
        play_and_keep(game, moments[to].next, std::min(60, 330 - moments[to].next), again);
        for (std::size_t i = 0; i < again.size(); ++i) {
            const Moment& expected = moments[to + 1 + i];
            ASSERT_EQ(again[i].state, expected.state)
                << "after frame " << moments[to].frame << ", frame " << expected.frame;
            ASSERT_EQ(again[i].picture, expected.picture) << "frame " << expected.frame;
        }
        moments.resize(to + 1 + again.size());  // later ones are discarded
        EXPECT_EQ(rewind.newest(), game.ecs.clock().frame());
        play_and_keep(game, moments.back().next, 330 - moments.back().next, moments);
    }
}

TEST(RewindOnce, a_run_that_went_back_is_replayed_with_the_input_that_remained) {
    Game game(300, 3);
    Rewind rewind = record(game);
    const auto play = [&](int from, int frames) {
        for (int i = from; i < from + frames; ++i) {
            const float angle = 0.9f * static_cast<float>(i / 30);
            game.room.input = {.move_x = std::cos(angle), .move_y = std::sin(angle), .strike = i % 5 < 2};
            game.frame(i % 3 == 0 ? 0.016 : 0.017);
        }
    };
    const double start = game.ecs.clock().frame();
    play(0, 200);
    go(game, rewind, start + 120);
    EXPECT_EQ(game.room.recording().length(), 120u);
    play(900, 100);  // other input than before
    EXPECT_EQ(game.room.recording().length(), 220u);
    const std::uint64_t hash = game.room.state_hash();
    game.ecs.clear();
    game.room.replay();
    while (game.room.recording().replaying()) game.frame();
    EXPECT_EQ(game.room.state_hash(), hash);
}

TEST(RewindOnce, going_back_plays_no_sounds) {
    Game game(250, 4);
    Rewind rewind = record(game);
    const double start = game.ecs.clock().frame();
    std::size_t sounds = 0;
    for (int i = 0; i < 150; ++i) {
        play_frame(game, i);
        sounds += game.room.take_sounds().size();
    }
    EXPECT_GT(sounds, 10u);
    for (double frame = rewind.newest(); frame > start; --frame) {
        go(game, rewind, frame);
        EXPECT_TRUE(game.room.take_sounds().empty());
    }
}

/// Prints how many bytes a second of recording takes; docs/demo.md contains the numbers.
TEST(RewindOnce, ten_seconds_of_a_fight_fit_into_the_ring_of_the_page) {
    for (const bool fight : {false, true}) {
        Game game(5000, fight ? 12 : 0);
        game.frames(60);
        Rewind rewind = record(game, std::size_t{1} << 16);
        for (int i = 0; i < 170; ++i) {
            if (fight) play_frame(game, i);
            else game.frame();
        }
        const double bytes = 60 * 65536 / std::max(1.0, rewind.newest() - rewind.oldest());
        if (std::getenv("CRATEFUL_REWIND_BYTES") != nullptr)
            std::printf("%s: %.0f frames in 64 KB, %.0f bytes in a second\n", fight ? "fight" : "quiet",
                        rewind.newest() - rewind.oldest(), bytes);
        EXPECT_LT(4 * 10 * bytes, 4 << 20);  // slow motion has four times as many frames
    }
}

}  // namespace
}  // namespace crate_room::rewinding
