// Crates, seen from above and a little from the front.
#include <array>

#include "paint.hpp"
#include "random.hpp"

namespace crate_room::paint {
namespace {

constexpr int TOP_SIZE = 15;     // of the lid
constexpr int FRONT_HEIGHT = 9;  // rows of the front below it

struct Wood {
    Colour light, middle, dark, line;
};
constexpr Wood PINE{rgb(0xE0AC6E), rgb(0xC08850), rgb(0x93603A), rgb(0x4A2B22)};
constexpr Wood OAK{rgb(0xCC8F58), rgb(0xA66A40), rgb(0x7A472F), rgb(0x3E2320)};
constexpr Wood BIRCH{rgb(0xEBD2A0), rgb(0xCDAA74), rgb(0x9E7A50), rgb(0x523626)};
constexpr Wood OLD{rgb(0xB0A691), rgb(0x8B8170), rgb(0x665D54), rgb(0x35302F)};
constexpr Wood GREEN{rgb(0x9CB86E), rgb(0x739152), rgb(0x4F6B42), rgb(0x2A3529)};
constexpr Wood BLUE{rgb(0x86B4C4), rgb(0x5C8AA4), rgb(0x40637E), rgb(0x232E40)};

enum class Brace { none, slash, cross, iron, powder };
struct Kind {
    Wood wood;
    Brace brace;
    bool upright;  // boards of the lid
};
constexpr std::array<Kind, 8> KINDS{{{PINE, Brace::none, false},
                                     {PINE, Brace::slash, true},
                                     {OAK, Brace::cross, false},
                                     {OAK, Brace::iron, true},
                                     {BIRCH, Brace::powder, false},
                                     {OLD, Brace::none, true},
                                     {GREEN, Brace::slash, false},
                                     {BLUE, Brace::cross, true}}};

// The sign on a powder keg.
const std::vector<std::string_view> FLAME{"...r...", "...rr..", ".r.rrr.", ".rrrorr", "rrroorr", "rroyyor", ".royyr."};
const std::vector<std::string_view> SKULL{"wwwww", "wkwkw", "wwwww", ".www."};
Colour paint_of(char c) {
    switch (c) {
        case 'r': return rgb(0xC7332E);
        case 'o': return rgb(0xF28A34);
        case 'y': return rgb(0xFFE08A);
        case 'w': return rgb(0xF3E7CF);
        default: return rgb(0x4A1A1E);
    }
}

// Boards with grain: lines between the boards, and fibres along them.
void boards(Image& image, int x, int y, int width, int height, const Wood& wood, bool upright, std::uint32_t seed,
            float light) {
    for (int j = 0; j < height; ++j) {
        for (int i = 0; i < width; ++i) {
            const int across = upright ? i : j;
            const int along = upright ? j : i;
            const auto board = static_cast<std::uint32_t>(across / 4);
            Colour c = mix(wood.middle, wood.dark, 0.35f * chance(seed, board, 1));
            if (chance(seed, static_cast<std::uint32_t>(across), static_cast<std::uint32_t>(along / 3) + 40) < 0.22f)
                c = mix(c, wood.dark, 0.45f);
            if (across % 4 == 3) c = mix(wood.dark, wood.line, 0.55f);
            if (across % 4 == 0) c = mix(c, wood.light, 0.35f);
            image.put(x + i, y + j, lit(c, light));
        }
    }
}

// Iron bands across a lid and along its edges.
void straps(Image& image) {
    const Colour bright = rgb(0x9AA2B4);
    const Colour iron = rgb(0x5D6474);
    const Colour dark = rgb(0x3A4050);
    image.box(6, 2, 3, TOP_SIZE - 4, iron);
    image.box(2, 6, TOP_SIZE - 4, 3, iron);
    image.box(6, 2, 1, TOP_SIZE - 4, bright);
    image.box(2, 6, TOP_SIZE - 4, 1, bright);
    image.box(9, 3, 1, TOP_SIZE - 6, dark);
    image.box(3, 9, TOP_SIZE - 6, 1, dark);
    image.box(6, 6, 3, 3, bright);
    image.put(7, 7, dark);
}

void lid(Image& image, const Kind& kind, std::uint32_t seed) {
    const Wood& w = kind.wood;
    boards(image, 2, 2, TOP_SIZE - 4, TOP_SIZE - 4, w, kind.upright, seed, 0.94f);
    // The rim is higher than the lid: it casts a shadow on two sides.
    image.box(3, 3, TOP_SIZE - 6, 1, mix(w.dark, w.line, 0.5f));
    image.box(3, 3, 1, TOP_SIZE - 6, mix(w.dark, w.line, 0.5f));
    const auto beam = [&](int i, int j) {
        image.put(i, j + 1, mix(w.dark, w.line, 0.6f));
        image.put(i, j, w.light);
        image.put(i + 1, j, w.middle);
    };
    for (int i = 3; i < TOP_SIZE - 4; ++i) {
        if (kind.brace == Brace::cross) beam(i, i);
        if (kind.brace == Brace::slash || kind.brace == Brace::cross) beam(i, TOP_SIZE - 1 - i);
    }
    if (kind.brace == Brace::powder) {
        image.box(4, 4, TOP_SIZE - 8, TOP_SIZE - 8, mix(w.light, rgb(0xFFF4D6), 0.35f));
        image.map(4, 4, FLAME, paint_of);
    }
    image.frame(1, 1, TOP_SIZE - 2, TOP_SIZE - 2, w.light);
    image.frame(2, 2, TOP_SIZE - 4, TOP_SIZE - 4, w.middle);
    image.box(1, TOP_SIZE - 2, TOP_SIZE - 2, 1, w.middle);
    if (kind.brace == Brace::powder) {
        image.frame(1, 1, TOP_SIZE - 2, TOP_SIZE - 2, rgb(0xE2574A));
        image.frame(2, 2, TOP_SIZE - 4, TOP_SIZE - 4, rgb(0xB5322F));
        image.box(1, TOP_SIZE - 2, TOP_SIZE - 2, 1, rgb(0xB5322F));
    }
    if (kind.brace == Brace::iron) straps(image);
    for (int i = 4; i < TOP_SIZE - 4; i += 3) {
        if (chance(seed, static_cast<std::uint32_t>(i), 7) < 0.4f) image.put(i, 1, mix(w.light, rgb(0xFFFFFF), 0.35f));
    }
    const Colour nail = kind.brace == Brace::iron ? rgb(0xC9CED8) : mix(w.dark, w.line, 0.6f);
    for (const int i : {2, TOP_SIZE - 3}) {
        for (const int j : {2, TOP_SIZE - 3}) {
            if (kind.brace == Brace::iron) image.box(i - 1, j - 1, 3, 3, rgb(0x5D6474));
            image.put(i, j, nail);
        }
    }
}

void front(Image& image, const Kind& kind, std::uint32_t seed) {
    const Wood& w = kind.wood;
    boards(image, 1, TOP_SIZE, TOP_SIZE - 2, FRONT_HEIGHT - 1, w, false, seed + 1, 0.74f);
    image.box(1, TOP_SIZE, TOP_SIZE - 2, 1, mix(w.dark, w.line, 0.45f));  // under the lid's edge
    for (const int i : {1, TOP_SIZE - 3}) {
        image.box(i, TOP_SIZE + 1, 2, FRONT_HEIGHT - 2, lit(w.middle, 0.86f));
        image.box(i + 1, TOP_SIZE + 1, 1, FRONT_HEIGHT - 2, lit(w.dark, 0.9f));
        image.put(i, TOP_SIZE + 2, mix(w.dark, w.line, 0.6f));
        image.put(i, TOP_SIZE + FRONT_HEIGHT - 3, mix(w.dark, w.line, 0.6f));
    }
    if (kind.brace == Brace::iron) {
        for (const int i : {1, TOP_SIZE - 5}) {  // the bands continue on the front
            image.box(i, TOP_SIZE + 1, 4, FRONT_HEIGHT - 2, rgb(0x3A4050));
            image.box(i, TOP_SIZE + 1, 1, FRONT_HEIGHT - 2, rgb(0x6B7386));
        }
        image.box(1, TOP_SIZE + 3, TOP_SIZE - 2, 3, rgb(0x4A505E));
        image.box(1, TOP_SIZE + 3, TOP_SIZE - 2, 1, rgb(0x8088A0));
        for (int i = 2; i < TOP_SIZE - 2; i += 5) image.put(i, TOP_SIZE + 4, rgb(0xC9CED8));
    }
    if (kind.brace == Brace::powder) {
        image.box(1, TOP_SIZE + 2, TOP_SIZE - 2, 4, rgb(0xB5322F));
        image.box(1, TOP_SIZE + 2, TOP_SIZE - 2, 1, rgb(0xD5483F));
        image.map(5, TOP_SIZE + 2, SKULL, paint_of);
    }
    image.box(1, TOP_SIZE + FRONT_HEIGHT - 2, TOP_SIZE - 2, 1, lit(w.dark, 0.7f));
}

// The crate without its shadow; its rows are shifted when it leans.
Image body(const Kind& kind, std::uint32_t seed) {
    Image image(TOP_SIZE, TOP_SIZE + FRONT_HEIGHT);
    image.box(0, 0, TOP_SIZE, TOP_SIZE + FRONT_HEIGHT - 1, kind.wood.line);
    lid(image, kind, seed);
    front(image, kind, seed);
    return image;
}

}  // namespace

Image crate(int n, int step) {
    constexpr int LEFT = 3;  // space for the leaning crate
    const Kind& kind = KINDS[static_cast<std::size_t>(n)];
    Image image(LEFT + TOP_SIZE + 4, TOP_SIZE + FRONT_HEIGHT + 3);
    // The shadow is on the right and in front.
    image.box(LEFT + 3, TOP_SIZE + FRONT_HEIGHT - 1, TOP_SIZE - 1, 3, rgb(0x0A0B14, 110));
    image.box(LEFT + TOP_SIZE, TOP_SIZE - 3, 3, FRONT_HEIGHT + 4, rgb(0x0A0B14, 90));
    const Image upright = body(kind, SEED + 100 + static_cast<std::uint32_t>(n));
    const int direction = step == 0 ? 0 : step == 1 ? -1 : 1;
    for (int y = 0; y < upright.height(); ++y) {
        const int lean = y < TOP_SIZE + 3 ? 2 : y < TOP_SIZE + 6 ? 1 : 0;  // the lowest rows stay in place
        for (int x = 0; x < TOP_SIZE; ++x) image.over(LEFT + x + direction * lean, y, upright.at(x, y));
    }
    return image;
}

}  // namespace crate_room::paint
