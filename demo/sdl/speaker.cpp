#include "speaker.hpp"

#include <exception>

namespace crate_room {
namespace {

constexpr int SAMPLE_RATE = 44100;
constexpr Uint16 FRAMES = 1024;  // 23 ms; less crackles on a page, where one thread does everything
constexpr Uint8 CHANNELS = 2;

// Keeps the device's thread from asking for more.
class Locked {
public:
    explicit Locked(SDL_AudioDeviceID device) noexcept : device_(device) { SDL_LockAudioDevice(device_); }
    ~Locked() { SDL_UnlockAudioDevice(device_); }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

private:
    SDL_AudioDeviceID device_;
};

}  // namespace

Speaker::~Speaker() { close(); }

bool Speaker::set_on(bool on) noexcept {
    if (on == on_) return on_;
    if (on && device_ == 0 && !open()) return false;
    on_ = on;
    SDL_PauseAudioDevice(device_, on ? 0 : 1);
    if (on) return true;
    try {
        const Locked lock(device_);
        mixer_.emplace(sample_rate_);  // without voices, which would go on where they stopped
    } catch (const std::exception&) {
        failed_ = true;
        close();
    }
    return false;
}

void Speaker::play(std::span<const Playback> sounds) noexcept {
    if (!on_ || sounds.empty()) return;
    try {
        const Locked lock(device_);
        for (const Playback& sound : sounds) {
            mixer_->play(sound);
            ++played_;
        }
    } catch (const std::exception&) {
        // No memory for one more sound: it is not heard.
    }
}

bool Speaker::open() noexcept {
    if (failed_) return false;
    failed_ = true;
    if (SDL_InitSubSystem(SDL_INIT_AUDIO) != 0) return false;
    SDL_AudioSpec wanted{};
    wanted.freq = SAMPLE_RATE;
    wanted.format = AUDIO_F32SYS;
    wanted.channels = CHANNELS;
    wanted.samples = FRAMES;
    wanted.callback = &Speaker::fill;
    wanted.userdata = this;
    SDL_AudioSpec got{};
    device_ = SDL_OpenAudioDevice(nullptr, 0, &wanted, &got, SDL_AUDIO_ALLOW_FREQUENCY_CHANGE);
    if (device_ == 0) {
        SDL_QuitSubSystem(SDL_INIT_AUDIO);
        return false;
    }
    sample_rate_ = got.freq;
    try {
        mixer_.emplace(sample_rate_);  // the device is still paused, and asks for nothing
    } catch (const std::exception&) {
        close();
        return false;
    }
    failed_ = false;
    return true;
}

void Speaker::close() noexcept {
    on_ = false;
    if (device_ == 0) return;
    SDL_CloseAudioDevice(device_);
    SDL_QuitSubSystem(SDL_INIT_AUDIO);
    device_ = 0;
    mixer_.reset();
}

void Speaker::fill(void* speaker, Uint8* out, int bytes) noexcept {
    auto& mixer = static_cast<Speaker*>(speaker)->mixer_;
    // SDL gives memory that is good for floats.
    mixer->mix(reinterpret_cast<float*>(out), static_cast<std::size_t>(bytes) / (sizeof(float) * CHANNELS));
}

}  // namespace crate_room
