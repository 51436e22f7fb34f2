#pragma once
#include <algorithm>
#include <cmath>

#include "components.hpp"

namespace crate_room {

/// The size of the picture, in pixels of the canvas. On a page, `pixel_ratio` of them are one CSS pixel.
struct CanvasSize {
    int width = 1;
    int height = 1;
    float pixel_ratio = 1;
};

/// The same size, but at least one pixel: a minimised window has none.
[[nodiscard]] inline CanvasSize not_empty(const CanvasSize& size) noexcept {
    return {std::max(1, size.width), std::max(1, size.height), size.pixel_ratio};
}

/// A length in CSS pixels as a whole number of the canvas's pixels, at least 1.
[[nodiscard]] inline int whole_pixels(float css, float pixel_ratio) noexcept {
    return std::max(1, static_cast<int>(std::lround(css * pixel_ratio)));
}

/// The automatic zoom, in pixels of the canvas per pixel of the art: two CSS pixels, or more if the whole room is
/// visible at that zoom.
[[nodiscard]] inline int automatic_zoom(const CanvasSize& canvas, const Extent& room) noexcept {
    const int usual = whole_pixels(2, canvas.pixel_ratio);
    if (room.width <= 0 || room.height <= 0) return usual;  // there is no room yet
    const float fits = std::min(static_cast<float>(canvas.width) / room.width,
                                static_cast<float>(canvas.height) / (room.height + Extent::ABOVE));
    return std::max(usual, static_cast<int>(fits));
}

/// Pixels of the canvas per pixel of the overlay: letters, which are 7 pixels high, are at least 14 CSS pixels high, and
/// larger on a large canvas.
[[nodiscard]] inline int overlay_scale(const CanvasSize& canvas) noexcept {
    constexpr float WIDTH = 640;  // the approximate size of a large overlay in its own pixels
    constexpr float HEIGHT = 400;
    const int least = std::max(1, static_cast<int>(std::ceil(2 * canvas.pixel_ratio - 0.01f)));
    const float fits = std::min(static_cast<float>(canvas.width) / WIDTH, static_cast<float>(canvas.height) / HEIGHT);
    return std::max(least, static_cast<int>(std::lround(fits)));
}

}  // namespace crate_room
