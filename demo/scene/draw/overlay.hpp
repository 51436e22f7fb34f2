#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "draw/frames.hpp"
#include "draw/vertex.hpp"

namespace crate_room {

/// Quads that are drawn over the picture: the head-up display, debug drawings, the fade. A system rebuilds its overlay
/// when it runs. Lines and boxes are one white pixel of the atlas, stretched and coloured. Lengths are in pixels of the
/// space that the overlay is drawn in: the room, or the screen (View::overlay_width).
class Overlay {
public:
    explicit Overlay(const Atlas& atlas) : atlas_(atlas) {}

    void clear() noexcept { quads_.clear(); }
    void box(float left, float top, float width, float height, Colour colour);
    void outline(float left, float top, float width, float height, float thickness, Colour colour);
    void line(float x0, float y0, float x1, float y1, float thickness, Colour colour);
    /// The outline of a box around a point, rotated by `angle` radians.
    void rotated_outline(float x, float y, float half_width, float half_height, float angle, float thickness,
                         Colour colour);
    /// A frame of the atlas with its anchor at a point.
    void picture(std::uint16_t frame, float x, float y, Colour colour = {}, float scale = 1, float angle = 0);
    /// A line of text; (x, y) is its upper left corner. Small letters are drawn as capitals.
    void text(float x, float y, std::string_view text, Colour colour = {});
    [[nodiscard]] float text_width(std::string_view text) const;

    [[nodiscard]] const std::vector<Quad>& quads() const noexcept { return quads_; }

private:
    const Atlas& atlas_;
    std::vector<Quad> quads_;
};

/// Splits a class name into words: "SpatialHash" becomes "Spatial Hash". (The font has only capitals.)
[[nodiscard]] std::string words(std::string_view name);

}  // namespace crate_room
