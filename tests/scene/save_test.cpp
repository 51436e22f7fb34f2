// A room that is restored from a snapshot is the same, and continues exactly as it would have.
#include <crateful/state.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "fight.hpp"

namespace crate_room {
namespace {

constexpr int FRAMES = 2600;
constexpr int DENSE = 270;  // the first of the frames that are all saved

Bytes save(const Game& game) { return crateful::snapshot(game.ecs, {.systems = true}); }
void load(Game& game, const Bytes& bytes) {
    crateful::restore(game.ecs, bytes);
    game.room.show_restored();
}
/// A hash of the bytes of the state.
std::size_t state(const Game& game) {
    const Bytes bytes = crateful::snapshot(game.ecs);
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// A run with its states, and saves of several moments.
struct Original {
    struct Saved {
        Bytes bytes;
        std::multiset<std::string> picture;
    };
    Game game;
    std::vector<std::size_t> states;
    std::map<int, Saved> saves;       // by the number of the next frame
    std::map<int, Bytes> each_frame;  // of a fight
    int deaths = 0;
    int exploded = 0;
    std::set<std::uint32_t> rooms;

    Original(std::uint32_t crates, int guards, bool opening) : game(crates, guards) {
        game.ecs.clear();
        game.room.begin(3, crates, guards, opening);
        bool dead = false;
        for (int i = 0; i < FRAMES; ++i) {
            if (saves_before(i)) add_save(i);
            if (i >= DENSE && i < DENSE + 240) each_frame[i] = save(game);
            play_frame(game, i);
            states.push_back(state(game));
            rooms.insert(game.room.level().place().number);
            exploded += static_cast<int>(game.all<Exploding>().size());
            const bool died = game.ecs.has<Dead>(game.player());
            if (died && !dead) {
                ++deaths;
                add_save(i + 1);
            }
            dead = died;
        }
    }
    void add_save(int next) { saves[next] = {save(game), picture(game)}; }
    /// Whether there is a save of this moment: also while the screen darkens, just after a room was entered, and in frames
    /// without game time.
    static bool saves_before(int i) {
        return i > 0 && (i % 131 == 0 || i % ROOM == ROOM - 50 || i % ROOM == ROOM - 36 || i / 16 == SLOW / 16);
    }
    /// Plays frames after a save was restored, and compares the states.
    void expect_same(Game& other, int from, int frames) const {
        for (int i = from; i < std::min(from + frames, FRAMES); ++i) {
            play_frame(other, i);
            ASSERT_EQ(state(other), states[static_cast<std::size_t>(i)])
                << "saved before frame " << from << ", different in frame " << i;
        }
    }
};

/// Small and larger rooms, with few and many guards, and one with an opening.
class Save : public testing::TestWithParam<std::tuple<int, int, bool>> {
protected:
    [[nodiscard]] static const Original& original() {
        static std::map<std::tuple<int, int, bool>, Original> runs;
        const auto [crates, guards, opening] = GetParam();
        return runs.try_emplace(GetParam(), static_cast<std::uint32_t>(crates), guards, opening).first->second;
    }
};
INSTANTIATE_TEST_SUITE_P(Rooms, Save,
                         testing::Values(std::tuple(60, -1, false), std::tuple(250, 4, true),
                                         std::tuple(900, 12, false)));

TEST_P(Save, the_script_fights_in_several_rooms_and_dies) {
    EXPECT_GE(original().rooms.size(), 3u);
    EXPECT_GE(original().deaths, 1);
    EXPECT_GE(original().exploded, 100);
    EXPECT_GE(original().saves.size(), 30u);
}

TEST_P(Save, N3_a_restored_room_continues_exactly_as_it_would_have) {
    // Each save over the state in which the one before ended: in another room, before or after a death.
    Game game(100, 1, 8);
    const std::vector<std::pair<int, Original::Saved>> saves(original().saves.begin(), original().saves.end());
    for (std::size_t k = 0; k < saves.size(); ++k) {
        const auto& [from, saved] = saves[(k * 7) % saves.size()];
        load(game, saved.bytes);
        original().expect_same(game, from, 90);
        if (HasFatalFailure()) return;
    }
}

TEST_P(Save, N3_a_room_that_is_restored_into_a_new_world_continues_in_the_same_way) {
    for (const auto& [from, saved] : original().saves) {
        Game fresh(100, 1, 8);
        load(fresh, saved.bytes);
        original().expect_same(fresh, from, 40);
        if (HasFatalFailure()) return;
    }
}

TEST_P(Save, N3_each_frame_of_a_fight_can_be_saved) {
    Game game(100, 1, 8);
    int k = 0;
    for (const auto& [from, bytes] : original().each_frame) {
        if (++k % 8 == 0) {  // into a new world, too: there, what is not saved has its default
            Game fresh(100, 1, 8);
            load(fresh, bytes);
            original().expect_same(fresh, from, 10);
        }
        load(game, bytes);
        original().expect_same(game, from, 10);
        if (HasFatalFailure()) return;
        // The next save is restored over a state of which nothing can be kept.
        game.ecs.clear();
        game.room.begin(8, 60, 0);
        game.frame();
    }
}

TEST_P(Save, N3_D10_a_restored_room_continues_in_the_same_way_without_dirty_tracking) {
    Game game(100, 1, 8);
    game.room.tracking.on = false;
    for (const auto& [from, saved] : original().saves) {
        load(game, saved.bytes);
        original().expect_same(game, from, 20);
        if (HasFatalFailure()) return;
    }
}

TEST_P(Save, the_picture_of_a_restored_room_is_right_at_once_also_during_a_pause) {
    for (const bool tracking : {true, false}) {
        Game game(100, 1, 8);
        game.room.tracking.on = tracking;
        for (const auto& [from, saved] : original().saves) {
            load(game, saved.bytes);
            EXPECT_EQ(picture(game), saved.picture) << "saved before frame " << from;
            game.ecs.set_paused(true);
            game.frame();
            EXPECT_EQ(picture(game), saved.picture) << "saved before frame " << from;
        }
    }
}

/// Input that needs nothing else, so that a recording of it can be replayed.
void play_input(Game& game, int from, int frames) {
    for (int i = from; i < from + frames; ++i) {
        const float angle = 0.9f * static_cast<float>(i / 30);
        game.room.input = {.move_x = std::cos(angle), .move_y = std::sin(angle), .strike = i % 5 < 2};
        game.frame(i % 3 == 0 ? 0.016 : 0.017);
    }
}
std::uint64_t replay(Game& game) {
    game.ecs.clear();
    game.room.replay();
    while (game.room.recording().replaying()) game.frame();
    return game.room.state_hash();
}

TEST(SavedRecording, of_a_restored_run_is_replayed_from_the_start_of_the_run) {
    Game game;
    game.ecs.clear();
    game.room.begin(5, 300, 3, true);  // with an opening
    play_input(game, 0, 200);
    const Bytes saved = save(game);
    play_input(game, 200, 150);
    const std::uint64_t hash = game.room.state_hash();
    EXPECT_EQ(replay(game), hash);
    Game fresh(100, 1, 8);
    for (Game* other : {&game, &fresh}) {
        load(*other, saved);
        EXPECT_EQ(other->room.recording().length(), 200u);
        play_input(*other, 200, 150);
        EXPECT_EQ(other->room.state_hash(), hash);
        EXPECT_EQ(replay(*other), hash);
    }
}

TEST(SavedRecording, a_replay_that_was_saved_continues) {
    Game game(300, 3);
    play_input(game, 0, 200);
    const std::uint64_t hash = game.room.state_hash();
    game.ecs.clear();
    game.room.replay();
    game.frames(80);
    const Bytes saved = save(game);
    Game fresh(100, 1, 8);
    load(fresh, saved);
    EXPECT_EQ(fresh.room.recording().position(), 80u);
    while (fresh.room.recording().replaying()) fresh.frame();
    EXPECT_EQ(fresh.room.state_hash(), hash);
}

TEST(SavedRecording, a_state_without_it_is_a_point_in_the_recording_of_the_run) {
    Game game(300, 3);
    play_input(game, 0, 200);
    const Bytes moment = crateful::snapshot(game.ecs, {.without = {"RecordedFrames"}, .systems = true});
    EXPECT_LT(moment.size() + 4000, save(game).size());
    play_input(game, 200, 150);
    load(game, moment);
    EXPECT_EQ(game.room.recording().length(), 200u);
    play_input(game, 900, 100);  // other input than before
    EXPECT_EQ(game.room.recording().length(), 300u);
    const std::uint64_t hash = game.room.state_hash();
    EXPECT_EQ(replay(game), hash);
}

TEST(SavedRecording, N8_other_bytes_are_no_frames_and_no_touched_entities) {
    EXPECT_ANY_THROW(static_cast<void>(decode_frames(Bytes(26))));
    EXPECT_EQ(decode_frames(Bytes(50, std::byte{1})).frames.size(), 2u);
}

TEST(SaveOnce, N3_a_blow_that_was_pressed_in_a_frame_without_game_time_happens_after_loading) {
    Game game(100);
    game.frames(60);
    game.ecs.slow_motion().style = crateful::SlowMotion::Style::step;
    game.ecs.slow_motion().request(4, 10);
    const auto press = [&] {
        game.room.input = {.strike = true, .aimed = true, .pointer_x = game.at(game.player()).x - 30, .pointer_y = 10};
        return game.frame();
    };
    while (game.frame() > 0) {
    }
    ASSERT_EQ(press(), 0);
    const Bytes saved = save(game);
    Game fresh(100, 1, 8);
    load(fresh, saved);
    for (Game* each : {&game, &fresh}) {
        each->room.input = {};
        each->frames(4);
        ASSERT_TRUE(each->ecs.has<Swinging>(each->player()));
        EXPECT_LT(each->ecs.get<Facing>(each->player()).x, -0.05f);
    }
    EXPECT_EQ(state(fresh), state(game));
}

TEST(SaveOnce, N3_what_is_at_rest_touches_nothing_again_after_loading) {
    Game game(100);
    game.frames(60);
    // A player with full health stands on a heart, and is damaged without moving: only a movement would touch the heart.
    game.ecs.add_entity(game.at(game.player()), Pickup{}, CollisionShape{3, 3, 0, SENSOR});
    game.frames(3);
    game.ecs.modify<Health>(game.player(), [](Health& health) { health.now = 1; });
    game.frames(3);
    ASSERT_EQ(game.all<Pickup>().size(), 1u);
    Game fresh(100, 1, 8);
    load(fresh, save(game));
    game.frames(3);
    fresh.frames(3);
    EXPECT_EQ(fresh.all<Pickup>().size(), 1u);
    EXPECT_EQ(state(fresh), state(game));
}

TEST(SaveOnce, N1_saving_and_loading_change_nothing) {
    Game game(250, 4);
    Game other(250, 4);
    for (int i = 0; i < 300; ++i) {
        if (i % 10 == 5) {
            const Bytes saved = save(game);
            load(game, saved);
            EXPECT_EQ(save(game), saved);
            EXPECT_EQ(game.room.visited("AnimationRenderer"), 0u) << "nothing differs";
        }
        play_frame(game, i);
        play_frame(other, i);
        ASSERT_EQ(state(game), state(other)) << "in frame " << i;
    }
}

}  // namespace
}  // namespace crate_room
