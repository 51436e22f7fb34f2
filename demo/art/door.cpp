// The door to the next room: a gate two tiles wide, a little higher than the wall.
#include <algorithm>
#include <array>
#include <cmath>

#include "paint.hpp"
#include "random.hpp"

namespace crate_room::paint {
namespace {

constexpr int WIDTH = 32;
constexpr int TOP = 14;    // rows of the gate's top, seen from above
constexpr int FRONT = 30;  // rows of its front
constexpr int FOOT = TOP + FRONT;
constexpr int THRESHOLD = 8;  // rows of the floor in front of it
constexpr int LEFT = 5;       // of the opening
constexpr int INNER = WIDTH - 2 * LEFT;
constexpr int ARCH = TOP + 5;  // its highest row

constexpr Colour STONE = rgb(0x7C829F);
constexpr Colour LINE = rgb(0x22243A);
constexpr Colour IRON = rgb(0x4A505E);

// The first row of the opening below the arch, for each column.
int arch_top(int column) {
    constexpr std::array CURVE{5, 3, 2, 1, 1, 0, 0, 0, 0, 0, 0};
    return ARCH + CURVE[static_cast<std::size_t>(std::min(column, INNER - 1 - column))];
}

void masonry(Image& image) {
    for (int y = 0; y < TOP; ++y) {
        for (int x = 0; x < WIDTH; ++x) image.put(x, y, lit(WALL_CAP, 1.12f + 0.1f * chance(SEED + 600, u(x), u(y))));
    }
    image.frame(0, 0, WIDTH, TOP, lit(WALL_CAP, 0.75f));
    image.box(1, TOP - 2, WIDTH - 2, 1, lit(WALL_CAP, 1.9f));  // a light edge
    for (int y = TOP; y < FOOT; ++y) {
        for (int x = 0; x < WIDTH; ++x) {
            const int row = (y - TOP) / 5;
            const int column = (x + row % 2 * 4) / 8;
            const bool joint = (y - TOP) % 5 == 4 || (x + row % 2 * 4) % 8 == 7;
            Colour c = lit(STONE, 0.84f + 0.2f * chance(SEED + 601, u(row), u(column)));
            c = lit(c, 0.96f + 0.07f * chance(SEED + 602, u(x), u(y)));
            if ((y - TOP) % 5 == 0) c = lit(c, 1.13f);
            if (joint) c = rgb(0x3B3F58);
            image.put(x, y, lit(c, 1.08f - 0.26f * static_cast<float>(y - TOP) / FRONT));
        }
    }
    image.box(0, TOP, 1, FRONT, LINE);
    image.box(WIDTH - 1, TOP, 1, FRONT, LINE);
    // The lighter stones of the arch, with the keystone in the middle.
    for (int i = -2; i < INNER + 2; ++i) {
        const int inner = arch_top(std::clamp(i, 0, INNER - 1));
        for (int y = inner - 3; y < (i < 0 || i >= INNER ? FOOT : inner); ++y) {
            const bool joint = i < 0 || i >= INNER ? (y - TOP) % 6 == 5 : i % 4 == 1;
            image.put(LEFT + i, y,
                      lit(rgb(0x9CA2BC), (joint ? 0.62f : 0.92f + 0.14f * chance(SEED + 603, u(i + 4), u(y))) *
                                             (y == inner - 3 ? 1.15f : 1.0f)));
        }
    }
    image.box(WIDTH / 2 - 2, ARCH - 4, 4, 5, lit(rgb(0xAEB4CC), 1.0f));
    image.box(WIDTH / 2 - 2, ARCH - 4, 4, 1, rgb(0xCBD0E2));
    image.frame(WIDTH / 2 - 3, ARCH - 5, 6, 6, LINE);
}

// Behind the gate: stairs that lead up into warm light.
void beyond(Image& image) {
    for (int i = 0; i < INNER; ++i) {
        for (int y = arch_top(i); y < FOOT; ++y) {
            const float side = std::abs(static_cast<float>(i) - (INNER - 1) / 2.0f) / (INNER / 2.0f);
            const float depth = static_cast<float>(FOOT - y) / (FOOT - ARCH);  // 1 at the top
            Colour c = mix(rgb(0xF2A34C), rgb(0xFFF3C4), std::clamp(depth * 1.3f - side * side * 0.7f, 0.0f, 1.0f));
            if (depth < 0.62f) {  // steps are narrower near the light
                const int below = FOOT - 1 - y;
                c = mix(c, rgb(0xB4622F), 0.62f - depth);
                if (below % 4 == 3) c = mix(c, rgb(0xFFF3C4), 0.55f);
                if (below % 4 == 2) c = lit(c, 0.86f);
                if (side > 1.02f - depth * 0.45f) c = rgb(0x6B3A2E);
            }
            if (i == 0 || i == INNER - 1 || y == arch_top(i)) c = lit(c, 0.55f);
            image.put(LEFT + i, y, c);
        }
    }
}

// A leaf of the gate with its visible width; `left`: its hinges are on the left.
void leaf(Image& image, bool left, int seen, bool open) {
    constexpr int FULL = INNER / 2;
    for (int s = 0; s < seen; ++s) {
        const int board = s * FULL / seen;  // counted from the hinges
        const int i = left ? s : INNER - 1 - s;
        for (int y = arch_top(left ? board : INNER - 1 - board); y < FOOT; ++y) {
            const int row = y - ARCH;
            Colour c = mix(rgb(0xA8683C), rgb(0x84502F), 0.7f * chance(SEED + 610, u(board / 3), left ? 1 : 2));
            if (chance(SEED + 611, u(board), u(y / 3)) < 0.25f) c = lit(c, 0.86f);
            if (board % 3 == 2) c = rgb(0x55301F);
            if (board % 3 == 0) c = lit(c, 1.12f);
            const bool band = row == 7 || row == 8 || row == 18 || row == 19;
            if (band) {
                c = row % 10 == 7 || row == 18 ? lit(IRON, 1.35f) : lit(IRON, 0.9f);
                if (board % 3 == 1 && (row == 7 || row == 18)) c = rgb(0xB9C0CE);
            }
            if (row == FOOT - ARCH - 1) c = lit(c, 0.6f);
            if (y == arch_top(left ? board : INNER - 1 - board)) c = rgb(0x3A2119);
            if (board == FULL - 1)
                c = open ? rgb(0xFFCF86) : rgb(0x2E1A16);  // the free edge is lit when the gate is open
            if (open && board < FULL - 1) c = lit(mix(c, rgb(0x3A2119), 0.3f), 0.9f);
            image.put(LEFT + i, y, c);
        }
    }
    if (!open) {  // the ring handle
        const int x = LEFT + (left ? FULL - 4 : FULL + 2);
        image.box(x, ARCH + 11, 2, 1, rgb(0xF2C14E));
        image.box(x, ARCH + 12, 2, 2, rgb(0xB57B30));
        image.box(x, ARCH + 14, 2, 1, rgb(0x3A2119));
    }
}

// Light on the floor in front of the gate; it becomes wider with the distance.
void spill(Image& image, float open) {
    for (int y = 0; y < THRESHOLD; ++y) {
        for (int x = 0; x < WIDTH; ++x) {
            const float side = std::abs(static_cast<float>(x) - (WIDTH - 1) / 2.0f);
            const float half = open * INNER / 2 + static_cast<float>(y) * 0.5f;
            if (side > half) continue;
            const float strength = (1 - static_cast<float>(y) / THRESHOLD) * std::min(1.0f, (half - side) / 2 + 0.35f);
            image.over(x, FOOT + y, rgb(0xFFC873, static_cast<std::uint8_t>(150 * strength)));
        }
    }
}

}  // namespace

Image door(int n) {
    constexpr std::array SEEN{INNER / 2, INNER / 2 - 2, INNER / 2 - 6, 3};  // visible columns of each leaf, per step
    const int seen = SEEN[static_cast<std::size_t>(n)];
    Image image(WIDTH, FOOT + THRESHOLD);
    masonry(image);
    beyond(image);
    for (const bool left : {true, false}) leaf(image, left, seen, n > 0);
    image.box(0, FOOT, WIDTH, 3, rgb(0x0A0B14, n == 0 ? 105 : 70));  // the shadow at the bottom
    if (n > 0) spill(image, 1 - static_cast<float>(seen) / (INNER / 2.0f));
    return image;
}

}  // namespace crate_room::paint
