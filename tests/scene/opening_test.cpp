// The explosions around the player at the start of a run.
#include "level/opening.hpp"

#include <algorithm>
#include <numbers>

#include "play.hpp"

namespace crate_room {
namespace {

constexpr int LASTS = 5 * 60;  // frames

/// Starts another run, with an opening.
void begin(Game& game, std::uint32_t seed, std::uint32_t crates, int guards = -1) {
    game.ecs.clear();
    game.room.begin(seed, crates, guards, true);
}

bool burns(Game& game) { return !game.all<Fuse>().empty() || !game.all<Exploding>().empty(); }

TEST(Opening, lasts_four_to_five_seconds_and_then_nothing_burns) {
    for (const std::uint32_t seed : {1u, 2u, 3u, 7u, 99u}) {
        Game game;
        begin(game, seed, 5000);
        game.frames(4 * 60);
        EXPECT_TRUE(burns(game)) << "seed " << seed;
        game.frames(60);
        EXPECT_FALSE(burns(game)) << "seed " << seed;
        game.frames(30);  // until no crate shakes
        EXPECT_EQ(game.all<Attack>().size() + game.all<Shuddering>().size(), 0u) << "seed " << seed;
    }
}

TEST(Opening, about_fifty_crates_burst_one_after_the_other_and_all_figures_stay_unhurt) {
    const auto check = [](std::uint32_t seed, std::uint32_t crates, std::size_t fewest) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(crates) + " crates");
        Game game;
        begin(game, seed, crates);
        for (const Entity charge : game.all<Fuse>()) {
            const Position at = game.at(charge);
            const Position player = game.at(game.player());
            EXPECT_GT(std::hypot(at.x - player.x, at.y - player.y), 60);
            EXPECT_LT(std::hypot(at.x - player.x, at.y - player.y), 150);
        }
        std::size_t left = crates;
        std::size_t most = 0;
        for (int i = 0; i < LASTS; ++i) {
            game.frame();
            const std::size_t now = game.all<Crate>().size();
            most = std::max(most, left - now);
            left = now;
        }
        EXPECT_GE(crates - left, fewest);
        EXPECT_LE(crates - left, 60u);
        EXPECT_LE(most, 8u) << "in one frame";
        for (const Entity figure : game.all<Figure>()) {
            const auto& health = game.ecs.get<Health>(figure);
            EXPECT_EQ(health.now, health.most);
        }
        EXPECT_GE(game.all<Guard>().size(), 2u);
    };
    for (std::uint32_t seed = 1; seed <= 25; ++seed) check(seed, 5000, 35);
    for (std::uint32_t seed = 1; seed <= 10; ++seed) check(seed, 700, 30);
    for (std::uint32_t seed = 1; seed <= 10; ++seed) check(seed, 100, 20);
}

TEST(Opening, the_explosions_go_once_around_the_player) {
    Game game;
    begin(game, 7, 5000);
    const Position middle = game.at(game.player());
    std::vector<Position> blasts;
    for (int i = 0; i < LASTS; ++i) {
        game.frame();
        for (const Entity e : game.all<Attack>()) {
            if (blasts.empty() || blasts.back().x != game.at(e).x || blasts.back().y != game.at(e).y)
                blasts.push_back(game.at(e));
        }
    }
    EXPECT_GE(blasts.size(), 10u);
    float turned = 0;
    for (std::size_t i = 0; i < blasts.size(); ++i) {
        const float x = blasts[i].x - middle.x;
        const float y = blasts[i].y - middle.y;
        if (i == 0) continue;
        const float before = std::atan2(blasts[i - 1].y - middle.y, blasts[i - 1].x - middle.x);
        const float step = std::remainder(std::atan2(y, x) - before, 2 * std::numbers::pi_v<float>);
        EXPECT_GT(step, -0.1f) << "always in the same direction";
        EXPECT_LT(step, 1.2f);
        turned += step;
    }
    EXPECT_GT(turned, 5);
}

TEST(Opening, a_replay_includes_it) {
    Game game;
    begin(game, 7, 1000, 3);
    for (int i = 0; i < LASTS; ++i) {
        game.room.input = {.move_x = i < 60 ? 1.0f : 0.0f};
        game.frame();
    }
    const std::uint64_t hash = game.room.state_hash();
    const std::size_t crates = game.all<Crate>().size();
    game.ecs.clear();
    game.room.replay();
    while (game.room.recording().replaying()) game.frame();
    EXPECT_EQ(game.room.state_hash(), hash);
    EXPECT_EQ(game.all<Crate>().size(), crates);
    EXPECT_LT(crates, 1000u);
}

TEST(Opening, is_not_repeated_in_the_next_room_and_not_after_a_death) {
    Game game;
    begin(game, 7, 1000, 0);
    game.ecs.events.dispatch(DoorEntered{});
    ASSERT_TRUE(game.until([&] { return game.rooms_entered == 1; }));
    EXPECT_TRUE(game.all<Fuse>().empty());
    begin(game, 7, 1000, 0);
    game.ecs.events.dispatch(PlayerDied{});
    ASSERT_TRUE(game.until([&] { return game.rooms_entered == 2; }));
    EXPECT_TRUE(game.all<Fuse>().empty());
    EXPECT_EQ(game.all<Crate>().size(), 1000u);
}

TEST(Opening, a_room_without_crates_near_the_player_has_none) {
    Layout room;
    room.width = 60, room.height = 40;
    room.player_x = 30, room.player_y = 20;
    room.crates = {{2, 2, 0}, {57, 37, 0}};
    add_opening(room, 7);
    EXPECT_TRUE(room.burning.empty());
    room.crates.clear();
    add_opening(room, 7);
    EXPECT_TRUE(room.burning.empty());
}

}  // namespace
}  // namespace crate_room
