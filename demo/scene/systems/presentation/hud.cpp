#include "systems/presentation/hud.hpp"

#include <cmath>

namespace crate_room {
namespace {

constexpr float EDGE = 6;
constexpr float HEART = 13;  // distance from one heart to the next
constexpr Colour SHADOW{10, 10, 18, 170};
constexpr Colour TEXT{240, 232, 214, 255};
constexpr Colour WOOD{224, 172, 110, 255};

}  // namespace

Hud::Hud(const Atlas& atlas, const View& view, const Level& level, const Group& doors)
    : overlay_(atlas), words_(atlas), view_(view), level_(level), doors_(doors) {
    require<Player, Health, Position>();
    watch<Health, Position, Dead>();
}

void Hud::update(double, Entities& entities, Dirty& dirty) {
    const bool resized =
        view_.overlay_width != drawn_for_.overlay_width || view_.overlay_height != drawn_for_.overlay_height;
    if (dirty.empty() && !resized) return;
    drawn_for_ = view_;
    on_clear();
    for (const auto [e, player] : entities) draw(player);
}

void Hud::draw(const Aspect& player) {
    const auto [now, most] = player.get<Health>();
    overlay_.box(EDGE - 3, EDGE - 3, HEART * static_cast<float>(most) + 5, 17, SHADOW);
    for (int i = 0; i < most; ++i) {
        overlay_.picture(static_cast<std::uint16_t>(frames::HEART + (i < now ? 0 : 1)),
                         EDGE + HEART * static_cast<float>(i), EDGE);
    }
    const std::string room = "ROOM " + std::to_string(level_.place().number);
    overlay_.box(EDGE - 3, EDGE + 17, overlay_.text_width(room) + 7, 13, SHADOW);
    overlay_.text(EDGE, EDGE + 20, room, TEXT);

    if (player.has<Dead>()) {
        const std::string_view text = "You fell. The room begins again.";
        words_.text((view_.overlay_width - words_.text_width(text)) / 2, view_.overlay_height * 0.4f, text, TEXT);
    }

    const auto& at = player.get<Position>();
    const Entity door = doors_.nearest(at);
    if (door == NONE) return;
    const auto& there = ecs().get<Position>(door);
    const std::string metres = "DOOR " + std::to_string(static_cast<int>(std::lround(distance(at, there) / TILE)));
    const float width = overlay_.text_width(metres) + 20;
    const float left = (view_.overlay_width - width) / 2;
    overlay_.box(left - 3, EDGE - 3, width + 6, 15, SHADOW);
    overlay_.picture(frames::ARROW, left + 6, EDGE + 4, WOOD, 1, std::atan2(there.y - at.y, there.x - at.x));
    overlay_.text(left + 18, EDGE + 1, metres, TEXT);
}

}  // namespace crate_room
