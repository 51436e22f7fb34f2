#pragma once
#include <cstdint>
#include <vector>

#include "random.hpp"

// Building blocks of sounds: tones, noise, filters and envelopes. Times are in seconds, frequencies in hertz.
namespace crate_room::signal {

/// Loudness over time: it rises within `attack`, then falls, to a thousandth after `decay`.
struct Envelope {
    float attack = 0.002f;
    float decay = 0.2f;
    [[nodiscard]] float at(float t) const;
};

/// A band-pass, low-pass and high-pass filter at one frequency.
class Filter {
public:
    explicit Filter(float sample_rate) : sample_rate_(sample_rate) {}
    /// `sharpness`: 0.5 is flat, 10 rings.
    void tune(float frequency, float sharpness);
    void feed(float sample);
    [[nodiscard]] float low() const noexcept { return low_; }
    [[nodiscard]] float band() const noexcept { return band_; }
    [[nodiscard]] float high() const noexcept { return high_; }

private:
    float sample_rate_;
    float g_ = 0;
    float damping_ = 1;
    float state_1_ = 0;
    float state_2_ = 0;
    float low_ = 0;
    float band_ = 0;
    float high_ = 0;
};

/// A sound under construction: layers are added, then it is finished.
class Sketch {
public:
    Sketch(float seconds, int sample_rate, std::uint32_t seed);

    /// A tone that glides from one pitch to another; with a smaller `bend` it glides sooner.
    struct Tone {
        float start = 0;
        float from = 440;
        float to = 440;
        float bend = 0.1f;
        float level = 1;
        Envelope envelope;
        float edge = 0;  ///< 0: a pure tone; more: with overtones
    };
    void tone(const Tone& tone);

    enum class Pass : std::uint8_t { low, band, high };
    /// Noise through a filter whose frequency glides.
    struct Noise {
        float start = 0;
        float from = 1000;
        float to = 1000;
        float sharpness = 0.8f;
        Pass pass = Pass::band;
        float level = 1;
        Envelope envelope;
    };
    void noise(const Noise& noise);

    /// Many short knocks, with decreasing density: splintering wood, falling rubble.
    struct Crackle {
        float start = 0;
        float length = 0.3f;
        int knocks = 20;
        float from = 800;  ///< each knock has a frequency in this range
        float to = 4000;
        float decay = 0.02f;
        float level = 1;
    };
    void crackle(const Crackle& crackle);

    /// Saturates the sound: louder and rougher, never above 1.
    void drive(float gain);
    /// Scales the loudest sample to `peak`, and both ends to silence.
    [[nodiscard]] std::vector<float> finish(float peak);

    [[nodiscard]] Random& random() noexcept { return random_; }

private:
    [[nodiscard]] std::size_t index(float t) const;
    float sample_rate_;
    Random random_;
    std::vector<float> samples_;
};

}  // namespace crate_room::signal
