#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "sounds.hpp"
#include "synth.hpp"

namespace crate_room {

/// Mixes the sounds that are playing. The constructor synthesises all sounds; `play` and `mix` do not allocate. It is
/// not thread-safe: if `mix` runs on an audio thread, protect both calls with a lock.
class Mixer {
public:
    static constexpr std::size_t MOST_VOICES = 24;

    explicit Mixer(int sample_rate);

    /// Starts the next variant of a sound. If the maximum number of voices is playing, it replaces the quietest one,
    /// and of two equally loud ones the older. If the new sound would be the quietest, it is not played.
    void play(const Playback& playback) noexcept;
    /// Writes the next `frames` pairs of left and right samples, -1 to 1; zeros if nothing is playing.
    void mix(float* stereo_out, std::size_t frames) noexcept;
    /// Stops all sounds at once.
    void stop() noexcept { count_ = 0; }
    /// How many sounds are playing.
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
    std::array<std::size_t, SOUNDS> variant_{};  // the next variant of each sound
    std::array<Voice, MOST_VOICES> voices_;      // the first `count_` are playing
    std::size_t count_ = 0;
};

}  // namespace crate_room
