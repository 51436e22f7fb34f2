// The quads, overlays and sounds that systems produce, without a screen.
#include <algorithm>

#include "play.hpp"
#include "systems/presentation/audio.hpp"
#include "systems/presentation/hud.hpp"

namespace crate_room {
namespace {

TEST(SpriteBatch, D10_a_room_at_rest_writes_no_quad_and_computes_the_visible_sprites_once) {
    Game game(3000);
    game.frames(120);
    auto& sprites = game.room.sprites();
    static_cast<void>(sprites.visible(game.room.view));
    sprites.uploaded();
    const std::uint32_t changes = sprites.changes();
    game.frames(5);
    static_cast<void>(sprites.visible(game.room.view));
    EXPECT_TRUE(sprites.written().empty());
    EXPECT_EQ(sprites.changes(), changes);
}

TEST(SpriteBatch, one_crate_that_moves_writes_one_quad) {
    Game game(3000);
    game.frames(120);
    game.room.sprites().uploaded();
    const auto crate = game.crate();
    game.put(crate, {game.at(crate).x + 3, game.at(crate).y});
    game.frame();
    ASSERT_EQ(game.room.sprites().written().size(), 1u);
    const auto slot = game.room.sprites().written().front();
    EXPECT_NEAR(game.room.sprites().quads()[slot][0].x, game.at(crate).x, 1e-4);
}

TEST(SpriteBatch, visible_sprites_are_inside_the_view_and_sorted_from_back_to_front) {
    Game game(5000);
    for (const Entity e : game.all<Weapon>())
        game.ecs.remove_entity(e);  // they are above the ground (attachments_test.cpp)
    game.frames(30);
    const auto& visible = game.room.sprites().visible(game.room.view);
    const auto quads = game.room.sprites().quads();
    EXPECT_GT(visible.size(), 20u);
    EXPECT_LT(visible.size(), 1000u);
    for (const auto slot : visible) {
        EXPECT_GE(quads[slot][2].x, game.room.view.left());
        EXPECT_LE(quads[slot][0].y, game.room.view.bottom());
    }
    // The blank atlas has its anchors in the upper left corner, so a quad's corner is its position.
    EXPECT_TRUE(std::is_sorted(visible.begin(), visible.end(),
                               [&](auto a, auto b) { return quads[a][0].y < quads[b][0].y - 1.01f; }));
}

TEST(SpriteBatch, a_removed_entity_is_not_visible) {
    Game game(3000);
    game.frames(30);
    const std::size_t before = game.room.sprites().visible(game.room.view).size();
    const auto crate = game.crate();
    game.ecs.remove_entity(crate);
    game.frame();
    EXPECT_EQ(game.room.sprites().visible(game.room.view).size(), before - 1);
}

TEST(Debug, S5_debug_systems_run_while_the_game_is_paused) {
    Game game;
    game.frames(10);
    game.room.set_enabled("DebugCollision", true);
    game.ecs.set_paused(true);
    const auto runs = game.room.inspection().runs();
    game.frames(4);
    EXPECT_EQ(game.room.inspection().runs(), runs + 4);
    const auto drawn = [&] {
        std::size_t quads = 0;
        for (const Overlay* overlay : game.room.room_overlays()) quads += overlay->quads().size();
        return quads;
    };
    EXPECT_GT(drawn(), 100u);
    game.room.set_enabled("DebugCollision", false);
    EXPECT_EQ(drawn(), 0u) << "S4: a disabled system removes its drawings";
}

TEST(Debug, the_heat_view_marks_exactly_the_dirty_entities) {
    Game game(3000);
    game.frames(60);
    game.room.set_enabled("DebugHeat", true);
    game.frame();
    EXPECT_EQ(game.room.heat().heated(), 0u);
    EXPECT_FALSE(game.room.heat().legend().quads().empty()) << "at rest it shows that it is enabled";
    game.room.heat().chosen = "AnimationRenderer";
    const auto crate = game.crate();
    game.put(crate, {game.at(crate).x + 1, game.at(crate).y});
    game.frame();
    EXPECT_EQ(game.room.heat().heated(), 1u);
    game.frame();
    EXPECT_EQ(game.room.heat().heated(), 0u);
    game.room.tracking.on = false;
    game.frame();
    EXPECT_GT(game.room.heat().heated(), 3000u);
}

TEST(Debug, a_picked_entity_stays_picked_until_it_is_removed) {
    Game game(3000);
    game.frames(60);
    const auto crate = game.crate();
    game.clear_around(game.at(crate));  // no other crate may be in front of it
    game.room.input = {.pick = true, .pointing = true, .pointer_x = game.at(crate).x, .pointer_y = game.at(crate).y};
    game.frame();
    EXPECT_EQ(game.room.inspection().found(), crate);
    game.room.input = {.pointing = true, .pointer_x = -100, .pointer_y = -100};
    game.frames(3);
    EXPECT_EQ(game.room.inspection().found(), crate);
    EXPECT_TRUE(game.room.inspection().picked());
    game.ecs.remove_entity(crate);
    game.frames(2);
    EXPECT_EQ(game.room.inspection().found(), NONE);
}

TEST(Hud, is_not_drawn_again_without_a_change) {
    Game game;
    game.frames(10);
    const auto& overlay = game.ecs.get_system<Hud>().overlay();
    const auto* quads = overlay.quads().data();
    const auto picture = overlay.quads().front();
    ASSERT_GT(overlay.quads().size(), 6u);
    game.frames(5);
    EXPECT_EQ(overlay.quads().data(), quads);
    EXPECT_EQ(overlay.quads().front()[0].x, picture[0].x);
    game.room.set_enabled("Hud", false);
    EXPECT_TRUE(overlay.quads().empty());
    game.room.set_enabled("Hud", true);
    game.frame();
    EXPECT_GT(overlay.quads().size(), 6u);
}

TEST(FollowCamera, centres_a_room_that_is_smaller_than_the_view_in_each_direction_separately) {
    Game game(100);
    const auto& [width, height] = game.room.extent();
    const auto view_of = [&](float view_width, float view_height, Position player) {
        game.room.view.width = view_width, game.room.view.height = view_height;
        game.put(game.player(), player);
        game.frames(150);
        return game.room.view;
    };
    const float centre_y = (height - Extent::ABOVE) / 2;
    for (const Position corner : {Position{30, 30}, Position{width - 30, height - 30}}) {
        game.clear_around(corner);
        View view = view_of(width, height + Extent::ABOVE, corner);
        EXPECT_EQ(view.x, width / 2);
        EXPECT_EQ(view.y, centre_y);
        view = view_of(100, 2 * height, corner);
        EXPECT_EQ(view.y, centre_y);
        EXPECT_NEAR(view.x, corner.x < 50 ? 50 - TILE / 2 : width - 50 + TILE / 2, 0.1f);
        view = view_of(2 * width, 100, corner);
        EXPECT_EQ(view.x, width / 2);
        EXPECT_LT(std::abs(view.y - corner.y), 50);
    }
}

TEST(Audio, at_most_three_sounds_of_a_kind_are_played_in_a_frame_and_no_distant_ones) {
    Game game;
    game.frames(5);
    static_cast<void>(game.room.take_sounds());
    const Position ear = game.at(game.player());
    for (int i = 0; i < 20; ++i) game.ecs.events.dispatch(Noise{Sound::smash, ear.x + 20, ear.y});
    game.ecs.events.dispatch(Noise{Sound::blast, ear.x + 5000, ear.y});
    game.frame();
    const auto sounds = game.room.take_sounds();
    ASSERT_EQ(sounds.size(), 3u);
    EXPECT_GT(sounds[0].pan, 0);
    EXPECT_TRUE(game.room.take_sounds().empty());
}

}  // namespace
}  // namespace crate_room
