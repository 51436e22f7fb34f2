#include "synth.hpp"

#include "signal.hpp"

namespace crate_room {
namespace {

using signal::Sketch;
using Pass = Sketch::Pass;
using Samples = std::vector<float>;

// The differences between variants of a sound: the random seed and the pitch.
struct Variant {
    int sample_rate;
    std::uint32_t seed;
    float tune;
};

Samples swing(const Variant& variant) {
    Sketch s(0.26f, variant.sample_rate, variant.seed);
    const float f = variant.tune;
    // Air that passes: the pitch rises, then falls lower than at the beginning.
    s.noise({.from = 420 * f, .to = 1500 * f, .sharpness = 2.2f, .level = 1, .envelope = {0.085f, 0.1f}});
    s.noise({.start = 0.06f,
             .from = 1900 * f,
             .to = 500 * f,
             .sharpness = 1.6f,
             .level = 0.9f,
             .envelope = {0.035f, 0.2f}});
    s.noise({.from = 180 * f, .to = 260 * f, .pass = Pass::low, .level = 0.5f, .envelope = {0.09f, 0.14f}});
    return s.finish(0.55f);
}

Samples thud(const Variant& variant) {
    Sketch s(0.3f, variant.sample_rate, variant.seed);
    const float f = variant.tune;
    s.tone({.from = 210 * f, .to = 82 * f, .bend = 0.03f, .level = 1, .envelope = {0.001f, 0.24f}});
    // The resonance of a hollow box: a few notes of its boards.
    s.tone({.from = 330 * f, .to = 318 * f, .level = 0.35f, .envelope = {0.001f, 0.12f}, .edge = 0.4f});
    s.tone({.from = 517 * f, .to = 505 * f, .level = 0.2f, .envelope = {0.001f, 0.08f}});
    s.noise({.from = 1900 * f, .to = 700 * f, .sharpness = 1.2f, .level = 0.9f, .envelope = {0.0006f, 0.05f}});
    s.drive(1.3f);
    return s.finish(0.8f);
}

Samples smash(const Variant& variant) {
    Sketch s(0.62f, variant.sample_rate, variant.seed);
    const float f = variant.tune;
    s.tone({.from = 170 * f, .to = 54 * f, .bend = 0.04f, .level = 1.1f, .envelope = {0.001f, 0.32f}});
    // A dry, bright crack that is repeated at once, as several boards break.
    s.noise({.from = 3600 * f, .to = 1300 * f, .sharpness = 0.8f, .level = 1.5f, .envelope = {0.0005f, 0.05f}});
    s.noise({.start = 0.028f,
             .from = 2300 * f,
             .to = 800 * f,
             .sharpness = 1,
             .level = 1.2f,
             .envelope = {0.0005f, 0.07f}});
    s.noise(
        {.start = 0.07f, .from = 1500 * f, .to = 600 * f, .sharpness = 1, .level = 0.8f, .envelope = {0.0005f, 0.1f}});
    s.tone({.from = 390 * f, .to = 300 * f, .level = 0.3f, .envelope = {0.001f, 0.1f}, .edge = 0.6f});
    s.noise(
        {.start = 0.02f, .from = 900 * f, .to = 350 * f, .pass = Pass::low, .level = 0.5f, .envelope = {0.005f, 0.3f}});
    s.crackle({.start = 0.05f,
               .length = 0.5f,
               .knocks = 34,
               .from = 900 * f,
               .to = 4200 * f,
               .decay = 0.022f,
               .level = 0.75f});
    s.drive(1.5f);
    return s.finish(0.85f);
}

Samples blast(const Variant& variant) {
    Sketch s(0.95f, variant.sample_rate, variant.seed);
    const float f = variant.tune;
    s.tone({.from = 130 * f, .to = 34 * f, .bend = 0.07f, .level = 1.4f, .envelope = {0.001f, 1.3f}});
    s.tone({.from = 74 * f, .to = 41 * f, .bend = 0.2f, .level = 0.7f, .envelope = {0.003f, 1.5f}, .edge = 0.5f});
    s.noise({.from = 5200 * f,
             .to = 240 * f,
             .sharpness = 0.7f,
             .pass = Pass::low,
             .level = 2.1f,
             .envelope = {0.0008f, 0.42f}});
    s.noise({.start = 0.03f,
             .from = 900 * f,
             .to = 110 * f,
             .sharpness = 0.7f,
             .pass = Pass::low,
             .level = 2.2f,
             .envelope = {0.02f, 1.5f}});
    s.crackle({.start = 0.12f,
               .length = 0.75f,
               .knocks = 42,
               .from = 500 * f,
               .to = 3000 * f,
               .decay = 0.03f,
               .level = 0.5f});
    s.drive(2.2f);
    return s.finish(0.95f);
}

Samples clank(const Variant& variant) {
    Sketch s(0.75f, variant.sample_rate, variant.seed);
    const float f = variant.tune;
    // A sheet of metal has inharmonic overtones.
    constexpr float PARTIALS[]{1, 1.51f, 2.09f, 2.76f, 3.41f, 4.23f, 5.47f};
    float level = 0.5f;
    for (const float partial : PARTIALS) {
        const float pitch = 830 * f * partial * s.random().between(0.985f, 1.015f);
        s.tone({.from = pitch * 1.01f,
                .to = pitch,
                .bend = 0.01f,
                .level = level,
                .envelope = {0.0006f, 1.1f / (0.7f + 0.3f * partial)}});
        level *= 0.8f;
    }
    s.noise({.from = 5200 * f, .to = 2600 * f, .sharpness = 0.9f, .level = 1.1f, .envelope = {0.0004f, 0.04f}});
    s.tone({.from = 240 * f, .to = 140 * f, .bend = 0.02f, .level = 0.5f, .envelope = {0.001f, 0.09f}});
    return s.finish(0.7f);
}

Samples hurt(const Variant& variant) {
    Sketch s(0.36f, variant.sample_rate, variant.seed);
    const float f = variant.tune;
    // A dull hit, and a short cry that falls.
    s.tone({.from = 190 * f, .to = 75 * f, .bend = 0.03f, .level = 0.9f, .envelope = {0.001f, 0.16f}});
    s.noise({.from = 1300 * f, .to = 500 * f, .sharpness = 1, .level = 0.8f, .envelope = {0.0006f, 0.06f}});
    s.tone({.start = 0.015f,
            .from = 520 * f,
            .to = 235 * f,
            .bend = 0.1f,
            .level = 0.55f,
            .envelope = {0.012f, 0.34f},
            .edge = 0.9f});
    s.drive(1.4f);
    return s.finish(0.75f);
}

Samples fall(const Variant& variant) {
    Sketch s(0.85f, variant.sample_rate, variant.seed);
    const float f = variant.tune;
    // A breath, then a body and its weapon hit the floor.
    s.tone({.from = 330 * f, .to = 92 * f, .bend = 0.2f, .level = 0.55f, .envelope = {0.015f, 0.7f}, .edge = 0.8f});
    s.noise({.from = 900 * f, .to = 300 * f, .sharpness = 1, .level = 0.4f, .envelope = {0.03f, 0.35f}});
    s.tone({.start = 0.34f, .from = 140 * f, .to = 52 * f, .bend = 0.03f, .level = 1.1f, .envelope = {0.001f, 0.3f}});
    s.noise({.start = 0.34f,
             .from = 700 * f,
             .to = 200 * f,
             .pass = Pass::low,
             .level = 1.2f,
             .envelope = {0.001f, 0.16f}});
    for (const float start : {0.44f, 0.54f, 0.6f}) {
        const float pitch = s.random().between(1500, 1900) * f;
        const float level = 0.3f * (1.1f - start);
        s.tone({.start = start, .from = pitch, .to = pitch, .level = level, .envelope = {0.0006f, 0.12f}});
        s.tone(
            {.start = start, .from = pitch * 1.47f, .to = pitch * 1.47f, .level = level, .envelope = {0.0006f, 0.08f}});
    }
    s.drive(1.3f);
    return s.finish(0.8f);
}

Samples step(const Variant& variant) {
    Sketch s(0.09f, variant.sample_rate, variant.seed);
    const float f = variant.tune;
    s.noise({.from = 620 * f, .to = 260 * f, .pass = Pass::low, .level = 1, .envelope = {0.003f, 0.06f}});
    s.noise({.start = 0.012f,
             .from = 2100 * f,
             .to = 1500 * f,
             .sharpness = 1.4f,
             .level = 0.25f,
             .envelope = {0.004f, 0.04f}});
    s.tone({.from = 120 * f, .to = 70 * f, .bend = 0.02f, .level = 0.5f, .envelope = {0.002f, 0.07f}});
    return s.finish(0.28f);
}

Samples heal(const Variant& variant) {
    Sketch s(0.8f, variant.sample_rate, variant.seed);
    // Two bell-like notes a fourth apart, then a shimmer.
    const auto bell = [&](float start, float pitch, float level, float decay) {
        s.tone({.start = start, .from = pitch, .to = pitch, .level = level, .envelope = {0.004f, decay}});
        s.tone({.start = start,
                .from = pitch * 2.003f,
                .to = pitch * 2.003f,
                .level = level * 0.4f,
                .envelope = {0.003f, decay * 0.7f}});
        s.tone({.start = start,
                .from = pitch * 4.01f,
                .to = pitch * 4.01f,
                .level = level * 0.14f,
                .envelope = {0.002f, decay * 0.4f}});
    };
    const float low = 659.3f * variant.tune;
    bell(0, low, 0.8f, 0.7f);
    bell(0.11f, low * 4 / 3, 1, 1);
    bell(0.22f, low * 8 / 3, 0.18f, 0.8f);
    return s.finish(0.55f);
}

Samples door(const Variant& variant) {
    Sketch s(0.95f, variant.sample_rate, variant.seed);
    const float f = variant.tune;
    // Stiff hinges that stick and slip: accelerating knocks that resonate in the wood.
    float t = 0.02f;
    float gap = 0.034f;
    while (t < 0.62f) {
        const float pitch = (330 + 260 * t) * f * s.random().between(0.94f, 1.06f);
        s.tone({.start = t,
                .from = pitch,
                .to = pitch * 0.97f,
                .level = 0.42f,
                .envelope = {0.0012f, 0.05f},
                .edge = 0.9f});
        t += gap * s.random().between(0.8f, 1.2f);
        gap = gap > 0.014f ? gap * 0.95f : gap;
    }
    s.noise({.from = 130 * f,
             .to = 320 * f,
             .sharpness = 1.2f,
             .pass = Pass::low,
             .level = 0.9f,
             .envelope = {0.16f, 0.7f}});
    // The door reaches its end, and a chime signals that the way is open.
    s.tone({.start = 0.5f, .from = 110 * f, .to = 48 * f, .bend = 0.03f, .level = 1.2f, .envelope = {0.001f, 0.3f}});
    s.noise(
        {.start = 0.5f, .from = 800 * f, .to = 200 * f, .pass = Pass::low, .level = 0.9f, .envelope = {0.001f, 0.12f}});
    for (const float pitch : {523.3f, 784.0f})
        s.tone({.start = 0.53f, .from = pitch, .to = pitch, .level = 0.26f, .envelope = {0.004f, 0.8f}});
    return s.finish(0.75f);
}

}  // namespace

std::vector<float> synthesise(Sound sound, int variant, int sample_rate) {
    // Variants differ by a semitone, about six per cent.
    const Variant chosen{sample_rate,
                         4000 + 16 * static_cast<std::uint32_t>(sound) + static_cast<std::uint32_t>(variant),
                         1 + 0.06f * static_cast<float>(variant - 1)};
    switch (sound) {
        case Sound::swing: return swing(chosen);
        case Sound::thud: return thud(chosen);
        case Sound::smash: return smash(chosen);
        case Sound::blast: return blast(chosen);
        case Sound::clank: return clank(chosen);
        case Sound::hurt: return hurt(chosen);
        case Sound::fall: return fall(chosen);
        case Sound::step: return step(chosen);
        case Sound::heal: return heal(chosen);
        case Sound::door: return door(chosen);
        case Sound::count: break;
    }
    return {};
}

}  // namespace crate_room
