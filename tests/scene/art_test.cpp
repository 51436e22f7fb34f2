// The pictures and sounds: all of them exist and have the properties that the scene relies on.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "atlas.hpp"
#include "mixer.hpp"
#include "synth.hpp"

namespace crate_room {
namespace {

std::size_t opaque_pixels(const Atlas& atlas, const Frame& f) {
    std::size_t n = 0;
    for (int y = f.y; y < f.y + f.height; ++y) {
        for (int x = f.x; x < f.x + f.width; ++x)
            n += atlas.pixels[static_cast<std::size_t>((y * atlas.width + x) * 4 + 3)] > 0 ? 1 : 0;
    }
    return n;
}

TEST(Atlas, every_frame_is_painted_and_lies_inside_the_image) {
    const Atlas atlas = paint_atlas();
    ASSERT_EQ(atlas.frames.size(), frames::COUNT);
    ASSERT_EQ(atlas.pixels.size(), static_cast<std::size_t>(atlas.width) * atlas.height * 4);
    for (std::size_t i = 0; i < atlas.frames.size(); ++i) {
        const Frame& f = atlas.frames[i];
        EXPECT_TRUE(f.x + f.width <= atlas.width && f.y + f.height <= atlas.height) << i;
        EXPECT_TRUE(i == frames::GLYPH || opaque_pixels(atlas, f) > 0) << i;  // the first glyph is the space
    }
}

TEST(Atlas, frames_of_a_loop_lie_side_by_side) {
    const Atlas atlas = paint_atlas();
    for (const auto& [first, count] :
         {std::pair{frames::TORCH, frames::TORCH_FLAMES}, {frames::PICKUP, frames::PICKUP_STEPS}}) {
        const Frame& f = atlas.frames[first];
        for (int i = 1; i < count; ++i) {
            const Frame& next = atlas.frames[static_cast<std::size_t>(first + i)];
            EXPECT_EQ(next.y, f.y);
            EXPECT_EQ(next.x, f.x + i * f.width);
        }
    }
}

TEST(Atlas, all_digits_have_the_same_width_so_that_numbers_keep_their_place) {
    const Atlas atlas = paint_atlas();
    for (int digit = 0; digit < 10; ++digit)
        EXPECT_EQ(atlas.frames[static_cast<std::size_t>(frames::GLYPH + '0' - ' ' + digit)].width,
                  atlas.frames[frames::GLYPH + '0' - ' '].width);
}

TEST(Synth, every_sound_is_short_finite_and_without_clicks) {
    for (const int rate : {8000, 22050, 96000}) {  // 8000 for a headset that is also a telephone
        for (int s = 0; s < static_cast<int>(Sound::count); ++s) {
            for (int variant = 0; variant < SOUND_VARIANTS; ++variant) {
                const auto samples = synthesise(static_cast<Sound>(s), variant, rate);
                ASSERT_GT(samples.size(), static_cast<std::size_t>(rate / 20));
                EXPECT_LT(samples.size(), static_cast<std::size_t>(rate));
                float peak = 0;
                for (const float sample : samples) {
                    ASSERT_TRUE(std::isfinite(sample));
                    peak = std::max(peak, std::abs(sample));
                }
                EXPECT_GT(peak, 0.1f);
                EXPECT_LE(peak, 1.0f);
                EXPECT_LT(std::abs(samples.front()), 0.01f);
                EXPECT_LT(std::abs(samples.back()), 0.01f);
            }
        }
    }
}

TEST(Mixer, a_sound_is_louder_on_its_side_and_ends) {
    Mixer mixer(22050);
    std::vector<float> out(2 * 22050, 1.0f);
    mixer.mix(out.data(), 22050);
    EXPECT_EQ(*std::max_element(out.begin(), out.end()), 0) << "silence is written";
    mixer.play({.sound = Sound::smash, .volume = 1, .pan = -1});
    EXPECT_EQ(mixer.voices(), 1u);
    mixer.mix(out.data(), 22050);
    float left = 0;
    float right = 0;
    for (std::size_t i = 0; i < out.size(); i += 2)
        left = std::max(left, std::abs(out[i])), right = std::max(right, std::abs(out[i + 1]));
    EXPECT_GT(left, 0.2f);
    EXPECT_LT(right, 0.01f);
    EXPECT_EQ(mixer.voices(), 0u);
}

TEST(Mixer, many_sounds_at_once_stay_within_bounds) {
    Mixer mixer(22050);
    for (int i = 0; i < 100; ++i) mixer.play({.sound = Sound::blast});
    EXPECT_LE(mixer.voices(), 24u);
    std::vector<float> out(2 * 4410);
    mixer.mix(out.data(), 4410);
    for (const float sample : out) ASSERT_LE(std::abs(sample), 1.0f);
}

}  // namespace
}  // namespace crate_room
