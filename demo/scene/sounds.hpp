#pragma once
#include <cstdint>

namespace crate_room {

enum class Sound : std::uint8_t { swing, thud, smash, blast, clank, hurt, fall, step, heal, door, count };

/// An event: a sound is to be played, at a position in the room.
struct Noise {
    Sound sound;
    float x;
    float y;
};

/// A sound that starts now: the mixer's input.
struct Playback {
    Sound sound = Sound::swing;
    float volume = 1;  ///< 0 to 1, by distance
    float pan = 0;     ///< -1 left to 1 right
};

}  // namespace crate_room
