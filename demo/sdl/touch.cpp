#include "touch.hpp"

#include <algorithm>

#include "screen.hpp"

namespace crate_room {
namespace {

constexpr float STICK_SIDE = 0.4f;  // of the canvas
constexpr float REACH = 28;         // distance of the finger for full speed, in pixels of the overlay
constexpr float DRAG_DEAD_ZONE = 0.15f;
constexpr float PICTURE_RADIUS = 16;  // of frames::DISC and RING
constexpr float KNOB_RADIUS = 14;
constexpr Colour RING_COLOUR{255, 255, 255, 70};
constexpr Colour KNOB_COLOUR{255, 255, 255, 110};

}  // namespace

void Touch::handle(const SDL_TouchFingerEvent& event, const Screen& screen) {
    const float x = event.x * static_cast<float>(screen.width());
    const float y = event.y * static_cast<float>(screen.height());
    const auto at = std::find_if(fingers_.begin(), fingers_.end(),
                                 [&](const Finger& f) { return f.device == event.touchId && f.id == event.fingerId; });
    if (event.type == SDL_FINGERDOWN) {
        if (at != fingers_.end()) fingers_.erase(at);  // the event for lifting it was lost
        down(event, x, y, screen);
        return;
    }
    if (at == fingers_.end()) return;  // release() ended it; it counts again after it was lifted
    at->x = x;
    at->y = y;
    if (at->role == Role::strike) {
        x_ = x;
        y_ = y;
    }
    if (event.type == SDL_FINGERUP) fingers_.erase(at);
}

void Touch::down(const SDL_TouchFingerEvent& event, float x, float y, const Screen& screen) {
    Finger finger{event.touchId, event.fingerId, Role::strike, x, y, x, y};
    if (x < static_cast<float>(screen.width()) * STICK_SIDE && stick() == nullptr) {
        finger.role = Role::stick;
    } else if (elsewhere() > 0) {
        // Two fingers defend. Neither of them strikes later, even if the other one is lifted.
        finger.role = Role::defend;
        for (Finger& f : fingers_) {
            if (f.role == Role::strike) f.role = Role::defend;
        }
        defended_ = true;
    } else {
        tapped_ = true;
        x_ = x;
        y_ = y;
    }
    fingers_.push_back(finger);
}

void Touch::release() {
    fingers_.clear();
    tapped_ = defended_ = false;
    overlay_.clear();
}

void Touch::next_frame(const Screen& screen) {
    tapped_ = defended_ = false;
    overlay_.clear();
    const Finger* finger = stick();
    if (finger == nullptr) return;
    const float x = screen.overlay_x(finger->start_x);
    const float y = screen.overlay_y(finger->start_y);
    // The knob stays inside the ring, even if the finger is outside.
    const Lean lean =
        Lean{(screen.overlay_x(finger->x) - x) / REACH, (screen.overlay_y(finger->y) - y) / REACH}.clamped();
    overlay_.picture(frames::RING, x, y, RING_COLOUR, (REACH + KNOB_RADIUS) / PICTURE_RADIUS);
    overlay_.picture(frames::DISC, x + lean.x * REACH, y + lean.y * REACH, KNOB_COLOUR, KNOB_RADIUS / PICTURE_RADIUS);
}

Lean Touch::move(const Screen& screen) const {
    const Finger* finger = stick();
    if (finger == nullptr) return {};
    const Lean lean{screen.overlay_x(finger->x - finger->start_x) / REACH,
                    screen.overlay_y(finger->y - finger->start_y) / REACH};
    return lean.without(DRAG_DEAD_ZONE);
}

bool Touch::striking() const noexcept {
    return std::any_of(fingers_.begin(), fingers_.end(), [](const Finger& f) { return f.role == Role::strike; });
}

const Touch::Finger* Touch::stick() const noexcept {
    const auto at =
        std::find_if(fingers_.begin(), fingers_.end(), [](const Finger& f) { return f.role == Role::stick; });
    return at == fingers_.end() ? nullptr : &*at;
}

int Touch::elsewhere() const noexcept {
    return static_cast<int>(
        std::count_if(fingers_.begin(), fingers_.end(), [](const Finger& f) { return f.role != Role::stick; }));
}

}  // namespace crate_room
