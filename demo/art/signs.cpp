// Signs: brackets, hearts, an arrow, and white shapes that are stretched and tinted when drawn.
#include <algorithm>
#include <cmath>

#include "figure.hpp"
#include "paint.hpp"

namespace crate_room::paint {
namespace {

const Rows BIG_HEART{"..kkk.kkk..", ".kRRrkrrrk.", "kRwRrrrrrdk", "kRRrrrrrrdk", "krrrrrrrrdk", "krrrrrrrddk",
                     ".krrrrrddk.", "..krrrddk..", "...krddk...", "....kdk....", ".....k....."};
const Rows SMALL_HEART{".kkk.kkk.", "kRRrkrrrk", "kRwrrrrdk", "krrrrrrdk",
                       ".krrrrdk.", "..krrdk..", "...kdk...", "....k...."};
const Rows POINTER{"....kk.....", "....kok....", "kkkkkook...", "koooooooWk.", "koooooooook",
                   "kssssssssk.", "kkkkkssk...", "....ksk....", "....kk....."};

Colour red(char c) {
    switch (c) {
        case 'w': return rgb(0xFFF1E4);
        case 'R': return rgb(0xFF7A66);
        case 'r': return rgb(0xE23D45);
        case 'd': return rgb(0xA32440);
        default: return rgb(0x2A1220);
    }
}
// A lost heart: only its outline.
Colour hollow(char c) { return c == 'k' ? rgb(0x1C1422) : c == 'd' ? rgb(0x625068, 235) : rgb(0x40344A, 235); }

// White where `inside(distance from the centre)` is 1, and transparent where it is 0.
template <class Inside>
Image round(Inside&& inside) {
    constexpr int SIZE = 32;
    Image image(SIZE, SIZE);
    for (int y = 0; y < SIZE; ++y) {
        for (int x = 0; x < SIZE; ++x) {
            const float distance = std::hypot(static_cast<float>(x) - 15.5f, static_cast<float>(y) - 15.5f);
            image.put(x, y, rgb(0xFFFFFF, static_cast<std::uint8_t>(255 * std::clamp(inside(distance), 0.0f, 1.0f))));
        }
    }
    return image;
}

constexpr float EDGE = 15.5f;  // leaves half a pixel for the soft edge

}  // namespace

Image marker() {
    Image image(23, 32);
    const Colour bright = rgb(0xFFE9A8);
    const int w = image.width() - 2;
    const int h = image.height() - 2;
    for (int corner = 0; corner < 4; ++corner) {
        const int x = corner % 2 == 0 ? 1 : w - 4;
        const int y = corner / 2 == 0 ? 1 : h;
        image.box(x, y, 5, 1, bright);
        image.box(corner % 2 == 0 ? 1 : w, corner / 2 == 0 ? 1 : h - 4, 1, 5, bright);
    }
    image.outline(rgb(0x1A1420, 200));
    return image;
}

Image pickup(int n) {
    constexpr std::array RISE{0, 1, 2, 1};
    const int rise = RISE[static_cast<std::size_t>(n)];
    Image image(13, 20);
    image.disc(6, 16, 4.4f - 0.6f * static_cast<float>(rise), 1.9f, rgb(0x0A0B14, 120));
    image.map(2, 4 - rise, SMALL_HEART, red);
    return image;
}

Image heart(bool full) {
    Image image(11, 11);
    if (full) image.map(0, 0, BIG_HEART, red);
    else image.map(0, 0, BIG_HEART, hollow);
    return image;
}

Image arrow() {
    Image image(11, 9);
    image.map(0, 0, POINTER, [](char c) {
        return c == 'k' ? rgb(0x1A1420) : c == 's' ? rgb(0xE8C46A) : rgb(0xFFE9A8);
    });
    return image;
}

Image disc() {
    return round([](float distance) { return EDGE - distance + 0.5f; });
}

Image ring() {
    return round([](float distance) { return std::min(EDGE - distance + 0.5f, distance - (EDGE - 2) + 0.5f); });
}

}  // namespace crate_room::paint
