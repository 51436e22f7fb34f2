// The player: a small figure in a red hood with a large hammer.
#include <array>
#include <cmath>
#include <numbers>

#include "frames.hpp"
#include "paint.hpp"

namespace crate_room::paint {
namespace {

using Rows = std::vector<std::string_view>;

constexpr int SIZE = 42;             // of a frame, with room for the hammer
constexpr int LEFT = SIZE / 2 - 7;   // of the figure in it
constexpr int TOP = 11;

Colour colour_of(char c) {
    switch (c) {
        case 'r': return rgb(0xD9483B);  // hood
        case 'R': return rgb(0xF2785A);
        case 'd': return rgb(0x9A2C38);
        case 's': return rgb(0xF3C79B);  // skin
        case 'S': return rgb(0xD79C78);
        case 'e': return rgb(0x2A1A2E);  // eyes
        case 'y': return rgb(0xF2C14E);  // scarf
        case 'Y': return rgb(0xC88F35);
        case 'w': return rgb(0x3FA39B);  // coat
        case 'W': return rgb(0x2C7679);
        case 'b': return rgb(0x5C3A2E);  // belt
        case 'p': return rgb(0x4B4468);  // trousers
        case 'g': return rgb(0x7A4E36);  // boots
        default: return rgb(0x1C1422);   // outline
    }
}

const std::array<Rows, 3> BODIES{
    Rows{"....kkkkkk....", "...kRRRRrrk...", "..kRRrrrrrrk..", "..kRrrrrrrrk..", ".krrdddddddrk.", ".krdssssssdrk.", ".krdsessesdrk.",
         ".krdsessesdrk.", "..krdsSSsdrk..", "...kyyyyyyk...", "..kwYyyyyYwk..", ".kwwwyYwwwWWk.", ".kskwwwwwWksk.", ".kskbbyybbksk.",
         "..kkwwwwWWkk.."},
    Rows{"....kkkkkk....", "...kRRRRrrk...", "..kRRrrrrrrk..", "..kRrrrrrrrk..", ".kRrrrrrrrrdk.", ".krrrrrrrrddk.", ".krrrrrrrrddk.",
         ".krrrrrrrdddk.", "..krrrrrdddk..", "...kyyyyYYk...", "..kwwYyYYWWk..", ".kwwwyYwwwWWk.", ".kskwyYwwWksk.", ".kskbbbbbbksk.",
         "..kkwwwwWWkk.."},
    Rows{"....kkkkkk....", "...kRRRRrrk...", "..kRRrrrrrrk..", "..kRrrrrrrrk..", "..krrrrdddsk..", "..krrrdssssk..", "..krrrdssesk..",
         "..krrrdssesk..", "...krrddsssk..", "...kkyyyyyk...", "..kyYkwwwwk...", "...kkwwwwWk...", "...kwwsswWk...", "...kbbssybk...",
         "...kwwwwWWk..."},
};
// Standing, one foot in front, standing, the other foot.
const std::array<Rows, 4> LEGS{
    Rows{"...kppppppk...", "...kppkkppk...", "...kggkkggk...", "....kk..kk...."},
    Rows{"...kppppppk...", "...kppkkggk...", "...kggk.kk....", "....kk........"},
    Rows{"...kppppppk...", "...kppkkppk...", "...kggkkggk...", "....kk..kk...."},
    Rows{"...kppppppk...", "...kggkkppk...", "....kk.kggk...", "........kk...."},
};
const std::array<Rows, 4> LEGS_FROM_THE_SIDE{
    Rows{"....kppppk....", "....kppppk....", "....kgggggk...", ".....kkkkk...."},
    Rows{"....kppppk....", "...kppkkppk...", "..kggk..kggk..", "...kk....kk..."},
    Rows{"....kppppk....", "....kppppk....", "....kgggggk...", ".....kkkkk...."},
    Rows{"....kppppk....", "....kpppkk....", "...kggkgggk...", "....kk.kkk...."},
};

// A hammer held at (x, y), pointing at `angle`: 0 is right, a quarter turn is down.
Image hammer(float x, float y, float angle) {
    Image image(SIZE, SIZE);
    const float c = std::cos(angle);
    const float s = std::sin(angle);
    image.line(x - 2 * c, y - 2 * s, x + 8 * c, y + 8 * s, rgb(0x8A5A3A));
    for (float along = 7; along <= 12; along += 0.5f) {
        for (float across = -4; across <= 4; across += 0.5f) {
            const Colour steel = across < -1.5f ? rgb(0xD6DCE6) : across < 2 ? rgb(0xA3ABBC) : rgb(0x6F778C);
            image.put(static_cast<int>(std::lround(x + along * c - across * s)), static_cast<int>(std::lround(y + along * s + across * c)), steel);
        }
    }
    image.outline(rgb(0x1C1422));
    return image;
}

// The trail of a swing: a crescent from one angle to another around (x, y).
void trail(Image& image, float x, float y, float from, float to) {
    for (float t = 0; t <= 1; t += 0.01f) {
        const float angle = std::lerp(from, to, t);
        for (float radius = 15 - 5 * t; radius <= 16.5f; radius += 0.4f) {
            const auto alpha = static_cast<std::uint8_t>(40 + 150 * t);
            image.put(static_cast<int>(std::lround(x + radius * std::cos(angle))), static_cast<int>(std::lround(y + radius * std::sin(angle))), rgb(0xFFF3D6, alpha));
        }
    }
}

void lay(Image& below, const Image& above) {
    for (int y = 0; y < SIZE; ++y) {
        for (int x = 0; x < SIZE; ++x) below.over(x, y, above.at(x, y));
    }
}

Image figure(int side, int step, int bob) {
    Image image(SIZE, SIZE);
    const auto at = static_cast<std::size_t>(step);
    image.map(LEFT, TOP + 15, side == 2 ? LEGS_FROM_THE_SIDE[at] : LEGS[at], colour_of);
    image.map(LEFT, TOP + bob, BODIES[static_cast<std::size_t>(side)], colour_of);
    return image;
}

Image shadow() {
    Image image(SIZE, SIZE);
    image.disc(static_cast<float>(SIZE) / 2, TOP + 18, 7.5f, 3.2f, rgb(0x0A0B14, 120));
    return image;
}

}  // namespace

Image walk(int n) {
    const int side = n / frames::WALK_STEPS;
    const int step = n % frames::WALK_STEPS;
    const int bob = step % 2;
    Image image = shadow();
    // Over the shoulder; in front of the figure only when seen from the back.
    const float shoulder_y = static_cast<float>(TOP + 12 + bob);
    const float angle = side == 2 ? -2.5f : side == 1 ? -1.1f : -2.0f;
    const Image carried = hammer(side == 0 ? LEFT + 3 : side == 1 ? LEFT + 10 : LEFT + 7, shoulder_y, angle);
    if (side != 1) lay(image, carried);
    lay(image, figure(side, step, bob));
    if (side == 1) lay(image, carried);
    return image;
}

Image strike(int n) {
    constexpr float QUARTER = std::numbers::pi_v<float> / 2;
    const int side = n / frames::STRIKE_STEPS;
    const int step = n % frames::STRIKE_STEPS;
    // Where the blow ends, and how it gets there.
    const float end = std::array{QUARTER, -QUARTER, 0.25f}[static_cast<std::size_t>(side)];
    const float swing = side == 2 ? -2.0f : -1.9f;
    const float angle = end + swing * std::array{1.0f, 0.35f, 0.0f}[static_cast<std::size_t>(step)];
    const float x = std::array{LEFT + 7.0f, LEFT + 7.0f, LEFT + 8.0f}[static_cast<std::size_t>(side)];
    const float y = static_cast<float>(TOP) + 11;
    Image swung = hammer(x + 3 * std::cos(angle), y + 3 * std::sin(angle), angle);
    if (step == 1) trail(swung, x, y, end + swing, angle);
    if (step == 2) trail(swung, x, y, end + swing * 0.6f, end);
    Image image = shadow();
    if (side == 1) lay(image, swung);
    lay(image, figure(side, side == 2 ? 1 : 0, step == 2 ? 1 : 0));
    if (side != 1) lay(image, swung);
    return image;
}

}  // namespace crate_room::paint
