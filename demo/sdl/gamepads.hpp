#pragma once
#include <SDL.h>

#include <memory>
#include <vector>

#include "lean.hpp"

namespace crate_room {

/// All gamepads that are plugged in, now or later, as if they were one. Those that SDL has no mapping for
/// are taken to have the layout that browsers call standard.
class Gamepads {
public:
    /// Without gamepads in the system there simply are none.
    Gamepads();
    ~Gamepads();
    Gamepads(const Gamepads&) = delete;
    Gamepads& operator=(const Gamepads&) = delete;

    void handle(const SDL_Event& event);
    /// What came and went since the last call is forgotten.
    void next_frame() noexcept { struck_ = defended_ = false; }

    /// By stick or directional pad.
    [[nodiscard]] Lean move() const;
    /// A button to strike was pressed since the last frame.
    [[nodiscard]] bool struck() const noexcept { return struck_; }
    /// One is held down.
    [[nodiscard]] bool striking() const;
    /// One to defend is held down, or was pressed since the last frame.
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
