#include "systems/presentation/hud.hpp"

#include <cmath>

#include "draw/screen_layout.hpp"

namespace crate_room {
namespace {

using screen_layout::EDGE;
using screen_layout::HUD_ROW;

constexpr float HEART = 13;  // distance from one heart to the next
constexpr Colour SHADOW{10, 10, 18, 170};
constexpr Colour TEXT{240, 232, 214, 255};
constexpr Colour WOOD{224, 172, 110, 255};

}  // namespace

Hud::Hud(const Atlas& atlas, const View& view, const Group& doors)
    : overlay_(atlas), words_(atlas), view_(view), doors_(doors) {
    require<Player, Health, Position>();
    watch<Health, Position, Dead>();
}

void Hud::update(double, Entities& entities, Dirty& dirty) {
    const std::uint32_t number = ecs().get<Place>(ecs().world()).number;
    const bool resized =
        view_.overlay_width != drawn_for_.overlay_width || view_.overlay_height != drawn_for_.overlay_height;
    if (dirty.empty() && !resized && number == drawn_number_) return;
    drawn_for_ = view_;
    drawn_number_ = number;
    on_clear();
    for (const auto [e, player] : entities) draw(player);
}

void Hud::draw(const Aspect& player) {
    const auto [now, most] = player.get<Health>();
    const float hearts = HEART * static_cast<float>(most) + 5;
    overlay_.box(EDGE - 3, EDGE - 3, hearts, 17, SHADOW);
    for (int i = 0; i < most; ++i) {
        overlay_.picture(static_cast<std::uint16_t>(frames::HEART + (i < now ? 0 : 1)),
                         EDGE + HEART * static_cast<float>(i), EDGE);
    }
    const std::string room = "ROOM " + std::to_string(drawn_number_);
    overlay_.box(EDGE - 3, EDGE + HUD_ROW - 3, overlay_.text_width(room) + 7, 13, SHADOW);
    overlay_.text(EDGE, EDGE + HUD_ROW, room, TEXT);
    if (player.has<Dead>()) draw_death();
    draw_door(player.get<Position>(), EDGE + hearts);
}

void Hud::draw_door(const Position& at, float right_of) {
    const Entity door = doors_.nearest(at);
    if (door == NONE) return;
    const auto& there = ecs().get<Position>(door);
    const std::string metres = "DOOR " + std::to_string(static_cast<int>(std::lround(distance(at, there) / TILE)));
    const float width = overlay_.text_width(metres) + 20;
    const float all = view_.overlay_width;
    // In the middle; on a narrow screen on the right, if necessary in the second row.
    const float middle = (all - width) / 2;
    const float right = all - EDGE - width;
    const float left = middle - 3 > right_of ? middle : right;
    const float top = left - 3 > right_of ? EDGE : EDGE + HUD_ROW;
    overlay_.box(left - 3, top - 3, width + 6, 15, SHADOW);
    overlay_.picture(frames::ARROW, left + 6, top + 4, WOOD, 1, std::atan2(there.y - at.y, there.x - at.x));
    overlay_.text(left + 18, top + 1, metres, TEXT);
}

void Hud::draw_death() {
    float y = view_.overlay_height * 0.4f;
    const auto line = [&](std::string_view text) {
        words_.text((view_.overlay_width - words_.text_width(text)) / 2, y, text, TEXT);
        y += frames::GLYPH_HEIGHT + 5;
    };
    constexpr std::string_view WHOLE = "You fell. The room begins again.";
    constexpr std::size_t FIRST = WHOLE.find('.') + 1;
    if (words_.text_width(WHOLE) <= view_.overlay_width - 2 * EDGE) {
        line(WHOLE);
    } else {
        line(WHOLE.substr(0, FIRST));
        line(WHOLE.substr(FIRST + 1));
    }
}

}  // namespace crate_room
