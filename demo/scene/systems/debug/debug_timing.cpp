#include "systems/debug/debug_timing.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "crateful/ecs.hpp"
#include "draw/screen_layout.hpp"

namespace crate_room {
namespace {

using screen_layout::EDGE;
using screen_layout::HUD_ROW;

constexpr int REFRESH = 12;            // frames
constexpr float FRAME = 1000.0f / 60;  // milliseconds
constexpr float WIDTH = 140;
constexpr float LINE = 10;  // height of a row: a line of text in front of its bar
constexpr float BAR = 100;  // length of a bar that stands for a whole frame
constexpr Colour BEHIND{8, 8, 16, 200};
constexpr Colour WHITE{255, 255, 255, 255};
constexpr Colour QUIET{170, 175, 200, 255};
constexpr Colour SHORT{255, 255, 255, 70};
constexpr Colour LATE{255, 120, 90, 150};

}  // namespace

void DebugTiming::on_enabled(Entities&) {
    profiled_ = std::exchange(ecs().profiler.enabled, true);
    frames_ = 0;
}

void DebugTiming::on_disabled(Entities&) {
    ecs().profiler.enabled = profiled_;
    overlay_.clear();
}

void DebugTiming::update(double) {
    if (frames_-- > 0) return;
    frames_ = REFRESH;
    draw();
}

std::vector<crateful::Profiler::Group> DebugTiming::selection(std::vector<crateful::Profiler::Group> report,
                                                              std::span<SystemBase* const> systems) {
    std::vector<crateful::Profiler::Group> chosen;
    for (const std::string_view name : {"Overall", "Systems"}) {
        const auto found = std::find_if(report.begin(), report.end(), [&](const auto& g) { return g.name == name; });
        if (found == report.end()) continue;
        if (name == "Systems") {
            std::erase_if(found->clocks, [](const auto& clock) { return clock.average < LEAST; });
            // Averages include only frames in which a system ran, so the average of a disabled system would stay.
            for (const SystemBase* system : systems) {
                if (!system->enabled())
                    std::erase_if(found->clocks, [&](const auto& clock) { return clock.name == system->name(); });
            }
        }
        if (found->clocks.size() > MOST) found->clocks.resize(MOST);
        if (!found->clocks.empty()) chosen.push_back(std::move(*found));
    }
    return chosen;
}

void DebugTiming::draw() {
    overlay_.clear();
    const float all = view_.overlay_width;
    const float left = all - WIDTH - EDGE;
    // On a narrow screen it is below the direction of the door, or between the head-up display and the legend.
    const bool narrow = left < (all + screen_layout::DOOR) / 2 + EDGE;
    const bool between = left < screen_layout::LEGEND + EDGE;
    const float top = EDGE - 3 + (between ? 2 * HUD_ROW : narrow ? HUD_ROW : 0);
    const float legend = screen_layout::LEGEND_LINE * screen_layout::LEGEND_LINES + EDGE;
    const float bottom = view_.overlay_height - EDGE - (between ? legend : 0);

    auto groups = selection(ecs().profiler.report(), ecs().systems());
    // As many rows as there is space for, but no name of a group without a clock.
    const auto space = static_cast<std::size_t>(std::max(0.0f, (bottom - top - 4) / LINE));
    std::size_t lines = 0;
    for (auto& group : groups) {
        const std::size_t left_over = space - lines;
        group.clocks.resize(std::min(group.clocks.size(), left_over > 0 ? left_over - 1 : 0));
        if (!group.clocks.empty()) lines += 1 + group.clocks.size();
    }
    if (lines == 0) return;
    overlay_.box(left, top, WIDTH, 4 + LINE * static_cast<float>(lines), BEHIND);
    float y = top + 3;
    for (const auto& group : groups) {
        if (group.clocks.empty()) continue;
        overlay_.text(left + 4, y, group.name, QUIET);
        y += LINE;
        for (const auto& clock : group.clocks) {
            draw_clock(clock, left, y);
            y += LINE;
        }
    }
}

void DebugTiming::draw_clock(const crateful::Profiler::Reading& clock, float left, float y) {
    const auto share = static_cast<float>(clock.average) / FRAME;
    if (share * BAR >= 1)
        overlay_.box(left + 3, y - 1, std::min(share * BAR, WIDTH - 6), LINE - 1, share > 1 ? LATE : SHORT);
    char figure[16];
    std::snprintf(figure, sizeof figure, "%.2f", clock.average);
    overlay_.text(left + 4, y, words(clock.name), WHITE);
    overlay_.text(left + WIDTH - 4 - overlay_.text_width(figure), y, figure, WHITE);
}

}  // namespace crate_room
