#pragma once
// A fixed script of a fight, and what is drawn of it, to compare runs.
#include <array>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "level/level.hpp"
#include "play.hpp"
#include "systems/actions/blasts.hpp"

namespace crate_room {

using Bytes = std::vector<std::byte>;

inline constexpr int ROOM = 500;  // frames until a door
inline constexpr int SLOW = 180;  // the frame in which slow motion begins

/// Frame number `i` of a fixed script: it walks, strikes and defends, among explosions and guards.
inline void play_frame(Game& game, int i) {
    const float angle = 0.7f * static_cast<float>(i / 40);
    game.room.input = {.move_x = std::cos(angle),
                       .move_y = std::sin(angle),
                       .strike = i % 7 < 3,
                       .defend = i % 160 > 120,
                       .aimed = i % 14 < 7,
                       .pointer_x = 300 + 200 * std::cos(angle),
                       .pointer_y = 200};
    const Position at = game.at(game.player());
    if (i % 90 == 30) game.ecs.events.dispatch(Blast{at.x + 36, at.y}, 0.2);
    if (i % 60 == 50) game.ecs.events.dispatch(Blast{at.x - 25, at.y + 10});  // it hurts the player
    if (i % 50 == 20) {                                                       // a guard beside the player
        for (const Entity guard : game.all<Guard>()) {
            if (!game.ecs.has<Dead>(guard)) game.put(guard, {at.x + 20, at.y});
            break;
        }
    }
    if (i % 240 == 100) game.ecs.add_entity(Position{at.x + 12, at.y}, Pickup{}, CollisionShape{3, 3, 0, SENSOR});
    if (i == SLOW) {  // only every fourth frame has game time; a blow that is pressed in the others happens later
        game.ecs.slow_motion().style = crateful::SlowMotion::Style::step;
        game.ecs.slow_motion().request(4, 1);
    }
    if (i % ROOM == ROOM - 60) game.ecs.events.dispatch(DoorEntered{});
    game.frame(i % 3 == 0 ? Game::FRAME : Game::FRAME * 1.3);
}

/// What is drawn: all that the screen reads, in an order that does not depend on slots; sprites with their place from back to front.
inline std::multiset<std::string> picture(Game& game) {
    std::multiset<std::string> found;
    const auto add = [&](std::string_view what, const auto& value) {
        found.emplace(std::string(what).append(reinterpret_cast<const char*>(&value), sizeof value));
    };
    const View& view = game.room.view;
    int place = 0;
    for (const auto slot : game.room.sprites().visible(view))
        add("sprite", std::pair(place++, game.room.sprites().quads()[slot]));
    for (const auto& [x, y, radius, colour, flickers] : game.room.lighting().lamps())
        add("lamp", std::tuple(x, y, radius, colour.r, colour.g, colour.b, flickers));
    for (const auto* overlays : {&game.room.room_overlays(), &game.room.screen_overlays()}) {
        for (const Overlay* overlay : *overlays)
            for (const Quad& quad : overlay->quads()) add("overlay", quad);
    }
    add("view", std::array{view.x, view.y, view.width, view.height});
    add("extent", game.room.extent());
    return found;
}

}  // namespace crate_room
