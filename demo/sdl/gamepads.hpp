#pragma once
#include <SDL.h>

#include <memory>
#include <vector>

#include "lean.hpp"

namespace crate_room {

/// All connected gamepads, combined to one. For gamepads without a mapping in SDL it assumes the standard layout of
/// browsers.
class Gamepads {
public:
    /// If SDL has no support for gamepads here, there are none.
    Gamepads();
    ~Gamepads();
    Gamepads(const Gamepads&) = delete;
    Gamepads& operator=(const Gamepads&) = delete;

    void handle(const SDL_Event& event);
    /// Discards the presses since the last call.
    void next_frame() noexcept { struck_ = defended_ = false; }

    /// By stick or directional pad.
    [[nodiscard]] Lean move() const;
    /// Whether a strike button was pressed since the last frame.
    [[nodiscard]] bool struck() const noexcept { return struck_; }
    /// Whether a strike button is held down.
    [[nodiscard]] bool striking() const;
    /// Whether a defend button is held down, or was pressed since the last frame.
    [[nodiscard]] bool defending() const;

private:
    struct Close {
        void operator()(SDL_GameController* pad) const noexcept { SDL_GameControllerClose(pad); }
        void operator()(SDL_Joystick* pad) const noexcept { SDL_JoystickClose(pad); }
    };
    template <class Wants>
    [[nodiscard]] bool any(Wants&& wants) const;

    bool available_ = false;
    std::vector<std::unique_ptr<SDL_GameController, Close>> mapped_;
    std::vector<std::unique_ptr<SDL_Joystick, Close>> raw_;
    bool struck_ = false;
    bool defended_ = false;
};

}  // namespace crate_room
