#include "draw/overlay.hpp"

#include <array>
#include <cmath>

namespace crate_room {
namespace {

std::uint16_t glyph_of(char c) {
    const char capital = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    const bool known = capital >= ' ' && capital <= '_';
    return static_cast<std::uint16_t>(frames::GLYPH + (known ? capital : '?') - ' ');
}

// A frame's corners in the atlas.
struct Corners {
    float left, top, right, bottom;
};
Corners corners_of(const Atlas& atlas, const Frame& f) {
    const auto width = static_cast<float>(atlas.width);
    const auto height = static_cast<float>(atlas.height);
    return {static_cast<float>(f.x) / width, static_cast<float>(f.y) / height,
            static_cast<float>(f.x + f.width) / width, static_cast<float>(f.y + f.height) / height};
}

}  // namespace

void Overlay::line(float x0, float y0, float x1, float y1, float thickness, Colour colour) {
    const float length = std::hypot(x1 - x0, y1 - y0);
    if (length == 0) return;
    const float x = (y1 - y0) / length * thickness / 2;
    const float y = (x0 - x1) / length * thickness / 2;
    const Corners c = corners_of(atlas_, atlas_.frames[frames::WHITE]);
    const float u = (c.left + c.right) / 2;
    const float v = (c.top + c.bottom) / 2;
    quads_.push_back({{{x0 + x, y0 + y, colour, u, v},
                       {x1 + x, y1 + y, colour, u, v},
                       {x1 - x, y1 - y, colour, u, v},
                       {x0 - x, y0 - y, colour, u, v}}});
}

void Overlay::box(float left, float top, float width, float height, Colour colour) {
    line(left, top + height / 2, left + width, top + height / 2, height, colour);
}

void Overlay::outline(float left, float top, float width, float height, float thickness, Colour colour) {
    box(left, top, width, thickness, colour);
    box(left, top + height - thickness, width, thickness, colour);
    box(left, top + thickness, thickness, height - 2 * thickness, colour);
    box(left + width - thickness, top + thickness, thickness, height - 2 * thickness, colour);
}

void Overlay::rotated_outline(float x, float y, float half_width, float half_height, float angle, float thickness,
                              Colour colour) {
    if (angle == 0) {
        outline(x - half_width, y - half_height, 2 * half_width, 2 * half_height, thickness, colour);
        return;
    }
    const float c = std::cos(angle);
    const float s = std::sin(angle);
    constexpr std::array<std::array<float, 2>, 4> SIGNS{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
    const auto corner = [&](std::size_t i) {
        const float along = SIGNS[i % 4][0] * half_width;
        const float across = SIGNS[i % 4][1] * half_height;
        return std::array{x + along * c - across * s, y + along * s + across * c};
    };
    for (std::size_t i = 0; i < 4; ++i)
        line(corner(i)[0], corner(i)[1], corner(i + 1)[0], corner(i + 1)[1], thickness, colour);
}

void Overlay::picture(std::uint16_t frame, float x, float y, Colour colour, float scale, float angle) {
    const Frame& f = atlas_.frames[frame];
    const Corners at = corners_of(atlas_, f);
    const float left = -f.anchor_x * scale;
    const float top = -f.anchor_y * scale;
    const float right = left + static_cast<float>(f.width) * scale;
    const float bottom = top + static_cast<float>(f.height) * scale;
    const float c = std::cos(angle);
    const float s = std::sin(angle);
    const auto vertex = [&](float dx, float dy, float u, float v) {
        return Vertex{x + dx * c - dy * s, y + dx * s + dy * c, colour, u, v};
    };
    quads_.push_back({{vertex(left, top, at.left, at.top), vertex(right, top, at.right, at.top),
                       vertex(right, bottom, at.right, at.bottom), vertex(left, bottom, at.left, at.bottom)}});
}

void Overlay::text(float x, float y, std::string_view text, Colour colour) {
    for (const char c : text) {
        const std::uint16_t glyph = glyph_of(c);
        if (c != ' ') picture(glyph, x, y, colour);
        x += static_cast<float>(atlas_.frames[glyph].width);
    }
}

std::string words(std::string_view name) {
    const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
    std::string spaced;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (i > 0 && is_capital(name[i]) && !is_capital(name[i - 1])) spaced += ' ';
        spaced += name[i];
    }
    return spaced;
}

float Overlay::text_width(std::string_view text) const {
    float width = 0;
    for (const char c : text) width += static_cast<float>(atlas_.frames[glyph_of(c)].width);
    return width;
}

}  // namespace crate_room
