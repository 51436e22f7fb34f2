#include "systems/debug_timing.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "crateful/ecs.hpp"

namespace crate_room {
namespace {

constexpr int REFRESH = 12;            // frames
constexpr float FRAME = 1000.0f / 60;  // milliseconds
constexpr float WIDTH = 168;
constexpr float LINE = 12;  // text, and a bar under it
constexpr float BAR = 100;  // as long as a frame
constexpr Colour BEHIND{8, 8, 16, 200};
constexpr Colour WHITE{255, 255, 255, 255};
constexpr Colour QUIET{170, 175, 200, 255};
constexpr Colour LATE{255, 120, 90, 255};

}  // namespace

void DebugTiming::on_enabled(crateful::Entities<crateful::Aspect>&) {
    profiled_ = std::exchange(ecs().profiler.enabled, true);
    frames_ = 0;
}

void DebugTiming::on_disabled(crateful::Entities<crateful::Aspect>&) {
    ecs().profiler.enabled = profiled_;
    overlay_.clear();
}

void DebugTiming::update(double, crateful::Entities<crateful::Aspect>&, crateful::DirtySet&) {
    if (frames_-- > 0) return;
    frames_ = REFRESH;
    draw();
}

// An average is of the frames in which something ran: it would stand there for ever.
void DebugTiming::forget_disabled(crateful::Profiler::Group& group) const {
    if (group.name != "Systems") return;
    for (const crateful::SystemBase* system : ecs().systems()) {
        if (!system->enabled())
            std::erase_if(group.clocks, [&](const auto& clock) { return clock.name == system->name(); });
    }
}

void DebugTiming::draw() {
    overlay_.clear();
    const float left = view_.overlay_width - WIDTH - 6;
    float y = 6;
    // On a narrow screen below what the game itself shows there, and short.
    const bool narrow = view_.overlay_width < 2 * WIDTH;
    const std::size_t most = narrow ? 6 : 16;
    if (narrow) y += 20;
    for (auto& group : ecs().profiler.report()) {
        forget_disabled(group);
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
