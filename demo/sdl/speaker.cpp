#include "speaker.hpp"

#include <exception>

namespace crate_room {
namespace {

constexpr int SAMPLE_RATE = 44100;
constexpr Uint16 FRAMES = 1024;  // 23 ms; shorter buffers crackle on a page, where the same thread also runs the game
constexpr Uint8 CHANNELS = 2;

// While it exists, the audio thread does not call Speaker::fill.
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
    if (!on) {
        const Locked lock(device_);
        mixer_->stop();  // otherwise the sounds would continue when it is turned on again
    }
    return on;
}

void Speaker::play(std::span<const Playback> sounds) noexcept {
    if (!on_ || sounds.empty()) return;
    const Locked lock(device_);
    for (const Playback& sound : sounds) mixer_->play(sound);
    played_ += static_cast<std::uint32_t>(sounds.size());
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
    try {
        mixer_.emplace(got.freq);  // the device is still paused, so it does not call fill() yet
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
    // SDL's buffer is aligned for floats.
    mixer->mix(reinterpret_cast<float*>(out), static_cast<std::size_t>(bytes) / (sizeof(float) * CHANNELS));
}

}  // namespace crate_room
