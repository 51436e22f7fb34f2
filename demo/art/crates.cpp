// Crates, seen from above and a little from the front.
#include <array>

#include "paint.hpp"
#include "random.hpp"

namespace crate_room::paint {
namespace {

constexpr int SIZE = 15;   // of the lid
constexpr int FRONT = 9;   // rows of the front below it

struct Wood {
    Colour light, middle, dark, line;
};
constexpr Wood PINE{rgb(0xE0AC6E), rgb(0xC08850), rgb(0x93603A), rgb(0x4A2B22)};
constexpr Wood OAK{rgb(0xCC8F58), rgb(0xA66A40), rgb(0x7A472F), rgb(0x3E2320)};
constexpr Wood BIRCH{rgb(0xEBD2A0), rgb(0xCDAA74), rgb(0x9E7A50), rgb(0x523626)};
constexpr Wood OLD{rgb(0xB0A691), rgb(0x8B8170), rgb(0x665D54), rgb(0x35302F)};
constexpr Wood GREEN{rgb(0x9CB86E), rgb(0x739152), rgb(0x4F6B42), rgb(0x2A3529)};
constexpr Wood BLUE{rgb(0x86B4C4), rgb(0x5C8AA4), rgb(0x40637E), rgb(0x232E40)};

enum class Brace { none, slash, cross, iron, stamp };
struct Kind {
    Wood wood;
    Brace brace;
    bool upright;  // boards of the lid
};
constexpr std::array<Kind, 8> KINDS{{{PINE, Brace::none, false},
                                     {PINE, Brace::slash, true},
                                     {OAK, Brace::cross, false},
                                     {OAK, Brace::iron, true},
                                     {BIRCH, Brace::stamp, false},
                                     {OLD, Brace::none, true},
                                     {GREEN, Brace::slash, false},
                                     {BLUE, Brace::cross, true}}};

// Boards with grain: a line between two of them, and fibres along them.
void boards(Image& image, int x, int y, int width, int height, const Wood& wood, bool upright, std::uint32_t seed, float light) {
    for (int j = 0; j < height; ++j) {
        for (int i = 0; i < width; ++i) {
            const int across = upright ? i : j;
            const int along = upright ? j : i;
            const auto board = static_cast<std::uint32_t>(across / 4);
            Colour c = mix(wood.middle, wood.dark, 0.35f * chance(seed, board, 1));
            if (chance(seed, static_cast<std::uint32_t>(across), static_cast<std::uint32_t>(along / 3) + 40) < 0.22f) c = mix(c, wood.dark, 0.45f);
            if (across % 4 == 3) c = mix(wood.dark, wood.line, 0.55f);
            if (across % 4 == 0) c = mix(c, wood.light, 0.35f);
            image.put(x + i, y + j, lit(c, light));
        }
    }
}

void lid(Image& image, const Kind& kind, std::uint32_t seed) {
    const Wood& w = kind.wood;
    boards(image, 2, 2, SIZE - 4, SIZE - 4, w, kind.upright, seed, 0.94f);
    // The rim stands up: it throws a shadow inward on two sides.
    image.box(3, 3, SIZE - 6, 1, mix(w.dark, w.line, 0.5f));
    image.box(3, 3, 1, SIZE - 6, mix(w.dark, w.line, 0.5f));
    const auto beam = [&](int i, int j) {
        image.put(i, j + 1, mix(w.dark, w.line, 0.6f));
        image.put(i, j, w.light);
        image.put(i + 1, j, w.middle);
    };
    for (int i = 3; i < SIZE - 4; ++i) {
        if (kind.brace == Brace::cross) beam(i, i);
        if (kind.brace == Brace::slash || kind.brace == Brace::cross) beam(i, SIZE - 1 - i);
    }
    if (kind.brace == Brace::stamp) {
        image.frame(5, 5, 5, 5, mix(rgb(0xA63A32), w.middle, 0.25f));
        image.put(7, 7, mix(rgb(0xA63A32), w.middle, 0.25f));
    }
    image.frame(1, 1, SIZE - 2, SIZE - 2, w.light);
    image.frame(2, 2, SIZE - 4, SIZE - 4, w.middle);
    image.box(1, SIZE - 2, SIZE - 2, 1, w.middle);
    for (int i = 4; i < SIZE - 4; i += 3) {
        if (chance(seed, static_cast<std::uint32_t>(i), 7) < 0.4f) image.put(i, 1, mix(w.light, rgb(0xFFFFFF), 0.35f));
    }
    const Colour nail = kind.brace == Brace::iron ? rgb(0xC9CED8) : mix(w.dark, w.line, 0.6f);
    for (const int i : {2, SIZE - 3}) {
        for (const int j : {2, SIZE - 3}) {
            if (kind.brace == Brace::iron) image.box(i - 1, j - 1, 3, 3, rgb(0x5D6474));
            image.put(i, j, nail);
        }
    }
}

void front(Image& image, const Kind& kind, std::uint32_t seed) {
    const Wood& w = kind.wood;
    boards(image, 1, SIZE, SIZE - 2, FRONT - 1, w, false, seed + 1, 0.74f);
    image.box(1, SIZE, SIZE - 2, 1, mix(w.dark, w.line, 0.45f));  // under the lid's edge
    for (const int i : {1, SIZE - 3}) {
        image.box(i, SIZE + 1, 2, FRONT - 2, lit(w.middle, 0.86f));
        image.box(i + 1, SIZE + 1, 1, FRONT - 2, lit(w.dark, 0.9f));
        image.put(i, SIZE + 2, mix(w.dark, w.line, 0.6f));
        image.put(i, SIZE + FRONT - 3, mix(w.dark, w.line, 0.6f));
    }
    if (kind.brace == Brace::iron) image.box(1, SIZE + 3, SIZE - 2, 2, rgb(0x4A505E));
    if (kind.brace == Brace::stamp) image.box(5, SIZE + 3, 5, 2, lit(rgb(0xA63A32), 0.8f));
    image.box(1, SIZE + FRONT - 2, SIZE - 2, 1, lit(w.dark, 0.7f));
}

}  // namespace

Image crate(int n) {
    const Kind& kind = KINDS[static_cast<std::size_t>(n)];
    const std::uint32_t seed = SEED + 100 + static_cast<std::uint32_t>(n);
    Image image(SIZE + 4, SIZE + FRONT + 3);
    // Its shadow falls to the right and to the front.
    image.box(3, SIZE + FRONT - 1, SIZE - 1, 3, rgb(0x0A0B14, 110));
    image.box(SIZE, SIZE - 3, 3, FRONT + 4, rgb(0x0A0B14, 90));
    image.box(0, 0, SIZE, SIZE + FRONT - 1, kind.wood.line);
    lid(image, kind, seed);
    front(image, kind, seed);
    return image;
}

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

}  // namespace crate_room::paint
