// Blows, shields, damage and their consequences.
#include "play.hpp"
#include "systems/actions/blasts.hpp"
#include "systems/logic/attacks.hpp"
#include "systems/presentation/effects.hpp"

namespace crate_room {
namespace {

constexpr std::uint8_t PLAIN = 0;

bool is_plain(const Crate& crate) { return crate.kind == PLAIN; }
bool is_iron(const Crate& crate) { return crate.kind == frames::IRON; }

void strike(Game& game) {
    game.room.input = {.strike = true};
    game.frames(2);
    game.room.input = {};
    game.frames(24);
}

TEST(Combat, a_blow_makes_a_crate_burst_and_it_is_removed_soon_after) {
    Game game(400);
    const auto crate = game.crate(is_plain);
    game.stand_below(crate);
    ASSERT_TRUE(game.until([&] { return game.ecs.alive(crate) && game.ecs.has<CollisionShape>(crate); }));
    game.frames(20);  // until input controls the player
    game.room.input.strike = true;
    ASSERT_TRUE(game.until([&] { return game.ecs.has<Exploding>(crate); }));
    EXPECT_FALSE(game.ecs.has<CollisionShape>(crate)) << "a bursting crate is no obstacle";
    EXPECT_GE(game.ecs.get<Animation>(crate).first, frames::BURST);
    game.room.input.strike = false;
    EXPECT_TRUE(game.until([&] { return !game.ecs.alive(crate); }));
}

TEST(Combat, M2_a_blow_that_is_pressed_in_a_frame_without_game_time_happens_in_the_next_frame_with_game_time) {
    Game game;
    game.frames(30);
    game.ecs.slow_motion().style = crateful::SlowMotion::Style::step;
    game.ecs.slow_motion().request(4, 10);
    while (game.frame() == 0) {
    }
    const Position at = game.at(game.player());
    game.room.input = {.strike = true, .aimed = true, .pointer_x = at.x + 50, .pointer_y = at.y};
    ASSERT_EQ(game.frame(), 0);
    game.room.input = {};
    while (game.frame() == 0) game.room.input = {};
    EXPECT_TRUE(game.ecs.has<Swinging>(game.player()));
    EXPECT_EQ(game.ecs.get<Facing>(game.player()).x, 1) << "in the direction that it was aimed";
}

TEST(Combat, an_iron_crate_shudders_first) {
    Game game(600);
    const auto crate = game.crate(is_iron);
    ASSERT_NE(crate, NONE);
    game.stand_below(crate);
    game.frames(20);
    strike(game);
    ASSERT_TRUE(game.ecs.alive(crate));
    EXPECT_EQ(game.ecs.get<Health>(crate).now, 1);
    EXPECT_TRUE(game.until([&] { return !game.ecs.has<Shuddering>(crate); }));
    EXPECT_EQ(game.ecs.get<Animation>(crate).count, 1) << "it is at rest again";
    strike(game);
    EXPECT_TRUE(game.until([&] { return !game.ecs.alive(crate); }));
}

TEST(Combat, powder_makes_its_neighbours_burst_and_lights_further_powder) {
    Game game(2000, 0, 5);
    const auto powder = [&] {
        std::size_t n = 0;
        for (const auto e : game.all<Crate>()) n += game.ecs.get<Crate>(e).powder ? 1 : 0;
        return n;
    };
    const std::size_t before = powder();
    const std::size_t crates = game.all<Crate>().size();
    ASSERT_GT(before, 20u);
    const auto fuse = game.crate([](const Crate& c) { return c.powder; });
    game.ecs.events.dispatch(Blast{game.at(fuse).x, game.at(fuse).y});
    game.frames(240);
    EXPECT_EQ(game.all<Fuse>().size(), 0u) << "no powder burns any more";
    EXPECT_LT(powder(), before);
    EXPECT_LT(game.all<Crate>().size(), crates - 3);
}

/// Strikes the nearest powder and stays beside it. Returns NONE if it does not burn then.
Entity light_powder(Game& game) {
    const auto crate = game.crate([](const Crate& c) { return c.powder; });
    game.stand_below(crate);
    game.frames(20);
    game.room.input.strike = true;
    const bool burns = game.until([&] { return game.ecs.has<Fuse>(crate); });
    game.room.input = {};
    return burns ? crate : NONE;
}

TEST(Combat, powder_that_was_struck_explodes_late_enough_to_walk_away) {
    Game game(2000, 0, 5);
    const auto crate = light_powder(game);
    ASSERT_NE(crate, NONE);
    game.room.input = {.move_y = 1};
    ASSERT_TRUE(game.until([&] { return !game.ecs.alive(crate) || game.ecs.has<Exploding>(crate); }));
    game.frames(20);
    EXPECT_EQ(game.ecs.get<Health>(game.player()).now, game.ecs.get<Health>(game.player()).most);
}

TEST(Combat, a_player_that_stays_beside_burning_powder_loses_a_heart) {
    Game game(2000, 0, 5);
    ASSERT_NE(light_powder(game), NONE);
    EXPECT_TRUE(game.until(
        [&] { return game.ecs.get<Health>(game.player()).now == game.ecs.get<Health>(game.player()).most - 1; }));
}

TEST(Combat, K1_burning_powder_does_not_explode_in_the_next_room) {
    Game game(400);
    const auto crate = game.crate();
    game.ecs.add<Fuse>(crate, {0.3f});
    game.frame();
    game.ecs.events.dispatch(Blast{game.at(crate).x, game.at(crate).y});  // for the next frame
    game.ecs.clear();
    game.room.begin(3, 400, 0);
    game.frames(60);
    EXPECT_EQ(game.all<Crate>().size(), 400u);
}

TEST(Combat, one_blow_damages_a_figure_once) {
    Game game(400);
    game.clear_around(game.at(game.player()));
    const Position at = game.at(game.player());
    const auto dummy = game.dummy({at.x, at.y + 16}, 5);
    game.frames(20);
    game.room.input = {.move_y = 0, .strike = true, .aimed = true, .pointer_x = at.x, .pointer_y = at.y + 20};
    ASSERT_TRUE(game.until([&] { return game.ecs.get<Health>(dummy).now < 5; }));
    game.room.input = {};
    game.frames(6);
    EXPECT_EQ(game.ecs.get<Health>(dummy).now, 4);
    EXPECT_GT(game.at(dummy).y, at.y + 18) << "it is pushed back";
}

TEST(Combat, a_shield_that_faces_a_blow_stops_it_and_the_attacker_staggers) {
    Game game(400);
    game.clear_around(game.at(game.player()));
    const Position at = game.at(game.player());
    const auto attacker = game.dummy({at.x, at.y + 22});
    game.frames(20);
    game.room.input = {.defend = true, .shield_aimed = true, .pointer_x = at.x, .pointer_y = at.y + 30};
    game.frames(3);
    ASSERT_TRUE(game.ecs.has<Defending>(game.player()));
    game.ecs.modify<Intent>(attacker, [](Intent& i) { i = {.aim_x = 0, .aim_y = -1, .swing = true}; });
    ASSERT_TRUE(game.until([&] { return game.ecs.has<Staggered>(attacker); }));
    EXPECT_EQ(game.ecs.get<Health>(game.player()).now, game.ecs.get<Health>(game.player()).most);
    EXPECT_EQ(game.all<Attack>().size(), 0u) << "the blow is over";
}

TEST(Combat, a_shield_that_faces_another_direction_stops_nothing) {
    Game game(400);
    game.clear_around(game.at(game.player()));
    const Position at = game.at(game.player());
    const auto attacker = game.dummy({at.x, at.y + 22});
    game.frames(20);
    game.room.input = {.defend = true, .shield_aimed = true, .pointer_x = at.x, .pointer_y = at.y - 30};
    game.frames(3);
    game.ecs.modify<Intent>(attacker, [](Intent& i) { i = {.aim_x = 0, .aim_y = -1, .swing = true}; });
    EXPECT_TRUE(
        game.until([&] { return game.ecs.get<Health>(game.player()).now < game.ecs.get<Health>(game.player()).most; }));
}

TEST(Combat, a_shield_faces_where_its_holder_walks_unless_it_is_aimed) {
    Game game;
    game.frames(30);
    game.room.input = {.move_x = 1, .defend = true};
    game.frames(3);
    EXPECT_EQ(game.ecs.get<Facing>(game.player()).x, 1);
    game.room.input = {.move_x = 1,
                       .defend = true,
                       .shield_aimed = true,
                       .pointer_x = game.at(game.player()).x,
                       .pointer_y = game.at(game.player()).y - 50};
    game.frames(3);
    EXPECT_LT(game.ecs.get<Facing>(game.player()).y, -0.9f);
}

TEST(Combat, a_shield_is_removed_together_with_its_holder) {
    Game game(400);
    const auto holder = game.dummy({100, 100});
    game.ecs.modify<Intent>(holder, [](Intent& i) { i.defend = true; });
    game.frames(2);
    ASSERT_EQ(game.all<Shield>().size(), 1u);
    game.ecs.remove_entity(holder);
    game.frames(2);
    EXPECT_EQ(game.all<Shield>().size(), 0u);
}

TEST(Combat, guards_do_not_hurt_each_other) {
    Game game(400);
    game.clear_around({200, 140});
    const auto one = game.dummy({200, 140});
    const auto other = game.dummy({200, 156});
    game.ecs.modify<Intent>(one, [](Intent& i) { i = {.aim_x = 0, .aim_y = 1, .swing = true}; });
    game.frames(60);
    EXPECT_EQ(game.ecs.get<Health>(other).now, 2);
}

TEST(Combat, a_dead_guard_is_no_obstacle_and_is_removed_after_a_while) {
    Game game(400);
    game.clear_around(game.at(game.player()));
    const Position at = game.at(game.player());
    const auto guard = game.dummy({at.x, at.y + 16}, 1);
    game.ecs.add<Guard>(guard);
    game.frames(20);
    game.room.input = {.strike = true, .aimed = true, .pointer_x = at.x, .pointer_y = at.y + 20};
    ASSERT_TRUE(game.until([&] { return game.ecs.has<Dead>(guard); }));
    game.room.input = {};
    EXPECT_FALSE(game.ecs.has<CollisionShape>(guard));
    game.frame();
    EXPECT_EQ(game.ecs.get<Animation>(guard).first, frames::death(frames::GUARD).first);
    EXPECT_TRUE(game.until([&] { return !game.ecs.alive(guard); }));
}

/// A guard at that distance to the right of the player, with free ground around both.
Entity guard_beside(Game& game, float distance) {
    game.clear_around(game.at(game.player()), 120);
    const Position at = game.at(game.player());
    const Entity guard = game.dummy({at.x + distance, at.y}, 9);
    game.ecs.add<Guard>(guard);
    return guard;
}

bool hurt(Game& game) {
    const auto& health = game.ecs.get<Health>(game.player());
    return health.now < health.most;
}

TEST(Combat, a_guard_near_the_player_attacks_and_a_distant_one_stands_still) {
    Game game(400);
    guard_beside(game, 60);
    const auto far = guard_beside(game, -190);
    const Position stood = game.at(far);
    game.frames(20);
    strike(game);
    EXPECT_TRUE(game.until([&] { return hurt(game); }));
    EXPECT_EQ(game.at(far).x, stood.x);
}

TEST(Combat, guards_stand_still_until_the_players_first_blow_and_a_shield_is_no_blow) {
    Game game(400);
    const auto guard = guard_beside(game, 60);
    const Position stood = game.at(guard);
    game.room.input = {.defend = true};
    game.frames(200);
    ASSERT_TRUE(game.ecs.has<Defending>(game.player()));
    EXPECT_EQ(game.at(guard).x, stood.x);
    game.room.input = {.strike = true, .defend = true};  // a figure that defends itself cannot strike
    game.frames(60);
    EXPECT_EQ(game.at(guard).x, stood.x);
    game.room.input = {};
    game.frames(2);
    strike(game);
    EXPECT_LT(game.at(guard).x, stood.x);
}

TEST(Combat, a_blow_that_was_not_struck_does_not_provoke_guards_and_neither_does_one_of_an_earlier_run) {
    Game game(400);
    auto guard = guard_beside(game, 60);
    const Position stood = game.at(guard);
    game.room.input = {.strike = true};
    game.frames(3);  // input does not control the player yet
    game.room.input = {};
    game.frames(120);
    EXPECT_EQ(game.at(guard).x, stood.x);
    strike(game);
    EXPECT_LT(game.at(guard).x, stood.x);
    game.ecs.clear();
    game.room.begin(3, 400, 0);
    guard = guard_beside(game, 60);
    game.frames(120);
    EXPECT_EQ(game.at(guard).x, stood.x);
}

TEST(Combat, guards_that_were_provoked_stay_so_in_the_next_room) {
    Game game(400);
    game.frames(20);
    strike(game);
    for (int room = 1; room <= 2; ++room) {
        game.ecs.events.dispatch(DoorEntered{});
        ASSERT_TRUE(game.until([&] { return game.rooms_entered == room; }));
    }
    guard_beside(game, 60);
    EXPECT_TRUE(game.until([&] { return hurt(game); }));
}

TEST(Combat, guards_that_were_provoked_stay_so_after_a_death) {
    Game game(400);
    game.frames(20);
    strike(game);
    guard_beside(game, 60);
    game.ecs.modify<Health>(game.player(), [](Health& h) { h.now = 1; });
    ASSERT_TRUE(game.until([&] { return game.rooms_entered == 1; }));
    guard_beside(game, 60);
    EXPECT_TRUE(game.until([&] { return hurt(game); }));
}

TEST(Combat, calm_guards_stop_lower_their_shields_and_break_off_their_blows) {
    Game game(400);
    const auto guard = guard_beside(game, 100);
    game.frames(20);
    strike(game);
    const float stood = game.at(guard).x;
    ASSERT_TRUE(game.until([&] { return game.at(guard).x < stood - 5; })) << "it approaches";
    game.room.input.calm = true;
    game.frame();
    const float stopped = game.at(guard).x;
    game.frames(60);
    EXPECT_EQ(game.at(guard).x, stopped);

    game.room.input.calm = false;
    ASSERT_TRUE(game.until([&] { return game.ecs.has<Swinging>(guard); }));
    game.room.input.calm = true;
    game.frames(120);
    EXPECT_FALSE(hurt(game));
    EXPECT_FALSE(game.ecs.has<Swinging>(guard));

    game.room.input = {.strike = true, .aimed = true, .pointer_x = 0, .pointer_y = game.at(game.player()).y};
    ASSERT_TRUE(game.until([&] { return game.ecs.has<Defending>(guard); })) << "it reacts to blows";
    game.room.input = {.calm = true};
    game.frames(2);
    EXPECT_FALSE(game.ecs.has<Defending>(guard));
    EXPECT_EQ(game.all<Shield>().size(), 0u);
    game.room.input = {};
    EXPECT_TRUE(game.until([&] { return hurt(game); })) << "afterwards it attacks again";
}

}  // namespace
}  // namespace crate_room
