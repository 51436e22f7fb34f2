#include "figure.hpp"

#include <cmath>
#include <numbers>

#include "paint.hpp"

namespace crate_room::paint {
namespace {

constexpr float QUARTER = std::numbers::pi_v<float> / 2;
constexpr int LEGS_TOP = FIGURE_GROUND - 4;

// Standing, one foot in front, standing, the other foot.
const std::array<Rows, 4> LEGS{
    Rows{"kppppppk", "kppkkppk", "kggkkggk", ".kk..kk."},
    Rows{"kppppppk", "kppkkggk", "kggk.kk.", ".kk....."},
    Rows{"kppppppk", "kppkkppk", "kggkkggk", ".kk..kk."},
    Rows{"kppppppk", "kggkkppk", ".kk.kggk", ".....kk."},
};
const std::array<Rows, 4> LEGS_FROM_THE_SIDE{
    Rows{"..kppppk..", "..kppppk..", "..kgggggk.", "...kkkkk.."},
    Rows{"..kppppk..", ".kppkkppk.", "kggk..kggk", ".kk....kk."},
    Rows{"..kppppk..", "..kppppk..", "..kgggggk.", "...kkkkk.."},
    Rows{"..kppppk..", "..kpppkk..", ".kggkgggk.", "..kk.kkk.."},
};
const Rows APART{".kppppppk.", "kppkkkkppk", "kggk..kggk", ".kk....kk."};
const Rows KNEES{".kppppppppk.", "kgppkkkkppgk", ".kkk....kkk."};
const Rows STAR{"...k...", "..kYk..", "kkkYkkk", "kYYwYYk", ".kYYYk.", "kYYkYYk", "kkk.kkk"};
const Rows LITTLE_STAR{".k.", "kYk", ".k."};

Colour star_colour(char c) { return c == 'Y' ? rgb(0xFFD65A) : c == 'w' ? rgb(0xFFF8DC) : rgb(0x3A2430); }

std::size_t number(Side side) { return static_cast<std::size_t>(side); }

Image canvas() { return Image(FIGURE_SIZE, FIGURE_SIZE); }

Image with_shadow(float half_width = 7.5f, float y = FIGURE_GROUND - 1) {
    Image image = canvas();
    image.disc(FIGURE_MIDDLE, y, half_width, 3.2f, rgb(0x0A0B14, 120));
    return image;
}

struct Offset {
    int x = 0;
    int y = 0;
};

void centred(Image& image, const Rows& rows, int top, Offset offset, Colour (*colour_of)(char)) {
    image.map(FIGURE_MIDDLE - static_cast<int>(rows.front().size()) / 2 + offset.x, top + offset.y, rows, colour_of);
}

// The pose of a figure; offsets are relative to standing upright.
struct Pose {
    const Rows* head;
    const Rows* trunk;
    const Rows* legs;
    Offset head_at, trunk_at, legs_at;
};

Image body(const Costume& costume, const Pose& pose) {
    const int top = FIGURE_GROUND - costume.height;
    Image image = canvas();
    if (pose.legs != nullptr) centred(image, *pose.legs, LEGS_TOP, pose.legs_at, costume.colour_of);
    centred(image, *pose.trunk, top + costume.neck, pose.trunk_at, costume.colour_of);
    centred(image, *pose.head, top, pose.head_at, costume.colour_of);
    return image;
}

Pose upright(const Costume& costume, Side side, int step) {
    const auto at = static_cast<std::size_t>(step);
    const int bob = step % 2;
    return {&costume.heads[number(side)],
            &costume.trunks[number(side)],
            side == Side::side ? &LEGS_FROM_THE_SIDE[at] : &LEGS[at],
            {0, bob},
            {0, bob},
            {}};
}

// Draws the objects behind the figure, the figure, and the objects in front of it.
Image dressed(const Costume& costume, Side side, const Image& middle, bool raised, int bob,
              const Image& trail = canvas()) {
    const bool shield_in_front = raised ? side != Side::back : costume.shield_in_front[number(side)];
    Image image = with_shadow();
    if (side == Side::back) image.lay(trail);
    if (!shield_in_front) costume.shield(image, side, raised, bob);
    image.lay(middle);
    if (shield_in_front) costume.shield(image, side, raised, bob);
    if (side != Side::back) image.lay(trail);
    return image;
}

Image walk(const Costume& costume, Side side, int step) {
    const int bob = step % 2;
    return dressed(costume, side, body(costume, upright(costume, side, step)), false, bob);
}

// The trail of a swing: a crescent from one angle to another around (x, y).
void trail(Image& image, float x, float y, float from, float to, Colour colour) {
    for (float t = 0; t <= 1; t += 0.01f) {
        const float angle = std::lerp(from, to, t);
        colour.a = static_cast<std::uint8_t>(40 + 150 * t);
        for (float radius = 15 - 5 * t; radius <= 16.5f; radius += 0.4f) {
            image.put(static_cast<int>(std::lround(x + radius * std::cos(angle))),
                      static_cast<int>(std::lround(y + radius * std::sin(angle))), colour);
        }
    }
}

Image strike(const Costume& costume, Side side, int step) {
    // The end of the blow, and the angles on the way to it.
    const float end = std::array{QUARTER, -QUARTER, 0.25f}[number(side)];
    const float swing = side == Side::side ? -2.0f : -1.9f;
    const float angle = end + swing * std::array{1.0f, 0.35f, 0.0f}[static_cast<std::size_t>(step)];
    const float x = FIGURE_MIDDLE + (side == Side::side ? 1.0f : 0.0f);
    const float y = FIGURE_GROUND - 8;
    Image swung = canvas();
    if (step == 1) trail(swung, x, y, end + swing, angle, costume.trail);
    if (step == 2) trail(swung, x, y, end + swing * 0.6f, end, costume.trail);
    // The figure leans back first, then forward.
    const int lean = step == 0 ? -1 : step == 2 ? 1 : 0;
    Pose pose = upright(costume, side, 0);
    if (side == Side::side) pose.legs = &LEGS_FROM_THE_SIDE[1];
    pose.head_at = side == Side::side ? Offset{lean, step == 2 ? 1 : 0} : Offset{0, side == Side::front ? lean : -lean};
    pose.trunk_at = side == Side::side ? Offset{} : Offset{0, step == 2 ? 1 : 0};
    return dressed(costume, side, body(costume, pose), false, 0, swung);
}

Image defend(const Costume& costume, Side side) {
    Pose pose = upright(costume, side, 0);
    if (side == Side::side) pose.legs = &LEGS_FROM_THE_SIDE[1];
    // The figure ducks behind the shield.
    pose.head_at = {0, 1};
    return dressed(costume, side, body(costume, pose), true, 0);
}

Image stagger(const Costume& costume, Side side) {
    Pose pose = upright(costume, side, 0);
    pose.trunk = &costume.flung[number(side)];
    // Against the direction that it faces.
    const int top = FIGURE_GROUND - costume.height;
    if (side == Side::side) {
        pose.head = &costume.dazed_aside;
        pose.head_at = {-3, 0};
        pose.trunk_at = {-1, 0};
        pose.legs = &LEGS_FROM_THE_SIDE[1];
        pose.legs_at = {1, 0};
    } else {
        if (side == Side::front) pose.head = &costume.dazed;
        pose.head_at = {side == Side::front ? -1 : 1, side == Side::front ? -1 : 1};
        pose.legs = &APART;
    }
    Image image = with_shadow();
    image.lay(body(costume, pose));
    image.map(side == Side::side ? 24 : 8, top - 6, STAR, star_colour);
    image.map(side == Side::side ? 20 : 29, top - 5, LITTLE_STAR, star_colour);
    image.map(side == Side::side ? 31 : 5, top + 2, LITTLE_STAR, star_colour);
    return image;
}

// Rotation by less than 90 degrees breaks outlines, so they are removed before it and drawn again afterwards.
Image tilted(const Costume& costume, Image image, float radians) {
    const Colour line = costume.colour_of('k');
    for (int y = 0; y < FIGURE_SIZE; ++y) {
        for (int x = 0; x < FIGURE_SIZE; ++x) {
            const Colour c = image.at(x, y);
            if (c.r == line.r && c.g == line.g && c.b == line.b) image.put(x, y, rgb(0, 0));
        }
    }
    Image turned = image.turned(radians);
    turned.outline(line);
    return turned;
}

Image death(const Costume& costume, int step) {
    Pose pose{&costume.dazed, &costume.flung[0], &APART, {0, -1}, {}, {}};
    if (step == 0) {
        Image image = with_shadow();
        image.lay(body(costume, pose));
        return image;
    }
    pose.trunk = &costume.trunks[0];
    if (step == 1) {  // kneeling
        pose.legs = &KNEES;
        pose.head_at = {1, 4};
        pose.trunk_at = {0, 2};
        pose.legs_at = {0, 1};
        Image image = with_shadow(8.5f);
        image.lay(body(costume, pose));
        return image;
    }
    pose.head_at = {};
    if (step == 2) {  // falling over
        Image image = with_shadow(10);
        image.lay(tilted(costume, body(costume, pose), QUARTER * 0.6f), 0, 4);
        return image;
    }
    // Lying on its back.
    pose.trunk = &costume.flung[0];
    Image image = with_shadow(12, FIGURE_GROUND);
    image.lay(body(costume, pose).turned(QUARTER), 0, 7);
    return image;
}

}  // namespace

Image figure(const Costume& costume, int n) {
    using namespace frames;
    if (n < frames::figure::STRIKE) return walk(costume, static_cast<Side>(n / WALK_STEPS), n % WALK_STEPS);
    if (n < frames::figure::DEFEND) {
        const int blow = n - frames::figure::STRIKE;
        return strike(costume, static_cast<Side>(blow / STRIKE_STEPS), blow % STRIKE_STEPS);
    }
    if (n < frames::figure::STAGGER) return defend(costume, static_cast<Side>(n - frames::figure::DEFEND));
    if (n < frames::figure::DEATH) return stagger(costume, static_cast<Side>(n - frames::figure::STAGGER));
    return death(costume, n - frames::figure::DEATH);
}

}  // namespace crate_room::paint
