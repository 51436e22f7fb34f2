#pragma once
#include <cmath>
#include <cstddef>

namespace crate_room {

/// The picture that is being drawn, layer by layer: which part of the room, how large, and what it cost.
struct Picture {
    int width = 1;  ///< in pixels of the canvas
    int height = 1;
    int zoom = 1;  ///< pixels of the canvas for one of the art
    int left = 0;  ///< where in the room its corner is, in pixels of the canvas
    int top = 0;
    int overlay_scale = 1;  ///< pixels of the canvas for one of the overlay
    float time = 0;         ///< for what moves by itself

    int calls = 0;
    std::size_t uploaded = 0;  ///< bytes
};

/// To whole pixels, halves always to the same side, or a sprite would change its size as it moves. Shaders
/// do it the same way.
[[nodiscard]] inline float snap(float pixels) noexcept { return std::floor(pixels + 0.5f); }

}  // namespace crate_room
