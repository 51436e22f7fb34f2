#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "frames.hpp"
#include "vertex.hpp"

namespace crate_room {

/// Quads that are drawn over the picture, made anew whenever their system runs: a head-up display, debug
/// drawings, a fade. Lines and boxes are one white pixel, stretched and coloured (seed 1). All lengths are
/// in the pixels of the space it is drawn in: the room's, or the screen's (View::overlay_width).
class Overlay {
public:
    explicit Overlay(const Atlas& atlas) : atlas_(atlas) {}

    void clear() noexcept { quads_.clear(); }
    void box(float left, float top, float width, float height, Colour colour);
    void outline(float left, float top, float width, float height, float thickness, Colour colour);
    void line(float x0, float y0, float x1, float y1, float thickness, Colour colour);
    /// A box around a point, turned by `angle` radians.
    void turned_outline(float x, float y, float half_width, float half_height, float angle, float thickness,
                        Colour colour);
    /// A frame with its anchor at a point.
    void picture(std::uint16_t frame, float x, float y, Colour colour = {}, float scale = 1, float angle = 0);
    /// A line of text with its upper left corner there; small letters look like capitals.
    void text(float x, float y, std::string_view text, Colour colour = {});
    [[nodiscard]] float text_width(std::string_view text) const;

    [[nodiscard]] const std::vector<Quad>& quads() const noexcept { return quads_; }

private:
    const Atlas& atlas_;
    std::vector<Quad> quads_;
};

/// A class's name as words, which capitals alone cannot be read as: "SpatialHash" becomes "Spatial Hash".
[[nodiscard]] std::string words(std::string_view name);

}  // namespace crate_room
