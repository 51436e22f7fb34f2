// A room that is restored from a snapshot continues exactly as it would have.
#include <crateful/state.hpp>

#include <numbers>
#include <string>

#include "level/level.hpp"
#include "play.hpp"
#include "systems/actions/blasts.hpp"

namespace crate_room {
namespace {

using Bytes = std::vector<std::byte>;

Bytes save(const Game& game) { return crateful::snapshot(game.ecs, {.systems = true}); }
void load(Game& game, const Bytes& bytes) {
    crateful::restore(game.ecs, bytes);
    game.room.show_restored();
}

/// A frame of a fixed script: it walks, strikes and defends, into walls, crates and guards.
void saved_frame(Game& game, int i) {
    const float angle = 0.7f * static_cast<float>(i / 40);
    game.room.input = {.move_x = std::cos(angle),
                       .move_y = std::sin(angle),
                       .strike = i % 7 < 3,
                       .defend = i % 160 > 120,
                       .aimed = i % 14 < 7,
                       .pointer_x = 300 + 200 * std::cos(angle),
                       .pointer_y = 200};
    if (i % 90 == 30) {  // explosions and damage around the player
        const Position at = game.at(game.player());
        game.ecs.events.dispatch(Blast{at.x + 36, at.y}, 0.2);
        game.ecs.events.dispatch(Blast{at.x - 40, at.y + 20});
    }
    if (i % 700 == 650) game.ecs.events.dispatch(DoorEntered{});
    game.frame(i % 3 == 0 ? Game::FRAME : Game::FRAME * 1.3);
}

/// The state after each frame from `from` on.
std::vector<Bytes> states_of(Game& game, int from, int frames) {
    std::vector<Bytes> states;
    for (int i = from; i < from + frames; ++i) {
        saved_frame(game, i);
        states.push_back(crateful::snapshot(game.ecs));
    }
    return states;
}

void expect_equal(const std::vector<Bytes>& states, const std::vector<Bytes>& expected) {
    ASSERT_EQ(states.size(), expected.size());
    for (std::size_t i = 0; i < states.size(); ++i)
        ASSERT_TRUE(states[i] == expected[i]) << "in frame " << i << " after loading";
}

TEST(Save, N3_a_restored_room_continues_exactly_as_it_would_have) {
    Game game(300, 5);
    static_cast<void>(states_of(game, 0, 300));
    const Bytes saved = save(game);
    const std::vector<Bytes> expected = states_of(game, 300, 400);
    load(game, saved);
    expect_equal(states_of(game, 300, 400), expected);
    Game fresh(100, 1, 8);
    load(fresh, saved);
    expect_equal(states_of(fresh, 300, 400), expected);
}

}  // namespace
}  // namespace crate_room
