// A bursting crate: a flash, then splinters that fly away and dust that spreads.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "draw/frames.hpp"
#include "paint.hpp"
#include "random.hpp"

namespace crate_room::paint {
namespace {

constexpr int BURST_SIZE = 64;
constexpr float MIDDLE_X = BURST_SIZE / 2.0f;
constexpr float GROUND_Y = 42;  // the centre of the crate

constexpr std::array WOODS{rgb(0xE0AC6E), rgb(0xC08850), rgb(0x93603A), rgb(0xCC8F58), rgb(0x7A472F), rgb(0xEBD2A0)};

void flash(Image& image, float t) {
    const float size = 17 * (1 - t * 1.6f);
    if (size <= 0) return;
    image.disc(MIDDLE_X, GROUND_Y - 4, size, size * 0.85f, rgb(0xF9A743, 150));
    image.disc(MIDDLE_X, GROUND_Y - 4, size * 0.66f, size * 0.56f, rgb(0xFFE39A, 220));
    image.disc(MIDDLE_X, GROUND_Y - 4, size * 0.36f, size * 0.3f, rgb(0xFFFFFF));
}

void dust(Image& image, Random& random, float t) {
    for (int i = 0; i < 11; ++i) {
        const float angle = turn(random.between(0, 1));
        const float far = random.between(5, 17) * std::sqrt(t);
        const float size = random.between(3, 6) * (0.5f + t) * std::clamp(2.6f - 2.6f * t, 0.0f, 1.0f);
        const float shade = random.between(0, 1);
        const auto alpha = static_cast<std::uint8_t>(std::clamp(200 * (1 - t), 0.0f, 255.0f));
        if (size < 0.6f) continue;
        image.disc(MIDDLE_X + far * std::cos(angle), GROUND_Y - 2 + far * 0.6f * std::sin(angle) - 6 * t, size,
                   size * 0.85f, mix(rgb(0xD8C4A4, alpha), rgb(0x8C7B6E, alpha), shade));
    }
}

void splinters(Image& image, Random& random, float t) {
    Image flying(BURST_SIZE, BURST_SIZE);
    for (int i = 0; i < 22; ++i) {
        const float angle = turn(random.between(0, 1));
        const float speed = random.between(12, 27);
        const float jump = random.between(8, 26);
        const float spin = turn(random.between(0, 1)) + random.between(-9, 9) * t;
        const float length = random.between(1.5f, 4.2f);
        const Colour wood = WOODS[static_cast<std::size_t>(random.below(static_cast<int>(WOODS.size())))];
        const float life = random.between(0.7f, 1.05f);
        if (t > life) continue;
        // Splinters fly outward and up, and fall back to the ground.
        const float out = speed * (1 - (1 - t) * (1 - t)) * 0.95f;
        const float up = std::max(0.0f, 4 + jump * t * 3 - 34 * t * t);
        const float x = MIDDLE_X + out * std::cos(angle);
        const float y = GROUND_Y + out * 0.66f * std::sin(angle) - up;
        const float c = std::cos(spin) * length;
        const float s = std::sin(spin) * length;
        flying.line(x - c, y - s, x + c, y + s, wood);
        if (length > 2.6f) flying.line(x - c, y - s + 1, x + c, y + s + 1, lit(wood, 0.72f));
    }
    flying.outline(rgb(0x2E1B1A));
    image.lay(flying);
}

}  // namespace

Image burst(int which, int step) {
    const float t = (static_cast<float>(step) + 0.35f) / frames::BURST_STEPS;
    // All steps use the same random numbers, because they show the same crate.
    Random random{SEED + 500 + static_cast<std::uint32_t>(which)};
    Image image(BURST_SIZE, BURST_SIZE);
    dust(image, random, t);
    flash(image, t);
    splinters(image, random, t);
    return image;
}

}  // namespace crate_room::paint
