#include "image.hpp"

#include <algorithm>
#include <cmath>

namespace crate_room {
namespace {

std::uint8_t byte(float value) { return static_cast<std::uint8_t>(std::clamp(value + 0.5f, 0.0f, 255.0f)); }

}  // namespace

Colour mix(Colour a, Colour b, float t) {
    const auto between = [t](std::uint8_t from, std::uint8_t to) {
        return byte(static_cast<float>(from) + t * static_cast<float>(to - from));
    };
    return {between(a.r, b.r), between(a.g, b.g), between(a.b, b.b), between(a.a, b.a)};
}

Colour lit(Colour c, float factor) { return {byte(c.r * factor), byte(c.g * factor), byte(c.b * factor), c.a}; }

Colour Image::at(int x, int y) const {
    return inside(x, y) ? pixels_[static_cast<std::size_t>(y * width_ + x)] : Colour{0, 0, 0, 0};
}

void Image::put(int x, int y, Colour c) {
    if (inside(x, y)) pixels_[static_cast<std::size_t>(y * width_ + x)] = c;
}

void Image::over(int x, int y, Colour c) {
    if (!inside(x, y) || c.a == 0) return;
    const Colour below = at(x, y);
    const float alpha = static_cast<float>(c.a) / 255;
    const float rest = static_cast<float>(below.a) / 255 * (1 - alpha);
    const float all = alpha + rest;
    const auto blend = [&](std::uint8_t top, std::uint8_t bottom) {
        return byte((static_cast<float>(top) * alpha + static_cast<float>(bottom) * rest) / all);
    };
    put(x, y, {blend(c.r, below.r), blend(c.g, below.g), blend(c.b, below.b), byte(255 * all)});
}

void Image::box(int x, int y, int width, int height, Colour c) {
    for (int j = y; j < y + height; ++j) {
        for (int i = x; i < x + width; ++i) put(i, j, c);
    }
}

void Image::frame(int x, int y, int width, int height, Colour c) {
    box(x, y, width, 1, c);
    box(x, y + height - 1, width, 1, c);
    box(x, y, 1, height, c);
    box(x + width - 1, y, 1, height, c);
}

void Image::line(float x0, float y0, float x1, float y1, Colour c) {
    const float steps = std::max(1.0f, std::ceil(std::max(std::abs(x1 - x0), std::abs(y1 - y0))));
    for (float i = 0; i <= steps; ++i) {
        put(static_cast<int>(std::lround(std::lerp(x0, x1, i / steps))),
            static_cast<int>(std::lround(std::lerp(y0, y1, i / steps))), c);
    }
}

void Image::disc(float x, float y, float rx, float ry, Colour c) {
    for (int j = static_cast<int>(y - ry - 1); j <= static_cast<int>(y + ry + 1); ++j) {
        for (int i = static_cast<int>(x - rx - 1); i <= static_cast<int>(x + rx + 1); ++i) {
            const float dx = (static_cast<float>(i) - x) / rx;
            const float dy = (static_cast<float>(j) - y) / ry;
            if (dx * dx + dy * dy <= 1) over(i, j, c);
        }
    }
}

void Image::paste(const Image& other, int x, int y) {
    for (int j = 0; j < other.height(); ++j) {
        for (int i = 0; i < other.width(); ++i) put(x + i, y + j, other.at(i, j));
    }
}

void Image::lay(const Image& above, int x, int y) {
    for (int j = 0; j < above.height(); ++j) {
        for (int i = 0; i < above.width(); ++i) over(x + i, y + j, above.at(i, j));
    }
}

Image Image::turned(float radians) const {
    Image image(width_, height_);
    const float c = std::cos(radians);
    const float s = std::sin(radians);
    const float middle_x = static_cast<float>(width_ - 1) / 2;
    const float middle_y = static_cast<float>(height_ - 1) / 2;
    for (int y = 0; y < height_; ++y) {
        for (int x = 0; x < width_; ++x) {
            const float dx = static_cast<float>(x) - middle_x;
            const float dy = static_cast<float>(y) - middle_y;
            image.put(x, y,
                      at(static_cast<int>(std::lround(middle_x + dx * c + dy * s)),
                         static_cast<int>(std::lround(middle_y - dx * s + dy * c))));
        }
    }
    return image;
}

void Image::outline(Colour c) {
    const Image before = *this;
    for (int y = 0; y < height_; ++y) {
        for (int x = 0; x < width_; ++x) {
            if (before.at(x, y).a != 0) continue;
            const bool beside = before.at(x - 1, y).a == 255 || before.at(x + 1, y).a == 255 ||
                                before.at(x, y - 1).a == 255 || before.at(x, y + 1).a == 255;
            if (beside) put(x, y, c);
        }
    }
}

}  // namespace crate_room
