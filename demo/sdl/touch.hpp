#pragma once
#include <SDL.h>

#include <vector>

#include "draw/overlay.hpp"
#include "lean.hpp"

namespace crate_room {

class Screen;

/// Fingers on the canvas. One that is put down on the left is a stick, which floats: its middle is where
/// the finger came down. One elsewhere strikes at that place, for as long as it stays; two defend.
class Touch {
public:
    explicit Touch(const Atlas& atlas) : overlay_(atlas) {}

    void handle(const SDL_TouchFingerEvent& event, const Screen& screen);
    void release();
    /// What came and went since the last call is forgotten.
    void next_frame(const Screen& screen);

    [[nodiscard]] Lean move(const Screen& screen) const;
    /// A finger came down to strike since the last frame.
    [[nodiscard]] bool tapped() const noexcept { return tapped_; }
    /// It is still there.
    [[nodiscard]] bool striking() const noexcept;
    [[nodiscard]] bool defending() const noexcept { return defended_ || elsewhere() >= 2; }
    /// Where the blow goes, on the canvas; moves with the finger.
    [[nodiscard]] float x() const noexcept { return x_; }
    [[nodiscard]] float y() const noexcept { return y_; }
    /// The stick, as long as it is used.
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
    /// How many fingers are not the stick's.
    [[nodiscard]] int elsewhere() const noexcept;

    std::vector<Finger> fingers_;
    bool tapped_ = false;
    bool defended_ = false;  // two were down since the last frame
    float x_ = 0;
    float y_ = 0;
    Overlay overlay_;
};

}  // namespace crate_room
