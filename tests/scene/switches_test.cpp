// Every system can be disabled at any time and for any duration, without an error and without leftover entities.
#include "play.hpp"
#include "random.hpp"
#include "systems/logic/explosions.hpp"
#include "systems/presentation/effects.hpp"

namespace crate_room {
namespace {

void play_randomly(Game& game, Random& random, int frames) {
    for (int i = 0; i < frames; ++i) {
        game.room.input = {.move_x = random.between(-0.7f, 0.7f),
                           .move_y = random.between(-0.7f, 0.7f),
                           .strike = random.below(2) == 0,
                           .defend = random.below(9) == 0};
        game.frame();
    }
}

class Switches : public testing::TestWithParam<std::string> {};

TEST_P(Switches, S4_a_system_is_disabled_and_enabled_again_during_the_game) {
    Game game(500, 6, 5);
    Random random{7};
    play_randomly(game, random, 60);
    for (int round = 0; round < 3; ++round) {
        ASSERT_TRUE(game.room.set_enabled(GetParam(), false));
        ASSERT_NO_THROW(play_randomly(game, random, 80));
        ASSERT_TRUE(game.room.set_enabled(GetParam(), true));
        ASSERT_NO_THROW(play_randomly(game, random, 60));
    }
    const Position at = game.at(game.player());
    EXPECT_TRUE(std::isfinite(at.x) && std::isfinite(at.y));
    EXPECT_LT(game.all<Attack>().size(), 20u);
    EXPECT_LE(game.all<Shield>().size(), 7u);
}

std::vector<std::string> all_systems() {
    Game game;
    std::vector<std::string> names;
    for (const auto* system : game.ecs.systems()) names.push_back(system->name());
    return names;
}
INSTANTIATE_TEST_SUITE_P(Each, Switches, testing::ValuesIn(all_systems()), [](const auto& of) { return of.param; });

TEST(Switches, S4_a_player_outside_of_the_room_is_moved_back_when_CollisionMovement_is_enabled) {
    Game game(200);
    game.frames(30);
    game.room.set_enabled("CollisionMovement", false);
    game.put(game.player(), {-50, -50});
    game.frames(3);
    game.room.set_enabled("CollisionMovement", true);
    game.frames(3);
    EXPECT_GT(game.at(game.player()).x, 0);
    EXPECT_GT(game.at(game.player()).y, 0);
}

TEST(Switches, S4_the_player_stops_when_PlayerInput_is_disabled) {
    Game game(200);
    game.room.input.move_x = 0.5f;
    game.frames(40);
    game.room.set_enabled("PlayerInput", false);
    game.frame();
    const float x = game.at(game.player()).x;
    game.frames(10);
    EXPECT_EQ(game.at(game.player()).x, x);
}

TEST(Switches, S4_a_shield_is_lowered_when_Defend_is_disabled) {
    Game game(200);
    game.frames(30);
    game.room.input.defend = true;
    game.frames(3);
    ASSERT_EQ(game.all<Shield>().size(), 1u);
    game.room.set_enabled("Defend", false);
    game.frames(2);
    EXPECT_EQ(game.all<Shield>().size(), 0u);
    EXPECT_FALSE(game.ecs.has<Defending>(game.player()));
}

TEST(Switches, K1_another_room_can_be_created_in_a_world_whose_first_room_was_destroyed) {
    ECS ecs;
    {
        Room first(ecs, blank_atlas());
        first.begin(1, 200, 0);
        ecs.update();
    }
    EXPECT_TRUE(ecs.systems().empty());
    ecs.clear();
    Room second(ecs, blank_atlas());
    second.begin(2, 200, 3);
    ecs.events.dispatch(CrateSmashed{1, 2});  // the camera of the first room does not exist any more
    for (int i = 0; i < 60; ++i) second.end_frame(ecs.update(second.begin_frame(1.0 / 60)));
    EXPECT_EQ(ecs.storage<Crate>().count(), 200u);
}

TEST(Switches, effects_beyond_the_size_of_the_pool_are_not_shown_and_the_pool_is_complete_afterwards) {
    Game game;
    for (std::size_t i = 0; i < Effects::POOL + 5; ++i)
        game.ecs.events.dispatch(Effect{EffectKind::puff, static_cast<float>(i), 50});
    game.frame();
    EXPECT_EQ(game.ecs.get_system<Effects>().tracked().size(), Effects::POOL);
    game.frames(60);
    EXPECT_EQ(game.ecs.get_system<Effects>().tracked().size(), 0u);
    for (std::size_t i = 0; i < Effects::POOL; ++i) game.ecs.events.dispatch(Effect{EffectKind::puff, 20, 50});
    game.frame();
    EXPECT_EQ(game.ecs.get_system<Effects>().tracked().size(), Effects::POOL);
}

}  // namespace
}  // namespace crate_room
