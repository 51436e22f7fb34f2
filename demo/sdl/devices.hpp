#pragma once
#include <SDL.h>

#include <bitset>

#include "draw/overlay.hpp"
#include "gamepads.hpp"
#include "room.hpp"
#include "screen.hpp"
#include "touch.hpp"

namespace crate_room {

/// A button that is drawn somewhere else, beside the canvas.
enum class Button { strike, defend };

/// Keyboard, mouse, fingers, gamepads and buttons on the page, through SDL.
class Devices {
public:
    explicit Devices(const Atlas& atlas) : touch_(atlas) {}

    /// Reads what happened since the last call into the room's input. A press counts even if it was over
    /// within a frame.
    void poll(Room& room, const Screen& screen);
    void hold_button(Button button, bool down);
    /// Forgets what is held down: the canvas lost the focus, and would not hear of a release.
    void release();
    /// The stick under a finger, to be drawn above all else; empty while there is none.
    [[nodiscard]] const Overlay& stick() const noexcept { return touch_.overlay(); }

private:
    // Something that is pressed.
    struct Press {
        bool held = false;
        bool fresh = false;  // since the last frame
        void set(bool down) noexcept {
            fresh = fresh || (down && !held);
            held = down;
        }
        [[nodiscard]] bool wanted() const noexcept { return held || fresh; }
    };

    void handle(const SDL_Event& event, const Screen& screen);
    void point(Sint32 x, Sint32 y);
    [[nodiscard]] Press key(SDL_Scancode code) const;
    [[nodiscard]] Lean arrows() const;
    [[nodiscard]] Press* mouse_button(Uint8 button);
    void next_frame(const Screen& screen);

    std::bitset<SDL_NUM_SCANCODES> fresh_keys_;
    Press left_, middle_, right_;  // of the mouse
    Press strike_, defend_;        // beside the canvas
    Touch touch_;
    Gamepads gamepads_;

    bool pointing_ = false;
    bool by_finger_ = false;  // which leaves no pointer behind
    float x_ = 0;             // of the pointer, on the canvas
    float y_ = 0;
};

}  // namespace crate_room
