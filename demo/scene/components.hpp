#pragma once
#include <cstdint>
#include <vector>

#include "crateful.hpp"
#include "input.hpp"
#include "random.hpp"

// The component classes of the game. Lengths are in pixels of the art, times in seconds; x points right, y down.
namespace crate_room {

/// The edge length of a floor tile. Walls and crates are placed on this grid.
inline constexpr float TILE = 16;

// --- position and appearance ---------------------------------------------------------------------------

/// The centre of the ground that an entity stands on.
struct Position {
    float x = 0;
    float y = 0;
};

/// A picture without an animation. If `loop` is above 1, that many frames alternate in the shader, by time: this is
/// no change of the component.
struct Sprite {
    std::uint16_t frame = 0;  ///< in the atlas
    std::uint8_t loop = 1;
    std::uint8_t shade = 255;  ///< brightness
    float depth = 0;           ///< added to y when sprites are sorted from back to front
};

/// Plays `count` frames, beginning with `first`. Without `repeats` it stays on the last one. A crate at rest has an
/// animation of one frame.
struct Animation {
    std::uint16_t first = 0;
    std::uint8_t count = 1;
    std::uint8_t frames_per_second = 1;
    bool repeats = false;
    bool mirrored = false;
    std::uint8_t shade = 255;
    float time = 0;  ///< since its start; the system Animations lets it pass

    bool operator==(const Animation&) const = default;
};

/// A light around the entity.
struct Light {
    float radius = 0;
    std::uint8_t r = 255, g = 255, b = 255;
    bool flickers = false;
};

// --- bodies -------------------------------------------------------------------------------------------

/// Only entities that can move have one. So a system that requires it does not track crates.
struct Velocity {
    float x = 0;
    float y = 0;
};

/// The roles of a collision shape, combined as bits. CollisionDetection searches for certain pairs of kinds.
enum Kind : std::uint8_t {
    SOLID = 1,       ///< an obstacle
    MOBILE = 2,      ///< a disc that is moved out of solid shapes
    VULNERABLE = 4,  ///< takes damage
    ATTACK = 8,      ///< deals damage
    SHIELD = 16,     ///< blocks attacks
    SENSOR = 32,     ///< detects mobile shapes
};

/// A box on the ground, centred on the position and rotated by `angle`.
struct CollisionShape {
    float half_width = TILE / 2;  ///< along the angle; for MOBILE shapes the radius
    float half_height = TILE / 2;
    float angle = 0;  ///< radians
    std::uint8_t kinds = SOLID;
};

// --- figures ------------------------------------------------------------------------------------------

/// `none` is the team of blasts.
enum class Team : std::uint8_t { none, hero, guards };

/// A character that walks and fights.
struct Figure {
    Team team = Team::none;
    float speed = 60;  ///< pixels a second
    std::uint8_t damage = 1;
    float rest = 0;  ///< seconds until it can strike again
};

/// The direction that a figure faces; a vector of length 1.
struct Facing {
    float x = 0;
    float y = 1;
};

/// The actions that input or AI requested for a figure. Later systems perform them if they are possible.
struct Intent {
    float move_x = 0;  ///< length 0 to 1
    float move_y = 0;
    float aim_x = 0;  ///< direction of a blow; (0, 0): straight ahead
    float aim_y = 0;
    bool swing = false;
    bool defend = false;

