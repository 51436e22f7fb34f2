// From room to room, through doors and after a death.
#include <set>

#include "level/layout.hpp"
#include "play.hpp"
#include "systems/presentation/effects.hpp"
#include "systems/presentation/fade.hpp"
#include "systems/presentation/hud.hpp"

namespace crate_room {
namespace {

void go_to_door(Game& game) {
    const auto door = game.all<Door>().front();
    game.put(game.player(), {game.at(door).x, game.at(door).y + 26});
    game.room.input.move_y = -1;
}

TEST(Level, a_door_leads_to_the_next_room_and_the_systems_stay) {
    Game game(300);
    const auto systems = game.ecs.systems();
    const auto old = game.player();
    const std::uint64_t first = game.room.state_hash();
    go_to_door(game);
    ASSERT_TRUE(game.until([&] { return game.rooms_entered == 1; }));
    EXPECT_EQ(game.room.level().place().number, 2u);
    EXPECT_FALSE(game.ecs.alive(old));
    EXPECT_TRUE(game.ecs.alive(game.player()));
    EXPECT_EQ(game.all<Crate>().size(), 300u);
    EXPECT_NE(game.room.state_hash(), first) << "it is another room";
    EXPECT_EQ(game.ecs.systems(), systems);
}

TEST(Level, between_two_rooms_input_has_no_effect_and_the_screen_is_dark) {
    Game game(300);
    game.frames(40);
    go_to_door(game);
    const auto& fade = game.ecs.get_system<Fade>();
    ASSERT_TRUE(game.until([&] { return fade.darkness() > 0; }));
    game.room.input = {.move_x = 1};
    game.frame();
    const float stopped = game.at(game.player()).x;
    game.frames(5);
    EXPECT_EQ(game.at(game.player()).x, stopped);
    ASSERT_TRUE(game.until([&] { return game.rooms_entered == 1; }));
    EXPECT_GT(fade.darkness(), 0.9f);
    const float start = game.at(game.player()).x;
    game.frames(5);
    EXPECT_EQ(game.at(game.player()).x, start);
    game.frames(60);
    EXPECT_GT(game.at(game.player()).x, start);
    EXPECT_EQ(fade.darkness(), 0);
}

TEST(Level, K1_the_pool_of_effects_is_filled_again_in_each_room) {
    Game game(300);
    go_to_door(game);
    ASSERT_TRUE(game.until([&] { return game.rooms_entered == 1; }));
    EXPECT_EQ(game.all<Pooled>().size(), Effects::POOL);
    game.ecs.events.dispatch(Effect{EffectKind::spark, 50, 50});
    game.frame();
    EXPECT_EQ(game.ecs.get_system<Effects>().tracked().size(), 1u);
    game.frames(60);
    EXPECT_EQ(game.ecs.get_system<Effects>().tracked().size(), 0u) << "the entity is in the pool again";
}

TEST(Level, after_a_death_the_same_room_starts_again) {
    Game game(300);
    const std::uint64_t fresh = game.room.state_hash();
    game.frames(40);
    game.ecs.modify<Health>(game.player(), [](Health& h) { h.now = 1; });
    const Position at = game.at(game.player());
    game.clear_around(at);
    const auto attacker = game.dummy({at.x, at.y + 20});
    game.ecs.modify<Intent>(attacker, [](Intent& i) { i = {.aim_x = 0, .aim_y = -1, .swing = true}; });
    ASSERT_TRUE(game.until([&] { return game.ecs.has<Dead>(game.player()); }));
    game.frame();
    EXPECT_FALSE(game.ecs.get_system<Hud>().words().quads().empty()) << "a text says why the screen darkens";
    ASSERT_TRUE(game.until([&] { return game.rooms_entered == 1; }));
    EXPECT_EQ(game.room.level().place().number, 1u);
    EXPECT_EQ(game.ecs.get<Health>(game.player()).now, game.ecs.get<Health>(game.player()).most);
    // The same room, one frame later.
    Game same(300);
    ASSERT_EQ(same.room.state_hash(), fresh);
    same.frame();
    EXPECT_EQ(game.room.state_hash(), same.room.state_hash());
    EXPECT_TRUE(game.ecs.get_system<Hud>().words().quads().empty());
}

TEST(Level, a_heart_heals_a_damaged_player_and_stays_if_the_health_is_full) {
    Game game(300);
    game.frames(30);
    const Position at = game.at(game.player());
    const auto heart = game.ecs.add_entity();
    game.ecs.add<Position>(heart, at);
    game.ecs.add<Sprite>(heart, {.frame = frames::PICKUP});
    game.ecs.add<CollisionShape>(heart, {.half_width = 3, .half_height = 3, .kinds = SENSOR});
    game.ecs.add<Pickup>(heart);
    game.frames(3);
    EXPECT_TRUE(game.ecs.alive(heart));
    game.ecs.modify<Health>(game.player(), [](Health& h) { h.now = 2; });
    game.room.input.move_x = 0.2f;
    game.frames(3);
    EXPECT_FALSE(game.ecs.alive(heart));
    EXPECT_EQ(game.ecs.get<Health>(game.player()).now, 3);
}

TEST(Layout, in_a_large_room_no_guard_is_alarmed_at_the_start) {
    for (std::uint32_t seed = 1; seed < 20; ++seed) {
        const Layout plan = plan_room(seed, 5000, 3);
        ASSERT_EQ(plan.guards.size(), 3u);
        for (const auto& [x, y, kind] : plan.guards)
            EXPECT_GE(std::hypot(static_cast<float>(x - plan.player_x), static_cast<float>(y - plan.player_y)) * TILE,
                      160);
    }
}

TEST(Layout, a_room_has_the_requested_crates_and_guards_and_no_tile_is_used_twice) {
    for (const std::uint32_t crates : {100u, 777u, 20000u}) {
        const Layout plan = plan_room(9, crates, 6);
        EXPECT_EQ(plan.crates.size(), crates);
        EXPECT_EQ(plan.guards.size(), 6u);
        EXPECT_GE(plan.doors.size(), 1u);
        std::set<std::pair<int, int>> taken;
        for (const auto* things : {&plan.crates, &plan.pillars, &plan.guards}) {
            for (const auto& [x, y, kind] : *things) {
                EXPECT_TRUE(taken.insert({x, y}).second);
                EXPECT_TRUE(x > 0 && y > 0 && x < plan.width - 1 && y < plan.height - 1);
            }
        }
        for (const auto& door : plan.doors)
            EXPECT_FALSE(taken.contains({door.x, 1})) << "the ground in front of a door is free";
    }
}

}  // namespace
}  // namespace crate_room
