#pragma once

namespace crate_room {

/// The input of one frame from keyboard, mouse, touch screen and gamepad. Devices write it, systems read it. Systems
/// read nothing else from outside the world, so a recording of the inputs is a recording of the game.
struct Input {
    float move_x = 0;  ///< -1 to 1; the vector's length is at most 1
    float move_y = 0;
    bool strike = false;        ///< pressed in this frame, or held down
    bool defend = false;        ///< held down
    bool aimed = false;         ///< the blow is directed at the pointer, not straight ahead
    bool shield_aimed = false;  ///< the shield is directed at the pointer
    bool pick = false;          ///< inspect the entity under the pointer; pressed in this frame
    bool calm = false;          ///< guards stand still

    bool pointing = false;  ///< the pointer is over the canvas
    float pointer_x = 0;    ///< in coordinates of the room
    float pointer_y = 0;
};

}  // namespace crate_room
