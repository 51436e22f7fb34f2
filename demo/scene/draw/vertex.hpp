#pragma once
#include <array>
#include <cstdint>

namespace crate_room {

struct Colour {
    std::uint8_t r = 255, g = 255, b = 255, a = 255;
};

/// A corner of a quad, in the layout of the vertex buffer.
struct Vertex {
    float x = 0;  ///< in coordinates of the room or of the overlay
    float y = 0;
    Colour colour;  ///< multiplies the picture
    float u = 0;    ///< position in the atlas, 0 to 1
    float v = 0;
    float loop_step = 0;   ///< distance in `u` from one frame of a loop to the next
    float loop_count = 1;  ///< number of frames that alternate by time, in the shader
};

/// Upper left, upper right, lower right, lower left.
using Quad = std::array<Vertex, 4>;

}  // namespace crate_room
