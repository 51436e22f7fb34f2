#pragma once
#include <cstdint>

#include "crateful/ecs.hpp"

// What things in the room are made of. Lengths are in pixels of the art, times in seconds; x points
// right, y down.
namespace crate_room {

/// The edge of a floor tile, and the pitch at which walls and crates stand.
inline constexpr float TILE = 16;

// --- where it is and what it looks like ---------------------------------------------------------------

/// The middle of the ground an entity stands on.
struct Position {
    float x = 0;
    float y = 0;
};

/// A picture that never changes by itself; `loop` frames take turns by time alone, without a change.
struct Sprite {
    std::uint16_t frame = 0;  ///< in the atlas
    std::uint8_t loop = 1;
    std::uint8_t shade = 255;  ///< brightness
    std::uint16_t depth = 0;   ///< is drawn as if it stood that much further down the room
};

/// Plays `count` frames from `first`, and stays on the last one. A crate at rest is an animation of one.
struct Animation {
    std::uint16_t first = 0;
    std::uint8_t count = 1;
    std::uint8_t frames_per_second = 1;
    bool repeats = false;
    bool mirrored = false;
    std::uint8_t shade = 255;
    std::uint8_t take = 0;  ///< a new one starts the same frames over

    bool operator==(const Animation&) const = default;
};

/// Sheds light on what is around.
struct Light {
    float radius = 0;
    std::uint8_t r = 255, g = 255, b = 255;
    bool flickers = false;
};

// --- bodies -------------------------------------------------------------------------------------------

/// Only what can move has one, so that a system over moving things never meets a crate.
struct Velocity {
    float x = 0;
    float y = 0;
};

/// What a shape is to others: CollisionDetection looks for certain pairs of kinds.
enum Kind : std::uint8_t {
    SOLID = 1,       ///< stands in the way
    MOBILE = 2,      ///< is pushed out of what is solid; counts as a disc
    VULNERABLE = 4,  ///< takes damage
    ATTACK = 8,      ///< deals it
    SHIELD = 16,     ///< stops it
    SENSOR = 32,     ///< notices who steps on it
};

/// A box of ground around a position, turned by `angle`.
struct CollisionShape {
    float half_width = TILE / 2;  ///< along the angle; of a disc the radius
    float half_height = TILE / 2;
    float angle = 0;  ///< radians
    std::uint8_t kinds = SOLID;
};

// --- figures ------------------------------------------------------------------------------------------

enum class Team : std::uint8_t { nobody, hero, guards };  // of blasts, of the player, of the others

/// Somebody who walks and fights.
struct Figure {
    Team team = Team::nobody;
    float speed = 60;  ///< pixels a second
    std::uint8_t damage = 1;
};

/// Where it looks; length 1.
struct Facing {
    float x = 0;
    float y = 1;
};

/// What input or AI want of a figure; the systems after them do it, if it can be done.
struct Intent {
    float move_x = 0;  ///< length 0 to 1
    float move_y = 0;
    float aim_x = 0;  ///< where a blow shall go; (0, 0): straight ahead
    float aim_y = 0;
    bool swing = false;
    bool defend = false;

    bool operator==(const Intent&) const = default;
};

/// Takes that many blows more.
struct Health {
    std::uint8_t now = 1;
    std::uint8_t most = 1;
};

struct Player {};  ///< steered by input
struct Guard {};   ///< steered by AI

// --- fighting: mostly what is there for some frames only ------------------------------------------------

/// Is dealing a blow.
struct Swinging {
    float age = 0;
    bool struck = false;  ///< its attack was made
};

/// Holds up a shield, which is an entity of its own.
struct Defending {
    crateful::Entity shield = crateful::NONE;
};

/// A box that hurts whom it meets, each once.
struct Attack {
    crateful::Entity owner = crateful::NONE;  ///< NONE: a blast
    Team team = Team::nobody;                 ///< who is spared
    std::uint8_t damage = 1;
};

struct Shield {
    crateful::Entity owner = crateful::NONE;
};

/// An attack that met a shield.
struct Blocked {
    crateful::Entity shield = crateful::NONE;
};

/// Was thrown back and can do nothing.
struct Staggered {
    float left = 0;
    float push_x = 0;  ///< pixels a second
    float push_y = 0;
};

/// Was hurt and cannot be hurt again yet.
struct DamagedFlash {
    float left = 0;
};

/// Is dead; what a guard leaves goes away after that time.
struct Dead {
    float left = 0;
};

// --- things -------------------------------------------------------------------------------------------

struct Crate {
    std::uint8_t kind = 0;
    bool powder = false;  ///< takes its neighbours with it
};

/// A crate that was hit and holds.
struct Shuddering {
    float left = 0;
};

/// Powder that was lit; goes off when the time is up.
struct Fuse {
    float left = 0;
};

/// Is going to pieces; gone when the time is up.
struct Exploding {
    float left = 0;
};

/// Is gone when the time is up.
struct Lifetime {
    float left = 0;
};

/// One of the entities that Effects keeps for smoke and sparks; it is shown while it has an Animation.
struct Pooled {
    float left = 0;
};

/// Leads to the next room.
struct Door {
    bool open = false;
};

/// Heals who steps on it.
struct Pickup {
    std::uint8_t heals = 1;
};

/// Tells other languages the names and fields of the classes above. Before the first world uses them;
/// more than once does no harm.
void describe_components();

}  // namespace crate_room
