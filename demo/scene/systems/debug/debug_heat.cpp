#include "systems/debug/debug_heat.hpp"

#include <algorithm>
#include <array>

#include "draw/screen_layout.hpp"

namespace crate_room {
namespace {

constexpr float GLOWS_FOR = 0.35f;  // seconds
constexpr float GLOW = 44;  // opacity, of 255; low, because the glows of several systems are drawn over each other
constexpr std::size_t MOST_GLOWS = 3000;   // more than fit on a usual screen
constexpr std::size_t MOST_QUADS = 40000;  // a limit for very large screens with everything dirty
constexpr float HALF = 9;                  // half of the edge of the box around an entity
constexpr float ABOVE = 5;                 // the box is drawn so far above the entity's position

constexpr std::array<Colour, 9> COLOURS{{{255, 96, 80, 255},
                                         {255, 190, 60, 255},
                                         {110, 235, 120, 255},
                                         {80, 200, 255, 255},
                                         {190, 130, 255, 255},
                                         {255, 130, 210, 255},
                                         {240, 240, 120, 255},
                                         {140, 240, 220, 255},
                                         {255, 255, 255, 255}}};
constexpr Colour NOTHING{120, 120, 140, 255};

}  // namespace

void DebugHeat::on_disabled(Entities&) {
    tracking_.record_visited = false;
    on_clear();
    room_.clear();
    legend_.clear();
}

void DebugHeat::on_clear() {
    glows_.clear();
    heated_ = 0;
    for (const Source& source : sources_) source.changes->clear_visited_entities();
}

void DebugHeat::update(double delta) {
    room_.clear();
    legend_.clear();
    heated_ = 0;
    for (auto& [key, glow] : glows_) {
        glow.left -= static_cast<float>(delta);
        if (glow.left <= 0) continue;
        Colour colour = COLOURS[key.second % COLOURS.size()];
        colour.a = static_cast<std::uint8_t>(GLOW * glow.left / GLOWS_FOR);
        room_.box(glow.x - HALF, glow.y - HALF - ABOVE, 2 * HALF, 2 * HALF, colour);
    }
    std::erase_if(glows_, [](const auto& each) { return each.second.left <= 0; });

    float line = view_.overlay_height - screen_layout::EDGE;
    const auto describe = [&](const std::string& text, const Colour& colour) {
        line -= screen_layout::LEGEND_LINE;
        legend_.box(4, line - 2, legend_.text_width(text) + 17, 11, {10, 10, 18, 190});
        legend_.box(7, line, 7, 7, colour);
        legend_.text(18, line, text);
    };
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        const auto& [system, changes] = sources_[i];
        const std::string name = system->name();
        if (!system->enabled() || (!chosen.empty() && chosen != name)) continue;
        // The boxes of several systems around one entity are nested, so that all of them are visible.
        mark(i, chosen.empty() ? static_cast<float>(i) : 0);
        const std::size_t visited = changes->visited_entities().size();
        heated_ += visited;
        if (visited > 0 || !chosen.empty())
            describe(words(name) + " " + std::to_string(visited), COLOURS[i % COLOURS.size()]);
    }
    if (heated_ == 0 && chosen.empty()) describe("Nothing has changed", NOTHING);
}

void DebugHeat::mark(std::size_t source, float inset) {
    const Colour colour = COLOURS[source % COLOURS.size()];
    for (const Entity e : sources_[source].changes->visited_entities()) {
        if (room_.quads().size() > MOST_QUADS) break;
        const auto* at = ecs().alive(e) ? ecs().try_get<Position>(e) : nullptr;
        if (at == nullptr || at->x < view_.left() - HALF || at->x > view_.right() + HALF ||
            at->y < view_.top() - HALF || at->y > view_.bottom() + HALF + ABOVE)
            continue;
        const float half = HALF - std::min(inset, HALF - 2);
        room_.outline(at->x - half, at->y - half - ABOVE, 2 * half, 2 * half, 1, colour);
        if (glows_.size() < MOST_GLOWS) glows_[{e, source}] = {at->x, at->y, GLOWS_FOR};
    }
}

}  // namespace crate_room
