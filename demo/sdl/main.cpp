// The crate room as a native program, for debuggers and profilers. The page's program is ../bindings.cpp.
#include <SDL.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string_view>
#include <vector>

#include "atlas.hpp"
#include "crateful/ecs.hpp"
#include "devices.hpp"
#include "options.hpp"
#include "room.hpp"
#include "screen.hpp"
#include "speaker.hpp"

namespace crate_room {
namespace {

constexpr int WIDTH = 1280;
constexpr int HEIGHT = 800;
constexpr std::uint32_t VISIBLE = SDL_WINDOW_RESIZABLE;
constexpr std::uint32_t HIDDEN = VISIBLE | SDL_WINDOW_HIDDEN;
constexpr double LONGEST_FRAME = 0.05;  // seconds; limits the delta after the program was stopped for a while

/// A debug system that F1 or one of the following keys enables and disables.
struct DebugSwitch {
    std::string_view system;
    bool on = false;
};

class Program {
public:
    explicit Program(const Options& options)
        : options_(options),
          atlas_(paint_atlas()),
          screen_(atlas_, {WIDTH, HEIGHT}, options.hidden ? HIDDEN : VISIBLE),
          room_(ecs_, atlas_),
          devices_(atlas_) {
        // Devices::poll reads all events; this callback also receives those for the window and the program.
        SDL_AddEventWatch(&Program::watch, this);
        screen_.wait_for_screen(options.frames == 0);
        room_.begin(options.seed, options.crates);
        if (!options.hidden) speaker_.set_on(true);
    }
    ~Program() { SDL_DelEventWatch(&Program::watch, this); }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void run() {
        auto before = Clock::now();
        for (std::uint32_t n = 0; !over_ && (options_.frames == 0 || n < options_.frames); ++n) {
            const auto now = Clock::now();
            // With --frames all frames have the same length, so that each run is the same.
            const double passed = options_.frames > 0 ? 1.0 / 60 : std::min(LONGEST_FRAME, seconds(now - before));
            before = now;
            frame(passed);
        }
        if (options_.frames > 0) report();
    }

private:
    using Clock = std::chrono::steady_clock;
    static double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

    void frame(double passed) {
        screen_.frame(room_);
        devices_.poll(room_, screen_);
        const auto start = Clock::now();
        const double delta = room_.begin_frame(passed);
        if (room_.level().due()) {
            ecs_.clear();
            room_.enter();
            screen_.frame(room_);
        }
        room_.end_frame(ecs_.update(delta));
        speaker_.play(room_.take_sounds());
        const auto updated = Clock::now();
        screen_.draw(room_, &devices_.stick());
        if (options_.frames == 0) return;
        updates_.push_back(seconds(updated - start));
        renders_.push_back(seconds(Clock::now() - updated));
    }

    static int SDLCALL watch(void* program, SDL_Event* event) {
        static_cast<Program*>(program)->handle(*event);
        return 1;
    }

    void handle(const SDL_Event& event) {
        if (event.type == SDL_QUIT) over_ = true;
        if (event.type == SDL_KEYDOWN && event.key.repeat == 0) press(event.key.keysym.sym);
        if (event.type != SDL_WINDOWEVENT) return;
        if (event.window.event == SDL_WINDOWEVENT_SIZE_CHANGED)
            screen_.resize({event.window.data1, event.window.data2});
        if (event.window.event == SDL_WINDOWEVENT_FOCUS_LOST) devices_.release();
    }

    void press(SDL_Keycode key) {
        if (key == SDLK_p) ecs_.set_paused(!ecs_.paused());
        if (key == SDLK_t) room_.tracking.on = !room_.tracking.on;
        if (key < SDLK_F1 || key >= SDLK_F1 + static_cast<SDL_Keycode>(debug_.size())) return;
        auto& [system, on] = debug_[static_cast<std::size_t>(key - SDLK_F1)];
        on = !on;
        room_.set_enabled(system, on);
    }

    void report() {
        std::printf("%u frames; medians: update %.3f ms, render %.3f ms; %d sprites in %d draw calls, %zu bytes sent\n",
                    options_.frames, median(updates_) * 1000, median(renders_) * 1000, screen_.sprites_drawn(),
                    screen_.draw_calls(), screen_.uploaded_bytes());
    }

    static double median(std::vector<double>& times) {
        if (times.empty()) return 0;
        const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
        std::nth_element(times.begin(), middle, times.end());
        return *middle;
    }

    Options options_;
    Atlas atlas_;
    Screen screen_;
    ECS ecs_;
    Room room_;
    Devices devices_;
    Speaker speaker_;
    std::array<DebugSwitch, 4> debug_{{{"DebugCollision"}, {"DebugHash"}, {"DebugInspection", true}, {"DebugHeat"}}};
    bool over_ = false;
    std::vector<double> updates_;
    std::vector<double> renders_;
};

}  // namespace
}  // namespace crate_room

int main(int argc, char** argv) {
    const auto options = crate_room::read_options(argc, argv);
    if (!options) {
        std::fputs(crate_room::USAGE, stderr);
        return 2;
    }
    try {
        crate_room::Program(*options).run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "crate_room: %s\n", error.what());
        return 1;
    }
    return 0;
}
