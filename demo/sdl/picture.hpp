#pragma once
#include <cmath>
#include <cstddef>

namespace crate_room {

/// The picture that is being drawn, layer by layer: which part of the room, its size, and its cost.
struct Picture {
    int width = 1;  ///< in pixels of the canvas
    int height = 1;
    int zoom = 1;  ///< pixels of the canvas per pixel of the art
    int left = 0;  ///< position of its corner in the room, in pixels of the canvas
    int top = 0;
    int overlay_scale = 1;  ///< pixels of the canvas per pixel of the overlay
    float time = 0;         ///< seconds, for animations in shaders

    int calls = 0;
    std::size_t uploaded = 0;  ///< bytes
};

/// Rounds to whole pixels, halves always up; otherwise the size of a moving sprite would vary. Shaders round the same
/// way.
[[nodiscard]] inline float snap(float pixels) noexcept { return std::floor(pixels + 0.5f); }

}  // namespace crate_room
