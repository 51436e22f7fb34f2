#pragma once
#include <cstdint>

#include "crateful/ecs.hpp"

// What things in the room are made of. Lengths are in pixels of the art, times in seconds; x points
// right, y down.
namespace crate_room {

/// The edge of a floor tile, and the pitch at which walls and crates stand.
inline constexpr float TILE = 16;

/// The middle of the ground an entity stands on.
struct Position {
    float x = 0;
    float y = 0;
};

/// Only what can move has one, so that a system over moving things never meets a crate.
struct Velocity {
    float x = 0;
    float y = 0;
};

/// Takes up a box of ground around its position. What also has a Velocity is pushed out of what has none.
struct Solid {
    float half_width = TILE / 2;
    float half_height = TILE / 2;
};

/// What is drawn of an entity.
struct Sprite {
    std::uint16_t frame = 0;   ///< in the atlas
    std::uint8_t loop = 1;     ///< that many frames take turns by game time alone: nothing ever changes
    std::uint8_t glow = 0;     ///< radius of the light it sheds, in units of 2 pixels
    std::uint8_t shade = 255;  ///< brightness
    bool mirrored = false;

    bool operator==(const Sprite&) const = default;
};

/// Plays `count` frames from `first` into the Sprite, and stays on the last one.
struct Animation {
    std::uint16_t first = 0;
    std::uint8_t count = 1;
    std::uint8_t frames_per_second = 1;
    bool repeats = false;
    std::uint8_t take = 0;  ///< a new one starts the same frames over

    bool operator==(const Animation&) const = default;
};

/// Goes to pieces after that many blows.
struct Breakable {
    std::uint8_t hits = 1;
};

/// Is going to pieces; gone when the time is up.
struct Exploding {
    float left = 0;
};

/// Whom the input steers.
struct Player {
    float facing_x = 0;
    float facing_y = 1;
    float aim_x = 0;         ///< where the last blow went, if `aimed`
    float aim_y = 0;
    bool aimed = false;
    std::uint32_t blows = 0;  ///< struck so far
};

/// A crate was hit for the last time; for whoever wants to shake or cheer.
struct CrateSmashed {
    crateful::Entity crate;
    float x;
    float y;
};

/// Tells other languages the names and fields of the classes above. Before the first world uses them;
/// more than once does no harm.
void describe_components();

}  // namespace crate_room
