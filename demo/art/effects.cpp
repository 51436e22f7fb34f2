// Fire, dust and sparks. A cloud consists of balls that are lit from the upper left; the nearest ball is visible.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "draw/frames.hpp"
#include "paint.hpp"
#include "random.hpp"

namespace crate_room::paint {
namespace {

struct Ball {
    float x = 0;
    float y = 0;
    float z = 0;  // toward the viewer
    float radius = 0;
    float heat = 0;
};

// `colour_of(heat, light)`, both about 0 to 1.
template <class ColourOf>
void heap(Image& image, std::span<const Ball> balls, ColourOf&& colour_of) {
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            float nearest = -1000;
            Colour seen = rgb(0, 0);
            for (const Ball& ball : balls) {
                const float dx = (static_cast<float>(x) - ball.x) / ball.radius;
                const float dy = (static_cast<float>(y) - ball.y) / ball.radius;
                const float rest = 1 - dx * dx - dy * dy;
                if (rest <= 0) continue;
                const float up = std::sqrt(rest);
                const float z = ball.z + up * ball.radius;
                if (z < nearest) continue;
                nearest = z;
                // Noise at the edges hides the shape of the balls.
                const float rough =
                    chance(SEED + 740, static_cast<std::uint32_t>(x / 2), static_cast<std::uint32_t>(y / 2)) - 0.5f;
                seen = colour_of(ball.heat * (0.62f + 0.38f * up) + 0.07f * rough,
                                 0.12f * rough + 0.5f + 0.5f * (-0.5f * dx - 0.68f * dy + 0.5f * up));
            }
            image.over(x, y, seen);
        }
    }
}

Colour fire(float heat, float light, std::uint8_t alpha) {
    struct Step {
        float above;
        Colour colour;
    };
    static constexpr std::array STEPS{
        Step{0.94f, rgb(0xFFFFFF)}, Step{0.82f, rgb(0xFFF6C2)}, Step{0.68f, rgb(0xFFDD66)}, Step{0.55f, rgb(0xFCA93A)},
        Step{0.43f, rgb(0xEE6E2A)}, Step{0.33f, rgb(0xC23F2B)}, Step{0.25f, rgb(0x7C2B30)}};
    for (const Step& step : STEPS) {
        if (heat + 0.14f * (light - 0.5f) > step.above) return step.colour;
    }
    const std::uint32_t smoke = light > 0.86f   ? 0x8A7F84
                                : light > 0.66f ? 0x655C69
                                : light > 0.42f ? 0x483F50
                                                : 0x312A3A;
    return mix(rgb(smoke, alpha), rgb(0x7C2B30, alpha), std::clamp((heat - 0.12f) * 4, 0.0f, 0.5f));
}

constexpr int BLAST_SIZE = 80;
constexpr float BLAST_X = BLAST_SIZE / 2.0f;
constexpr float BLAST_Y = 48;  // the centre of the keg

// A ring of dust on the ground that expands faster than the fire.
void shock(Image& image, float t) {
    const float radius = 12 + 30 * std::sqrt(t);
    const float thick = 3.5f * (1 - t * 2.4f);
    if (thick < 0.8f) return;
    for (int y = 0; y < BLAST_SIZE; ++y) {
        for (int x = 0; x < BLAST_SIZE; ++x) {
            const float distance =
                std::hypot(static_cast<float>(x) - BLAST_X, (static_cast<float>(y) - BLAST_Y) * 1.5f);
            if (std::abs(distance - radius) < thick)
                image.over(x, y, distance > radius ? rgb(0xFFF1CE, 200) : rgb(0xE8B878, 120));
        }
    }
}

void flying(Image& image, Random& random, float t) {
    for (int i = 0; i < 34; ++i) {
        const float angle = turn(random.between(0, 1));
        const float speed = random.between(27, 39);
        const float jump = random.between(0, 16);
        const float life = random.between(0.45f, 1.0f);
        const bool chunk = random.between(0, 1) < 0.35f;
        if (t > life) continue;
        const auto at = [&](float when) {
            const float out = speed * (1 - (1 - when) * (1 - when));
            return std::array{BLAST_X + out * std::cos(angle),
                              BLAST_Y - 4 + out * 0.72f * std::sin(angle) - jump * 3 * when * (1 - when)};
        };
        const auto head = at(t);
        const auto tail = at(std::max(0.0f, t - 0.09f));
        if (chunk) {
            image.disc(head[0], head[1], 1.4f, 1.4f, rgb(0x2E1B1A));
            image.put(static_cast<int>(head[0]), static_cast<int>(head[1]), rgb(0x93603A));
        } else {
            image.line(tail[0], tail[1], head[0], head[1], t < 0.5f * life ? rgb(0xFFB347) : rgb(0xE2562B));
            image.put(static_cast<int>(std::lround(head[0])), static_cast<int>(std::lround(head[1])), rgb(0xFFF3B0));
        }
    }
}

}  // namespace

