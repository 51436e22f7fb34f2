#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "draw/vertex.hpp"

namespace crate_room {

/// 0xRRGGBB.
[[nodiscard]] constexpr Colour rgb(std::uint32_t hex, std::uint8_t alpha = 255) noexcept {
    return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8 & 0xFF),
            static_cast<std::uint8_t>(hex & 0xFF), alpha};
}
/// From `a` (`t` = 0) to `b` (1), alpha included.
[[nodiscard]] Colour mix(Colour a, Colour b, float t);
/// The colour multiplied by a factor; alpha stays the same.
[[nodiscard]] Colour lit(Colour c, float factor);

/// A small picture to paint on. Pixels outside of it are ignored.
class Image {
public:
    Image(int width, int height)
        : width_(width), height_(height), pixels_(static_cast<std::size_t>(width * height), Colour{0, 0, 0, 0}) {}
    [[nodiscard]] int width() const noexcept { return width_; }
    [[nodiscard]] int height() const noexcept { return height_; }
    /// The pixel; transparent outside of the picture.
    [[nodiscard]] Colour at(int x, int y) const;

    /// Replaces the pixel.
    void put(int x, int y, Colour c);
    /// Blends a translucent colour over the pixel.
    void over(int x, int y, Colour c);
    void box(int x, int y, int width, int height, Colour c);
    void frame(int x, int y, int width, int height, Colour c);
    void line(float x0, float y0, float x1, float y1, Colour c);
    void disc(float x, float y, float rx, float ry, Colour c);
    /// Replaces the pixels of a box.
    void paste(const Image& other, int x, int y);
    /// Blends another picture over this one.
    void lay(const Image& above, int x = 0, int y = 0);
    /// Paints one pixel per character; `colour_of(char)` returns its colour, blanks and dots are skipped.
    template <class ColourOf>
    void map(int x, int y, const std::vector<std::string_view>& rows, ColourOf&& colour_of) {
        for (std::size_t row = 0; row < rows.size(); ++row) {
            for (std::size_t column = 0; column < rows[row].size(); ++column) {
                const char c = rows[row][column];
                if (c != '.' && c != ' ') put(x + static_cast<int>(column), y + static_cast<int>(row), colour_of(c));
            }
        }
    }
    /// The picture rotated clockwise around its centre by `radians`.
    [[nodiscard]] Image turned(float radians) const;
    /// Puts `c` on every empty pixel beside an opaque one.
    void outline(Colour c);

private:
    [[nodiscard]] bool inside(int x, int y) const noexcept { return x >= 0 && y >= 0 && x < width_ && y < height_; }
    int width_;
    int height_;
    std::vector<Colour> pixels_;
};

}  // namespace crate_room
