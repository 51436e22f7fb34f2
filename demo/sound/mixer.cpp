#include "mixer.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace crate_room {
namespace {

// Soft clipping: leaves quiet samples unchanged and limits loud ones, so that many sounds at once do not distort. It
// is close to tanh but much cheaper, and exactly 1 from 3 on.
float limited(float x) {
    x = std::clamp(x, -3.0f, 3.0f);
    return std::clamp(x * (27 + x * x) / (27 + 9 * x * x), -1.0f, 1.0f);  // rounding may exceed 1
}

}  // namespace

Mixer::Mixer(int sample_rate) {
    for (std::size_t sound = 0; sound < SOUNDS; ++sound) {
        for (int variant = 0; variant < SOUND_VARIANTS; ++variant) {
            samples_[sound][static_cast<std::size_t>(variant)] =
                synthesise(static_cast<Sound>(sound), variant, sample_rate);
        }
    }
}

void Mixer::play(const Playback& playback) noexcept {
    const auto sound = static_cast<std::size_t>(playback.sound);
    const float volume = std::clamp(playback.volume, 0.0f, 1.0f);
    if (sound >= SOUNDS || !(volume > 0)) return;
    std::size_t at = count_;
    if (count_ < MOST_VOICES) {
        ++count_;
    } else {
        const auto loudness = [](const Voice& voice) {
            const float left = 1 - static_cast<float>(voice.next) / static_cast<float>(voice.samples->size());
            return std::hypot(voice.left, voice.right) * left;
        };
        at = static_cast<std::size_t>(
            std::min_element(voices_.begin(), voices_.end(),
                             [&](const Voice& a, const Voice& b) { return loudness(a) < loudness(b); }) -
            voices_.begin());
        if (loudness(voices_[at]) > volume) return;  // the playing sounds are louder than the new one
    }
    // Constant power: the squares of both channels add up to the square of the volume.
    const float pan = std::isfinite(playback.pan) ? std::clamp(playback.pan, -1.0f, 1.0f) : 0;
    const float angle = (pan + 1) * std::numbers::pi_v<float> / 4;
    const std::size_t variant = variant_[sound]++ % SOUND_VARIANTS;
    voices_[at] = {&samples_[sound][variant], 0, volume * std::cos(angle), volume * std::sin(angle)};
}

void Mixer::mix(float* stereo_out, std::size_t frames) noexcept {
    std::fill_n(stereo_out, frames * 2, 0.0f);
    for (std::size_t v = 0; v < count_;) {
        Voice& voice = voices_[v];
        const std::size_t take = std::min(frames, voice.samples->size() - voice.next);
        const float* from = voice.samples->data() + voice.next;
        for (std::size_t i = 0; i < take; ++i) {
            stereo_out[2 * i] += voice.left * from[i];
            stereo_out[2 * i + 1] += voice.right * from[i];
        }
        voice.next += take;
        if (voice.next < voice.samples->size()) ++v;
        else voice = voices_[--count_];  // the last voice is moved here
    }
    for (std::size_t i = 0; i < frames * 2; ++i) stereo_out[i] = limited(stereo_out[i]);
}

}  // namespace crate_room
