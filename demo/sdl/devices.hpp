#pragma once
#include <SDL.h>

#include <bitset>

#include "draw/overlay.hpp"
#include "gamepads.hpp"
#include "room.hpp"
#include "screen.hpp"
#include "touch.hpp"

namespace crate_room {

/// A button on the page, beside the canvas.
enum class Button { strike, defend };

/// The input devices: keyboard, mouse, touch screen and gamepads through SDL, and the buttons of the page.
class Devices {
public:
    explicit Devices(const Atlas& atlas) : touch_(atlas) {}

    /// Writes the input since the last call to `room.input`. A key that was pressed and released within one frame
    /// counts as pressed.
    void poll(Room& room, const Screen& screen);
    void hold_button(Button button, bool down);
    /// Treats all keys and buttons as released. Call it when the canvas loses the focus: it then receives no events for
    /// released keys.
    void release();
    /// The touch stick, drawn above everything else; empty while it is not used.
    [[nodiscard]] const Overlay& stick() const noexcept { return touch_.overlay(); }

private:
    // A key or button.
    struct Press {
        bool held = false;
        bool fresh = false;  // pressed since the last frame
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
    bool by_finger_ = false;  // the pointer is a finger; it ends when the finger is lifted
    float x_ = 0;             // the pointer, in pixels of the canvas
    float y_ = 0;
};

}  // namespace crate_room
