#pragma once

namespace crate_room {

/// What the person at the keyboard wants; filled by whoever listens to devices, read by systems.
struct Input {
    float move_x = 0;  ///< -1 to 1
    float move_y = 0;
    bool strike = false;  ///< stays true until a blow was struck for it
    bool aimed = false;   ///< the blow goes to the pointer, not straight ahead

    bool pointing = false;  ///< the pointer is over the picture
    float pointer_x = 0;    ///< in the room
    float pointer_y = 0;
};

}  // namespace crate_room
