#pragma once

namespace crate_room {

/// What the person at keyboard, mouse, screen or gamepad wants; filled by whoever listens to devices, read
/// by systems. Nothing else reaches them from outside, so recording it records the game.
struct Input {
    float move_x = 0;  ///< -1 to 1, not longer than 1 together
    float move_y = 0;
    bool strike = false;        ///< asked for in this frame, or held down
    bool defend = false;        ///< held down
    bool aimed = false;         ///< the blow goes to the pointer, not straight ahead
    bool shield_aimed = false;  ///< and so does the shield
    bool pick = false;          ///< asked for in this frame: what is under the pointer is to be inspected

    bool pointing = false;  ///< the pointer is over the picture
    float pointer_x = 0;    ///< in the room
    float pointer_y = 0;
};

}  // namespace crate_room
