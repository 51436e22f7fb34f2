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
/// Brighter or darker.
[[nodiscard]] Colour lit(Colour c, float factor);

/// A small picture to paint on. Whatever falls outside is left out.
class Image {
public:
    Image(int width, int height)
        : width_(width), height_(height), pixels_(static_cast<std::size_t>(width * height), Colour{0, 0, 0, 0}) {}
    [[nodiscard]] int width() const noexcept { return width_; }
    [[nodiscard]] int height() const noexcept { return height_; }
    /// Transparent outside.
    [[nodiscard]] Colour at(int x, int y) const;

    /// Replaces the pixel.
    void put(int x, int y, Colour c);
    /// Lays a translucent colour over the pixel.
    void over(int x, int y, Colour c);
    void box(int x, int y, int width, int height, Colour c);
    void frame(int x, int y, int width, int height, Colour c);
    void line(float x0, float y0, float x1, float y1, Colour c);
    void disc(float x, float y, float rx, float ry, Colour c);
    /// Replaces what is below.
    void paste(const Image& other, int x, int y);
    /// Lays another picture over this one.
    void lay(const Image& above, int x = 0, int y = 0);
    /// One character a pixel; `colour_of(char)` gives its colour, blanks and dots are left out.
    template <class ColourOf>
    void map(int x, int y, const std::vector<std::string_view>& rows, ColourOf&& colour_of) {
        for (std::size_t row = 0; row < rows.size(); ++row) {
            for (std::size_t column = 0; column < rows[row].size(); ++column) {
                const char c = rows[row][column];
                if (c != '.' && c != ' ') put(x + static_cast<int>(column), y + static_cast<int>(row), colour_of(c));
            }
        }
    }
    /// The same picture turned around its middle, clockwise by `radians`.
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
