#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "sounds.hpp"
#include "synth.hpp"

namespace crate_room {

/// Adds up the sounds that are being played. Makes all of them when it is made, and nothing later: `play`
/// and `mix` take no memory. Not thread-safe by itself: who mixes on an audio thread holds a lock around
/// both.
class Mixer {
public:
    static constexpr std::size_t MOST_VOICES = 24;

    explicit Mixer(int sample_rate);

    /// Starts a sound, each time another variant of it. If there are as many as there can be, the one that
    /// is heard least gives way: the quietest, and the older of two as loud. If that would be the new one,
    /// it is not played.
    void play(const Playback& playback) noexcept;
    /// The next `frames` pairs of left and right, -1 to 1; silence if nothing is played.
    void mix(float* stereo_out, std::size_t frames) noexcept;
    /// Cuts off whatever is being played.
    void stop() noexcept { count_ = 0; }
    /// How many sounds are being played.
    [[nodiscard]] std::size_t voices() const noexcept { return count_; }

private:
    struct Voice {
        const std::vector<float>* samples = nullptr;
        std::size_t next = 0;
        float left = 0;
        float right = 0;
    };
    static constexpr std::size_t SOUNDS = static_cast<std::size_t>(Sound::count);

    std::array<std::array<std::vector<float>, SOUND_VARIANTS>, SOUNDS> samples_;
    std::array<std::size_t, SOUNDS> variant_{};  // the next one of each
    std::array<Voice, MOST_VOICES> voices_;      // the first `count_` of them
    std::size_t count_ = 0;
};

}  // namespace crate_room
