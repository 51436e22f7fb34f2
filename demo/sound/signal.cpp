#include "signal.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace crate_room::signal {
namespace {

constexpr float TURN = 2 * std::numbers::pi_v<float>;
constexpr std::size_t CONTROL = 8;  // pitches are updated every 8 samples; the difference is inaudible

// Interpolates two frequencies exponentially, as pitch is perceived.
float glide(float from, float to, float part) { return from * std::pow(to / from, std::clamp(part, 0.0f, 1.0f)); }

}  // namespace

float Envelope::at(float t) const {
    if (t < 0) return 0;
    if (t < attack) {
        const float part = t / attack;
        return part * part * (3 - 2 * part);
    }
    return std::exp(-6.9f * (t - attack) / decay);
}

// A state variable filter after Zavalishin; it stays stable while its frequency changes.
void Filter::tune(float frequency, float sharpness) {
    g_ = std::tan(TURN / 2 * std::clamp(frequency, 10.0f, sample_rate_ * 0.45f) / sample_rate_);
    damping_ = 1 / sharpness;
}

void Filter::feed(float sample) {
    high_ = (sample - (damping_ + g_) * state_1_ - state_2_) / (1 + g_ * (g_ + damping_));
    band_ = g_ * high_ + state_1_;
    state_1_ = g_ * high_ + band_;
    low_ = g_ * band_ + state_2_;
    state_2_ = g_ * band_ + low_;
}

Sketch::Sketch(float seconds, int sample_rate, std::uint32_t seed)
    : sample_rate_(static_cast<float>(sample_rate)),
      random_{seed},
      samples_(static_cast<std::size_t>(seconds * sample_rate_)) {}

std::size_t Sketch::index(float t) const {
    return std::min(samples_.size(), static_cast<std::size_t>(std::max(0.0f, t) * sample_rate_));
}

void Sketch::tone(const Tone& tone) {
    float phase = 0;
    float turns = 0;  // per sample
    const std::size_t first = index(tone.start);
    for (std::size_t i = first; i < samples_.size(); ++i) {
        const float t = static_cast<float>(i - first) / sample_rate_;
        const float loud = tone.level * tone.envelope.at(t);
        if (t > tone.envelope.attack && loud < 0.0004f) break;
        if ((i - first) % CONTROL == 0) turns = glide(tone.from, tone.to, 1 - std::exp(-t / tone.bend)) / sample_rate_;
        phase += turns;
        phase -= std::floor(phase);
        float wave = std::sin(TURN * phase);
        if (tone.edge > 0) {
            wave += tone.edge * (0.5f * std::sin(2 * TURN * phase) + 0.33f * std::sin(3 * TURN * phase) +
                                 0.2f * std::sin(5 * TURN * phase));
        }
        samples_[i] += loud * wave;
    }
}

void Sketch::noise(const Noise& noise) {
    Filter filter(sample_rate_);
    const std::size_t first = index(noise.start);
    const float whole = noise.envelope.attack + noise.envelope.decay;
    for (std::size_t i = first; i < samples_.size(); ++i) {
        const float t = static_cast<float>(i - first) / sample_rate_;
        if (t > whole) break;
        if ((i - first) % CONTROL == 0) filter.tune(glide(noise.from, noise.to, t / whole), noise.sharpness);
        filter.feed(random_.between(-1, 1));
        const float passed = noise.pass == Pass::low    ? filter.low()
                             : noise.pass == Pass::band ? filter.band()
                                                        : filter.high();
        samples_[i] += noise.level * noise.envelope.at(t) * passed;
    }
}

void Sketch::crackle(const Crackle& crackle) {
    for (int i = 0; i < crackle.knocks; ++i) {
        const float part = random_.between(0, 1) * random_.between(0.2f, 1);  // more of them at the beginning
        const float pitch = glide(crackle.from, crackle.to, random_.between(0, 1));
        const float level = crackle.level * random_.between(0.3f, 1) * (1 - 0.7f * part);
        noise({.start = crackle.start + part * crackle.length,
               .from = pitch,
               .to = pitch * 0.7f,
               .sharpness = 5,
               .level = level * 2,
               .envelope = {0.0006f, crackle.decay * random_.between(0.6f, 1.6f)}});
    }
}

void Sketch::drive(float gain) {
    for (float& sample : samples_) sample = std::tanh(sample * gain);
}

std::vector<float> Sketch::finish(float peak) {
    // Inaudibly low frequencies are removed, because they would reduce the loudness of the rest.
    float before = 0;
    float through = 0;
    const float keep = 1 - TURN * 25 / sample_rate_;
    for (float& sample : samples_) {
        through = keep * (through + sample - before);
        before = sample;
        sample = through;
    }
    // A ramp at both ends avoids clicks.
    const std::size_t start = std::min(index(0.0015f), samples_.size() / 2);
    const std::size_t end = std::min(index(0.03f), samples_.size() / 2);
    for (std::size_t i = 0; i < start; ++i) samples_[i] *= static_cast<float>(i) / static_cast<float>(start);
    for (std::size_t i = 0; i < end; ++i)
        samples_[samples_.size() - 1 - i] *= static_cast<float>(i) / static_cast<float>(end);
    float loudest = 0;
    for (const float sample : samples_) loudest = std::max(loudest, std::abs(sample));
    if (loudest > 0) {
        for (float& sample : samples_) sample *= peak / loudest;
    }
    return std::move(samples_);
}

}  // namespace crate_room::signal
