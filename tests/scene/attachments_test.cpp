// What figures hold: child entities that follow their figure.
#include <algorithm>

#include "play.hpp"

namespace crate_room {
namespace {

Entity weapon_of(Game& game, Entity figure) {
    for (const Entity weapon : game.all<Weapon>()) {
        if (game.ecs.parent(weapon) == figure) return weapon;
    }
    return NONE;
}

void face(Game& game, Entity figure, float x, float y) {
    game.ecs.modify<Facing>(figure, [&](Facing& f) { f = {x, y}; });
    game.frame();
}

/// Where an entity must be according to its Local.
Position expected(Game& game, Entity held) {
    const auto& local = game.ecs.get<Local>(held);
    const Entity parent = game.ecs.parent(held);
    const auto* angle = game.ecs.try_get<Angle>(parent);
    const float c = angle == nullptr ? 1 : std::cos(angle->radians);
    const float s = angle == nullptr ? 0 : std::sin(angle->radians);
    const Position at = game.at(parent);
    return {at.x + local.x * c - local.y * s, at.y + local.x * s + local.y * c};
}
#define EXPECT_IN_PLACE(game, held)                             \
    EXPECT_NEAR(game.at(held).x, expected(game, held).x, 1e-3); \
    EXPECT_NEAR(game.at(held).y, expected(game, held).y, 1e-3)

TEST(Attachments, D13_a_weapon_follows_its_figure_in_the_same_frame) {
    Game game;
    game.frames(30);
    const Entity weapon = weapon_of(game, game.player());
    const Position before = game.at(weapon);
    game.room.input.move_x = 1;
    for (int i = 0; i < 20; ++i) {
        game.frame();
        EXPECT_IN_PLACE(game, weapon);
    }
    EXPECT_GT(game.at(weapon).x, before.x + 10);
}

TEST(Attachments, D13_only_what_a_moved_figure_holds_is_placed) {
    Game game(600, 3);
    game.room.set_enabled("Ai", false);
    game.frames(30);
    ASSERT_EQ(game.all<Weapon>().size(), 4u);
    game.put(game.player(), {game.at(game.player()).x + 1, game.at(game.player()).y});
    game.frame();
    EXPECT_EQ(game.room.visited("Attachments"), 1u);
    EXPECT_EQ(game.room.visited("Wield"), 0u) << "it holds its weapon as before";
    game.frame();
    EXPECT_EQ(game.room.visited("Attachments"), 0u);
}

TEST(Attachments, D10_at_rest_no_weapon_is_visited_and_no_quad_is_written) {
    Game game(600, 3);
    game.room.set_enabled("Ai", false);
    game.frames(60);
    game.room.sprites().uploaded();
    for (int i = 0; i < 5; ++i) {
        game.frame();
        EXPECT_EQ(game.room.visited("Wield"), 0u);
        EXPECT_EQ(game.room.visited("Attachments"), 0u);
        EXPECT_EQ(game.room.visited("SpatialHash"), 0u);
    }
    EXPECT_TRUE(game.room.sprites().written().empty());
}

TEST(Attachments, D13_what_is_attached_to_a_weapon_follows_it_also_if_it_became_dirty_first) {
    Game game;
    game.frames(30);
    const Entity weapon = weapon_of(game, game.player());
    const Entity lamp = game.ecs.add_entity(Position{}, Angle{}, Sprite{}, Local{.x = 2});
    game.ecs.set_parent(lamp, weapon);
    game.frames(2);
    EXPECT_IN_PLACE(game, lamp);
    game.ecs.modify<Local>(lamp, [](Local& l) { l.x = 10; });
    game.put(game.player(), {game.at(game.player()).x + 3, game.at(game.player()).y});
    game.frame();
    EXPECT_EQ(game.room.visited("Attachments"), 2u);
    EXPECT_IN_PLACE(game, weapon);
    EXPECT_IN_PLACE(game, lamp);
    game.room.input.strike = true;
    for (int i = 0; i < 20; ++i) {
        game.frame();
        EXPECT_IN_PLACE(game, lamp);
        EXPECT_EQ(game.ecs.get<Angle>(lamp).radians, game.ecs.get<Angle>(weapon).radians);
    }
}

TEST(Attachments, H2_a_dead_guard_is_removed_together_with_its_sword) {
    Game game(600, 3);
    game.frames(30);
    const Entity guard = game.all<Guard>().front();
    const Entity sword = weapon_of(game, guard);
    ASSERT_NE(sword, NONE);
    game.ecs.add<Dead>(guard, {0.1f});
    game.frame();
    EXPECT_TRUE(game.ecs.alive(guard) && game.ecs.alive(sword)) << "it lies beside the guard";
    ASSERT_TRUE(game.until([&] { return !game.ecs.alive(guard); }));
    EXPECT_FALSE(game.ecs.alive(sword));
    EXPECT_EQ(game.all<Weapon>().size(), game.all<Figure>().size());
}

TEST(Wield, D12_a_weapon_moves_while_its_figure_strikes_and_then_rests_as_before) {
    Game game;
    game.frames(30);
    const Entity weapon = weapon_of(game, game.player());
    const float carried = game.ecs.get<Local>(weapon).angle;
    game.room.input.strike = true;
    game.frame();
    game.room.input = {};
    std::vector<float> angles;
    while (game.ecs.has<Swinging>(game.player())) {
        game.frame();
        EXPECT_IN_PLACE(game, weapon);
        angles.push_back(game.ecs.get<Local>(weapon).angle);
    }
    std::sort(angles.begin(), angles.end());
    EXPECT_GT(std::unique(angles.begin(), angles.end()) - angles.begin(), 6) << "not three pictures, as the figure has";
    EXPECT_EQ(game.ecs.get<Local>(weapon).angle, carried);
    game.frame();
    EXPECT_EQ(game.room.visited("Wield"), 0u);
}

TEST(Wield, a_weapon_is_on_the_mirrored_side_of_a_figure_that_faces_left) {
    Game game;
    game.frames(30);
    const Entity weapon = weapon_of(game, game.player());
    face(game, game.player(), 1, 0);
    const Local right = game.ecs.get<Local>(weapon);
    face(game, game.player(), -1, 0);
    const Local left = game.ecs.get<Local>(weapon);
    EXPECT_EQ(left.x, -right.x);
    EXPECT_EQ(left.y, right.y);
    EXPECT_NEAR(std::cos(left.angle), -std::cos(right.angle), 1e-5);
    EXPECT_NEAR(std::sin(left.angle), std::sin(right.angle), 1e-5);
}

TEST(Wield, a_hammer_is_drawn_behind_its_figure_seen_from_the_front_and_in_front_of_it_seen_from_behind) {
    Game game;
    game.frames(30);
    const Entity weapon = weapon_of(game, game.player());
    // When an entity is drawn: the blank atlas has its anchors in the upper left corner, so a quad's corner is its position.
    const auto turn = [&](Entity e) {
        const auto& visible = game.room.sprites().visible(game.room.view);
        const auto quads = game.room.sprites().quads();
        const Position at = game.at(e);
        return std::find_if(visible.begin(), visible.end(),
                            [&](auto slot) { return quads[slot][0].x == at.x && quads[slot][0].y == at.y; }) -
               visible.begin();
    };
    face(game, game.player(), 0, 1);
    EXPECT_LT(turn(weapon), turn(game.player()));
    face(game, game.player(), 0, -1);
    EXPECT_GT(turn(weapon), turn(game.player()));
}

TEST(Wield, a_weapon_has_a_picture_for_each_direction) {
    constexpr float TURN = 2 * std::numbers::pi_v<float>;
    EXPECT_EQ(frames::pointing(frames::SWORD, 0), frames::SWORD);
    EXPECT_EQ(frames::pointing(frames::SWORD, TURN / 4), frames::SWORD + frames::WEAPON_ANGLES / 4);
    EXPECT_EQ(frames::pointing(frames::SWORD, -TURN / 4), frames::SWORD + frames::WEAPON_ANGLES * 3 / 4);
    EXPECT_EQ(frames::pointing(frames::SWORD, 2 * TURN - 0.001f), frames::SWORD);
}

}  // namespace
}  // namespace crate_room
