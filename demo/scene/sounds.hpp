#pragma once
#include <cstdint>
#include <string_view>

namespace crate_room {

// As wide as the other members of Noise, whose bytes snapshots contain.
enum class Sound : std::uint32_t { swing, thud, smash, blast, clank, hurt, fall, step, heal, door, count };

/// An event: a sound is to be played, at a position in the room.
struct Noise {
    static constexpr std::string_view type_name = "Noise";
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
