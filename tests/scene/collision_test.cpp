// Boxes, discs, and collisions between figures and crates.
#include <numbers>

#include "geometry.hpp"
#include "play.hpp"
#include "systems/collision/collision_detection.hpp"

namespace crate_room {
namespace {

constexpr float EIGHTH = std::numbers::pi_v<float> / 4;

TEST(Geometry, boxes_overlap_if_they_share_ground) {
    const Box a({0, 0}, {.half_width = 10, .half_height = 2});
    EXPECT_TRUE(overlap(a, Box({11, 3}, {.half_width = 2, .half_height = 2})));
    EXPECT_FALSE(overlap(a, Box({13, 0}, {.half_width = 2, .half_height = 2})));
    EXPECT_FALSE(overlap(a, Box({0, 5}, {.half_width = 2, .half_height = 2})));
}

TEST(Geometry, a_rotated_box_overlaps_where_it_is_and_not_where_it_would_be_without_rotation) {
    const CollisionShape shape{.half_width = 10, .half_height = 1, .angle = EIGHTH};
    const Box rotated({0, 0}, shape);
    const CollisionShape small{.half_width = 1, .half_height = 1};
    EXPECT_TRUE(overlap(rotated, Box({6, 6}, small)));
    EXPECT_FALSE(overlap(rotated, Box({9, 0}, small)));
    // Their bounding boxes overlap; only an axis of the rotated box separates them.
    EXPECT_FALSE(overlap(rotated, Box({6, -6}, small)));
    EXPECT_FALSE(overlap(Box({6, -6}, small), rotated));
}

TEST(Geometry, a_disc_is_pushed_out_of_a_box_through_the_nearest_side) {
    const Box box({0, 0}, {.half_width = 8, .half_height = 8});
    const Contact beside = contact({10, 0}, 5, box);
    EXPECT_NEAR(beside.depth, 3, 1e-5);
    EXPECT_NEAR(beside.x, 1, 1e-5);
    EXPECT_LT(contact({14, 0}, 5, box).depth, 0);
    const Contact inside = contact({0, -6}, 5, box);
    EXPECT_NEAR(inside.depth, 7, 1e-5);
    EXPECT_NEAR(inside.y, -1, 1e-5);
    const Contact corner = contact({11, 11}, 5, box);
    EXPECT_NEAR(corner.depth, 5 - std::sqrt(18.0f), 1e-4);
}

TEST(Collision, a_player_that_walks_into_a_crate_stops_in_front_of_it) {
    Game game(400);
    const auto crate = game.crate();
    game.stand_below(crate);
    game.put(game.player(), {game.at(crate).x, game.at(crate).y + 20});
    game.room.input = {.move_y = -1};
    game.frames(90);
    EXPECT_NEAR(game.at(game.player()).y - game.at(crate).y, 12, 0.1) << "half a crate and a radius";
}

TEST(Collision, a_player_cannot_leave_the_room) {
    for (const auto& [x, y] : {std::pair{-1.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}}) {
        Game game(120);
        for (const auto e : game.all<Crate>()) game.ecs.remove_entity(e);
        game.room.input = {.move_x = x, .move_y = y};
        game.frames(400);
        const Position at = game.at(game.player());
        EXPECT_GE(at.x, TILE + 4);
        EXPECT_LE(at.x, game.room.extent().width - TILE - 4);
        EXPECT_LE(at.y, game.room.extent().height - TILE - 4);
    }
}

TEST(Collision, figures_are_moved_out_of_each_other) {
    Game game(200);
    game.clear_around({100, 100});
    const auto one = game.dummy({100, 100});
    const auto other = game.dummy({103, 100});
    game.frames(10);
    EXPECT_GE(std::hypot(game.at(one).x - game.at(other).x, game.at(one).y - game.at(other).y), 9.9f);
}

TEST(Collision, a_touch_that_was_found_from_both_sides_is_listed_once) {
    for (const bool tracking : {true, false}) {
        Game game(200);
        game.room.tracking.on = tracking;
        game.clear_around({100, 100});
        const auto one = game.dummy({100, 100});
        const auto other = game.dummy({104, 100});
        game.frame();  // both are new
        const auto& touches = game.room.contacts().touches(CollisionSet::mobile_mobile);
        ASSERT_EQ(touches.size(), 1u);
        EXPECT_EQ(touches[0].a, one) << "of two shapes in one row, the left one is the first";
        EXPECT_EQ(touches[0].b, other);
    }
}

TEST(Collision, pairs_of_kinds_without_a_collision_set_are_not_found) {
    Game game(200);
    game.clear_around({100, 100});
    const Contacts& contacts = game.room.contacts();
    const auto add = [&](std::uint8_t kinds) {
        const auto e = game.ecs.add_entity();
        game.ecs.add<Position>(e, {100, 100});
        game.ecs.add<CollisionShape>(e, {.half_width = 5, .half_height = 5, .kinds = kinds});
        return e;
    };
    add(SOLID), add(SOLID), add(VULNERABLE), add(SENSOR);
    game.ecs.add<Shield>(add(SHIELD));
    game.frame();
    for (int set = 0; set < static_cast<int>(CollisionSet::count); ++set)
        EXPECT_TRUE(contacts.touches(static_cast<CollisionSet>(set)).empty()) << set;
    const auto attack = add(ATTACK);
    game.ecs.add<Attack>(attack);
    game.frame();
    ASSERT_EQ(contacts.touches(CollisionSet::attack_vulnerable).size(), 1u);
    EXPECT_EQ(contacts.touches(CollisionSet::attack_vulnerable)[0].a, attack);
    EXPECT_EQ(contacts.touches(CollisionSet::shield_attack).size(), 1u);
    EXPECT_TRUE(contacts.touches(CollisionSet::mobile_solid).empty());
}

TEST(Collision, D10_a_room_at_rest_compares_nothing) {
    Game game(5000);
    game.frames(60);
    EXPECT_EQ(game.room.visited("CollisionDetection"), 0u);
    EXPECT_EQ(game.room.visited("SpatialHash"), 0u);
    EXPECT_EQ(game.room.visited("AnimationRenderer"), 0u);
    game.room.input.move_x = 1;
    game.frames(30);
    EXPECT_LE(game.room.visited("CollisionDetection"), 2u);
    EXPECT_GE(game.room.visited("CollisionDetection"), 1u);
    game.room.tracking.on = false;
    game.frame();
    EXPECT_GT(game.room.visited("CollisionDetection"), 5000u);
}

TEST(Collision, D8_a_change_after_SpatialHash_ran_is_visited_by_it_in_the_next_frame) {
    Game game(400);
    game.frames(30);
    const auto crate = game.crate();
    // A system that runs between SpatialHash (45) and AnimationRenderer (90).
    struct Nudge : System<> {
        Entity target = NONE;
        Nudge() { require<Player>(); }
        void update(double) override {
            if (target != NONE) ecs().modify<Position>(target, [](Position& p) { p.x += 2; });
            target = NONE;
        }
    };
    auto& nudge = game.ecs.add_system<Nudge>(65);
    game.frame();
    nudge.target = crate;
    game.frame();
    EXPECT_EQ(game.room.visited("SpatialHash"), 0u);
    EXPECT_EQ(game.room.visited("AnimationRenderer"), 1u);
    game.frame();
    EXPECT_EQ(game.room.visited("SpatialHash"), 1u);
    EXPECT_EQ(game.room.visited("AnimationRenderer"), 0u);
    game.frame();
    EXPECT_EQ(game.room.visited("SpatialHash"), 0u);
}

}  // namespace
}  // namespace crate_room