Image blast(int step) {
    const float t = (static_cast<float>(step) + 0.25f) / frames::BLAST_STEPS;
    Random random{SEED + 700};  // all steps use the same random numbers, because they show the same fire
    Image image(BLAST_SIZE, BLAST_SIZE);
    shock(image, t);
    std::vector<Ball> balls;
    const float out = 1 - (1 - t) * (1 - t) * (1 - t);
    for (int i = 0; i < 96; ++i) {
        const bool big = i < 22;  // the core; small balls cover it
        const float angle = turn(random.between(0, 1));
        const float far = big ? std::sqrt(random.between(0, 0.8f)) : std::sqrt(random.between(0.1f, 1.1f));
        const float size = big ? random.between(6.5f, 10) : random.between(2.6f, 5.6f);
        const float rise = random.between(4, 17);
        const float cooling = random.between(0.95f, 1.5f);
        const float life = big ? random.between(0.85f, 1.1f) : random.between(0.75f, 1.25f);
        const float grown = std::min(1.0f, 0.45f + 3 * t) * std::clamp((life - t) * 2.2f, 0.0f, 1.0f);
        if (size * grown < 0.8f) continue;
        const float reach = far * (8 + 17 * out);
        balls.push_back({BLAST_X + reach * std::cos(angle), BLAST_Y - 5 + reach * 0.78f * std::sin(angle) - rise * t,
                         (big ? 0.0f : 3.5f) + reach * 0.5f * std::sin(angle) - far * 6,
                         size * grown * (1.15f - 0.3f * far),
                         1.32f - cooling * t - 0.3f * far * std::min(1.0f, t * 4)});
    }
    const auto alpha = static_cast<std::uint8_t>(std::clamp(255 * (1.55f - t), 0.0f, 240.0f));
    flying(image, random, t);
    heap(image, balls, [&](float heat, float light) { return fire(heat, light, alpha); });
    if (step == 0) {  // the first step is a flash with rays
        for (int ray = 0; ray < 10; ++ray) {
            const float angle = turn(static_cast<float>(ray) / 10 + 0.03f);
            const float length = ray % 2 == 0 ? 31.0f : 23.0f;
            for (float d = 0; d < length; d += 0.5f) {
                const float half = 2.4f * (1 - d / length);
                image.disc(BLAST_X + d * std::cos(angle), BLAST_Y - 5 + d * 0.85f * std::sin(angle), half, half,
                           rgb(0xFFF6C2));
            }
        }
        image.disc(BLAST_X, BLAST_Y - 5, 11, 10, rgb(0xFFFFFF));
    }
    return image;
}

Image spark(int step) {
    constexpr int SIZE = 16;
    struct Star {
        float from, to, thin;
    };
    constexpr std::array<Star, 4> STARS{{{0, 4.5f, 0.5f}, {0, 7, 0.62f}, {3, 7.2f, 0.7f}, {5.5f, 7.2f, 0.75f}}};
    const Star star = STARS[static_cast<std::size_t>(step)];
    Image image(SIZE, SIZE);
    for (int ray = 0; ray < 8; ++ray) {
        const float angle = turn(static_cast<float>(ray) / 8);
        const float to = ray % 2 == 0 ? star.to : star.to * star.thin;
        const float from = std::min(to, ray % 2 == 0 ? star.from : star.from * 1.1f);
        if (to - from < 0.6f) continue;
        for (float d = from; d <= to; d += 0.25f) {
            const float along = (d - from) / (to - from);
            const Colour c = along < 0.4f && step < 3 ? rgb(0xFFFFFF) : along < 0.75f ? rgb(0xFFF0A8) : rgb(0xFFB84A);
            image.put(static_cast<int>(std::lround(7.5f + d * std::cos(angle) - 0.01f)),
                      static_cast<int>(std::lround(7.5f + d * std::sin(angle) - 0.01f)), c);
        }
    }
    if (step < 2) image.disc(7.5f, 7.5f, step == 0 ? 2.2f : 2.9f, step == 0 ? 2.2f : 2.9f, rgb(0xFFFFFF));
    return image;
}

Image puff(int step) {
    constexpr int SIZE = 12;
    const float t = (static_cast<float>(step) + 0.4f) / frames::PUFF_STEPS;
    Random random{SEED + 720};
    std::vector<Ball> balls;
    for (int i = 0; i < 6; ++i) {
        const float angle = turn((static_cast<float>(i) + random.between(0, 0.6f)) / 6);
        const float size = random.between(1.7f, 2.6f) * (1 + 0.5f * t) * std::min(1.0f, 1.9f - 1.55f * t);
        const float far = 1 + 3.4f * std::sqrt(t);
        balls.push_back(
            {5.5f + far * std::cos(angle), 6.8f + far * 0.55f * std::sin(angle) - 2.2f * t, std::sin(angle), size, 0});
    }
    Image image(SIZE, SIZE);
    const auto alpha = static_cast<std::uint8_t>(215 - 120 * t);
    heap(image, balls, [alpha](float, float light) {
        return light > 0.8f ? rgb(0xE6DCCB, alpha) : light > 0.5f ? rgb(0xB9AEA6, alpha) : rgb(0x857E88, alpha);
    });
    return image;
}

}  // namespace crate_room::paint
