#include "systems/debug/debug_timing.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "crateful/ecs.hpp"

namespace crate_room {
namespace {

constexpr int REFRESH = 12;            // frames
constexpr float FRAME = 1000.0f / 60;  // milliseconds
constexpr float WIDTH = 168;
constexpr float LINE = 12;  // height of a line of text and its bar
constexpr float BAR = 100;  // length of a bar that stands for a whole frame
constexpr Colour BEHIND{8, 8, 16, 200};
constexpr Colour WHITE{255, 255, 255, 255};
constexpr Colour QUIET{170, 175, 200, 255};
constexpr Colour LATE{255, 120, 90, 255};

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

// Averages include only frames in which a system ran, so the average of a disabled system would stay.
void DebugTiming::remove_disabled(crateful::Profiler::Group& group) const {
    if (group.name != "Systems") return;
    for (const SystemBase* system : ecs().systems()) {
        if (!system->enabled())
            std::erase_if(group.clocks, [&](const auto& clock) { return clock.name == system->name(); });
    }
}

void DebugTiming::draw() {
    overlay_.clear();
    const float left = view_.overlay_width - WIDTH - 6;
    float y = 6;
    // On a narrow screen it is short, and below the head-up display.
    const bool narrow = view_.overlay_width < 2 * WIDTH;
    const std::size_t most = narrow ? 6 : 16;
    if (narrow) y += 20;
    for (auto& group : ecs().profiler.report()) {
        remove_disabled(group);
        const auto room = static_cast<std::size_t>(std::max(0.0f, (view_.overlay_height - y - 22) / LINE));
        const std::size_t shown = std::min({group.clocks.size(), room, most});
        if (shown == 0) continue;
        overlay_.box(left, y, WIDTH, 16 + LINE * static_cast<float>(shown), BEHIND);
        overlay_.text(left + 4, y + 4, group.name, QUIET);
        y += 15;
        for (std::size_t i = 0; i < shown; ++i) {
            const auto& clock = group.clocks[i];
            const auto share = static_cast<float>(clock.average) / FRAME;
            char figure[16];
            std::snprintf(figure, sizeof figure, "%.2f", clock.average);
            overlay_.text(left + 4, y, words(clock.name), WHITE);
            overlay_.text(left + WIDTH - 4 - overlay_.text_width(figure), y, figure, WHITE);
            if (share * BAR >= 1)
                overlay_.box(left + 4, y + 8, std::min(share * BAR, WIDTH - 8), 2, share > 1 ? LATE : WHITE);
            y += LINE;
        }
        y += 8;
    }
}

}  // namespace crate_room
