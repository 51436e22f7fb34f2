#pragma once
#include "room.hpp"
#include "screen.hpp"

namespace crate_room {

/// Keyboard and pointer, through SDL.
class Devices {
public:
    /// Reads what happened since the last call into the room's input.
    void poll(Room& room, const Screen& screen);
    /// Forgets what is held down: the canvas lost the focus, and would not hear of a release.
    void release();

private:
    bool pointing_ = false;
    float x_ = 0;  // of the pointer, on the screen
    float y_ = 0;
    bool button_ = false;
    bool space_ = false;
};

}  // namespace crate_room
