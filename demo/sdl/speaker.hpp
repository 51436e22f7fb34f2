#pragma once
#include <SDL.h>

#include <cstdint>
#include <optional>
#include <span>

#include "mixer.hpp"
#include "sounds.hpp"

namespace crate_room {

/// Plays the room's sounds. It is off at first, because browsers allow sound only after a user gesture. On a machine
/// without audio it stays off; nothing here throws.
class Speaker {
public:
    Speaker() = default;
    ~Speaker();
    Speaker(const Speaker&) = delete;
    Speaker& operator=(const Speaker&) = delete;

    /// The device is opened when it is turned on for the first time. Returns whether it is on now.
    bool set_on(bool on) noexcept;
    [[nodiscard]] bool on() const noexcept { return on_; }

    /// Starts sounds. While the speaker is off, they are discarded.
    void play(std::span<const Playback> sounds) noexcept;
    /// How many were started.
    [[nodiscard]] std::uint32_t played() const noexcept { return played_; }

private:
    [[nodiscard]] bool open() noexcept;
    void close() noexcept;
    static void fill(void* speaker, Uint8* out, int bytes) noexcept;

    SDL_AudioDeviceID device_ = 0;
    std::optional<Mixer> mixer_;  // also used by the audio thread
    bool failed_ = false;
    bool on_ = false;
    std::uint32_t played_ = 0;
};

}  // namespace crate_room
