// Floor, walls, pillars and the torches on them.
#include <array>
#include <cmath>

#include "paint.hpp"
#include "random.hpp"

namespace crate_room::paint {
namespace {

constexpr int T = 16;
constexpr Colour SLAB = rgb(0x565C75);
constexpr Colour JOINT = rgb(0x3A3E54);
constexpr Colour BRICK = rgb(0x6C7290);
constexpr Colour MORTAR = rgb(0x3B3F58);

// A slab with light on its upper left edges and specks of grain.
void slab(Image& image, int x, int y, int width, int height, std::uint32_t seed) {
    const Colour base = lit(SLAB, 0.94f + 0.12f * chance(seed, 1));
    for (int j = 0; j < height; ++j) {
        for (int i = 0; i < width; ++i) {
            Colour c = lit(base, 0.97f + 0.06f * chance(seed, u(i), u(j) + 9));
            if (chance(seed, u(i) + 50, u(j)) < 0.05f) c = lit(c, 0.88f);
            if (i == 0 || j == 0) c = lit(c, 1.09f);
            if (i == width - 1 || j == height - 1) c = lit(c, 0.9f);
            image.put(x + i, y + j, c);
        }
    }
}

void bricks(Image& image, int y, int height, std::uint32_t seed) {
    image.box(0, y, T, height, MORTAR);
    for (int row = 0; row * 5 < height; ++row) {
        // Every other row is shifted by half a brick, so that tiles match at their edges.
        for (int brick = -1; brick < 2; ++brick) {
            const int x = brick * 8 + (row % 2) * 4;
            const std::uint32_t which = scramble(seed, u(row), u((brick + 2) % 2 + (row % 2) * 2));
            const Colour c = lit(BRICK, 0.82f + 0.3f * chance(which, 1));
            for (int j = 0; j < 4 && row * 5 + j < height; ++j) {
                for (int i = 0; i < 7; ++i) {
                    Colour p = lit(c, 0.95f + 0.08f * chance(which, u(i), u(j)));
                    if (j == 0) p = lit(p, 1.16f);
                    if (j == 3 || i == 6) p = lit(p, 0.84f);
                    // Darker toward the ground.
                    p = lit(p, 1.08f - 0.26f * static_cast<float>(row * 5 + j) / static_cast<float>(height));
                    const int at = x + i;
                    image.put((at + T) % T, y + row * 5 + j, p);
                }
            }
        }
    }
}

}  // namespace

Image floor(int n) {
    Image image(T, T);
    const std::uint32_t seed = SEED + 200 + u(n);
    image.box(0, 0, T, T, JOINT);
    if (n == 8) {  // four small slabs
        for (int i = 0; i < 4; ++i) slab(image, 1 + i % 2 * 8, 1 + i / 2 * 8, 7, 7, seed + u(i) * 17);
    } else if (n == 9) {  // two long ones
        slab(image, 1, 1, 15, 7, seed);
        slab(image, 1, 9, 15, 7, seed + 3);
    } else {
        slab(image, 1, 1, 15, 15, seed);
    }
    if (n == 6 || n == 7) {  // a crack
        float x = 3 + 8 * chance(seed, 70);
        for (int y = 1; y < 12 + n % 2 * 3; ++y) {
            image.put(static_cast<int>(x), y, lit(JOINT, 0.92f));
            image.put(static_cast<int>(x) + 1, y, lit(SLAB, 1.1f));
            x += 1.6f * (chance(seed, 71, u(y)) - 0.42f);
        }
    }
    if (n == 5) {  // moss in a corner, less of it with the distance
        for (int y = 0; y < 10; ++y) {
            for (int x = 0; x < 10; ++x) {
                const float far = std::hypot(static_cast<float>(x), static_cast<float>(y)) / 10 +
                                  0.35f * chance(seed, u(x / 2) + 80, u(y / 2));
                if (far + 0.35f * chance(seed, u(x) + 90, u(y)) > 0.85f) continue;
                const float light = chance(seed, u(x) + 100, u(y));
                image.put(x, y, light > 0.75f ? rgb(0x75905F) : light > 0.3f ? rgb(0x587550) : rgb(0x455D49));
            }
        }
    }
    return image;
}

Image wall(int n) {
    Image image(T, 2 * T + 3);
    const std::uint32_t seed = SEED + 300 + u(n);
    for (int y = 0; y < T; ++y) {
        for (int x = 0; x < T; ++x) image.put(x, y, lit(WALL_CAP, 0.96f + 0.1f * chance(seed, u(x), u(y))));
    }
    image.box(0, T - 2, T, 1, lit(WALL_CAP, 1.55f));  // a light edge
    image.box(0, T - 1, T, 1, lit(WALL_CAP, 0.7f));
    bricks(image, T, T, seed);
    image.box(0, 2 * T, T, 3, rgb(0x0A0B14, 105));  // the shadow at the bottom
    return image;
}

Image pillar() {
    Image image(T + 3, 2 * T + 3);
    image.box(3, 2 * T - 3, T, 6, rgb(0x0A0B14, 110));
    const Colour line = rgb(0x22243A);
    image.box(0, 2, T - 1, 2 * T - 2, line);
    for (int y = 3; y < 2 * T - 1; ++y) {
        for (int x = 1; x < T - 2; ++x) {
            const float round = 1.15f - 0.55f * std::abs(static_cast<float>(x) - 5) / 9;
            image.put(x, y, lit(BRICK, round * (0.96f + 0.06f * chance(SEED + 330, u(x), u(y)))));
        }
    }
    const auto slice = [&](int y, int height, float light) {
        image.box(0, y - 1, T - 1, height + 2, line);
        image.box(1, y, T - 3, height, lit(BRICK, light));
        image.box(1, y, T - 3, 1, lit(BRICK, light * 1.2f));
    };
    slice(1, 11, 0.98f);  // the top, seen from above
    image.frame(3, 3, T - 7, 7, lit(BRICK, 0.8f));
    slice(13, 2, 0.85f);
    slice(2 * T - 4, 3, 0.8f);
    return image;
}

Image torch(int n) {
    Image image(11, 20);
    image.box(4, 12, 3, 6, rgb(0x6B4A33));
    image.box(4, 12, 1, 6, rgb(0x8A6344));
    image.box(3, 11, 5, 2, rgb(0x4C5160));
    image.outline(rgb(0x1B1722));
    const float lean = std::array{-1.0f, 0.4f, 1.0f, -0.3f}[static_cast<std::size_t>(n)];
    const float tall = std::array{9.0f, 10.0f, 8.5f, 9.6f}[static_cast<std::size_t>(n)];
    const auto flame = [&](float width, float height, Colour c) {
        for (float h = 0; h < height; h += 0.5f) {
            const float t = h / height;
            const float half = width * (1 - t) * (0.7f + 0.9f * t);
            const float middle = 5 + lean * t * t * 1.6f;
            for (float x = middle - half; x <= middle + half; x += 0.5f)
                image.put(static_cast<int>(std::lround(x)), 11 - static_cast<int>(h), c);
        }
    };
    flame(3.2f, tall, rgb(0xE2562B));
    flame(2.5f, tall * 0.74f, rgb(0xF79A3A));
    flame(1.6f, tall * 0.5f, rgb(0xFFE08A));
    return image;
}

}  // namespace crate_room::paint