    bool operator==(const Intent&) const = default;
};

/// `now` of at most `most` hit points.
struct Health {
    std::uint8_t now = 1;
    std::uint8_t most = 1;
};

/// The figure is controlled by input.
struct Player {};

/// The figure is controlled by AI; this is what it remembers.
struct Guard {
    Random random;  ///< each guard has its own
    bool alarmed = false;
    float cooling = 0;    ///< seconds until the next blow is allowed
    float defending = 0;  ///< seconds for which the shield stays up
    float stuck = 0;      ///< seconds without progress
    float sidestep = 0;   ///< seconds for which the guard walks sideways
    float side = 1;       ///< the direction of the sidestep: 1 or -1
    Position before;      ///< the position in the previous frame
};

// --- what figures hold: children of the figure (rule H1) ------------------------------------------------

/// Where an entity is relative to its parent. Attachments computes its Position, Angle and Sprite from it.
struct Local {
    float x = 0;  ///< in the direction of the parent's Angle, if it has one
    float y = 0;
    float angle = 0;  ///< radians, clockwise
    float layer = 0;  ///< above 0 it is drawn in front of its parent, below 0 behind it
};

/// The direction in which an entity points, in the room.
struct Angle {
    float radians = 0;
};

/// The weapon in a figure's hand, which Wield moves.
struct Weapon {
    std::uint16_t frame = 0;  ///< the first of its pictures: frames::HAMMER or frames::SWORD
};

// --- fighting: mostly components that last for some frames ----------------------------------------------

/// The figure is striking.
struct Swinging {
    float age = 0;
    bool struck = false;  ///< the attack entity of this blow was created
};

/// The figure holds up its shield, which is a child entity.
struct Defending {
    Entity shield = NONE;
};

/// Damages every vulnerable entity that it touches, each at most once.
struct Attack {
    Entity owner = NONE;     ///< the attacking figure; NONE for a blast
    Team team = Team::none;  ///< figures of this team are not damaged
    std::uint8_t damage = 1;
};

/// The entities that an attack has touched.
struct Hits {
    std::vector<Entity> touched;
};

struct Shield {
    Entity owner = NONE;
};

/// The attack touched a shield.
struct Blocked {
    Entity shield = NONE;
};

/// The figure is being pushed back and cannot act.
struct Staggered {
    float left = 0;
    float push_x = 0;  ///< pixels a second
    float push_y = 0;
};

/// The figure was damaged and cannot be damaged again yet.
struct DamagedFlash {
    float left = 0;
};

/// The figure is dead. A dead guard is removed when the time is over.
struct Dead {
    float left = 0;
};

// --- objects -----------------------------------------------------------------------------------------

struct Crate {
    std::uint8_t kind = 0;
    bool powder = false;  ///< explodes and damages its neighbours
};

/// The crate shakes: it, or a crate beside it, was hit.
struct Shuddering {
    float left = 0;
};

/// Lit powder; it explodes when the time is over.
struct Fuse {
    float left = 0;
};

/// The crate is bursting; it is removed when the time is over.
struct Exploding {
    float left = 0;
};

/// The crate was smashed. Unlike Exploding it does not change, so it signals once.
struct Smashed {};

/// The entity is removed when the time is over.
struct Lifetime {
    float left = 0;
};

/// One of the entities that the system Effects reuses for smoke, sparks and fire. It is shown while it has an
/// Animation.
struct Pooled {
    float left = 0;
};

/// A door to the next room.
struct Door {
    bool open = false;
};

/// Heals a player that touches it.
struct Pickup {
    std::uint8_t heals = 1;
};

// --- what exists once: components of the world entity (rule E10) --------------------------------------------

/// A room in a run, and the settings that it is made from.
struct Place {
    std::uint32_t seed = 0;  ///< of the run; `room_seed()` returns that of the room
    std::uint32_t crates = 0;
    std::int32_t guards = -1;  ///< negative: chosen by the size and number of the room
    std::uint32_t number = 1;
    bool opening = false;  ///< explosions around the player, see `add_opening`
};

/// The size of the room including its walls, in pixels; (0, 0) is the upper left corner.
struct Extent {
    /// Doors and walls are drawn up to this far above the upper edge.
    static constexpr float ABOVE = 28;

    float width = 0;
    float height = 0;
};

/// What has happened in the run and in the room.
struct Story {
    bool provoked = false;     ///< the player has struck a blow in this run; before that guards stand still
    bool in_cutscene = false;  ///< guards stand still
    bool controlled = true;    ///< input controls the player
    bool leaving = false;      ///< the screen darkens
    bool to_next = false;      ///< through a door
};

/// A blow that was pressed in a frame without game time (slow motion).
struct MissedBlow {
    bool aimed = false;
    float pointer_x = 0;
    float pointer_y = 0;
};

/// What FollowCamera looks at, in the room's pixels.
struct Camera {
    float x = 0;
    float y = 0;
    float shake = 0;
    float time = 0;  ///< seconds in this room
};

/// How dark the screen is, from 0 to 1.
struct Darkness {
    float now = 0;
    float wanted = 0;
    float speed = 1;  ///< the change in a second
};

/// The run, and how much of it has been recorded or replayed.
struct Run {
    Place first;
    std::uint32_t frames = 0;
    bool replaying = false;
};

/// The input and delta of every frame since the run began.
struct RecordedFrames {
    struct Frame {
        double delta;
        Input input;
    };
    std::vector<Frame> frames;
};

/// Registers the names and fields of the classes above, for TypeScript and for snapshots, which contain only what is
/// described. Call it before the first world uses them; further calls have no effect.
void describe_components();

/// Adds those that exist once.
void add_world_components(ECS& ecs);

}  // namespace crate_room
