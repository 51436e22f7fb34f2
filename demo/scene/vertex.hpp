#pragma once
#include <array>
#include <cstdint>

namespace crate_room {

struct Colour {
    std::uint8_t r = 255, g = 255, b = 255, a = 255;
};

/// A corner of a quad, as graphics cards take it.
struct Vertex {
    float x = 0;  ///< in the room, or on the overlay
    float y = 0;
    Colour colour;  ///< the picture is multiplied with it
    float u = 0;    ///< in the atlas, 0 to 1
    float v = 0;
    float loop_step = 0;   ///< from one frame of a loop to the next, in `u`
    float loop_count = 1;  ///< that many frames take turns by time alone
};

/// Upper left, upper right, lower right, lower left.
using Quad = std::array<Vertex, 4>;

}  // namespace crate_room
