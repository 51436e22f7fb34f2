#pragma once
#include <SDL.h>

#include <vector>

#include "draw/overlay.hpp"
#include "lean.hpp"

namespace crate_room {

class Screen;

/// Fingers on the canvas. A finger that is put down on the left part is a stick, whose centre is where the finger was
/// put down. A finger on the rest of the canvas strikes at its position while it is held down; two fingers there
/// defend.
class Touch {
public:
    explicit Touch(const Atlas& atlas) : overlay_(atlas) {}

    void handle(const SDL_TouchFingerEvent& event, const Screen& screen);
    void release();
    /// Discards the taps since the last call.
    void next_frame(const Screen& screen);

    [[nodiscard]] Lean move(const Screen& screen) const;
    /// Whether a striking finger was put down since the last frame.
    [[nodiscard]] bool tapped() const noexcept { return tapped_; }
    /// Whether a striking finger is held down.
    [[nodiscard]] bool striking() const noexcept;
    [[nodiscard]] bool defending() const noexcept { return defended_ || elsewhere() >= 2; }
    /// The position of the striking finger, in pixels of the canvas.
    [[nodiscard]] float x() const noexcept { return x_; }
    [[nodiscard]] float y() const noexcept { return y_; }
    /// The drawing of the stick; empty while it is not used.
    [[nodiscard]] const Overlay& overlay() const noexcept { return overlay_; }

private:
    enum class Role { stick, strike, defend };
    struct Finger {
        SDL_TouchID device;
        SDL_FingerID id;
        Role role;
        float start_x, start_y;  // on the canvas
        float x, y;
    };

    void down(const SDL_TouchFingerEvent& event, float x, float y, const Screen& screen);
    [[nodiscard]] const Finger* stick() const noexcept;
    /// How many fingers are down, without that of the stick.
    [[nodiscard]] int elsewhere() const noexcept;

    std::vector<Finger> fingers_;
    bool tapped_ = false;
    bool defended_ = false;  // two fingers were down since the last frame
    float x_ = 0;
    float y_ = 0;
    Overlay overlay_;
};

}  // namespace crate_room
