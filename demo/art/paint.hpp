#pragma once
#include <numbers>

#include "image.hpp"

// One function for each kind of picture. `n` is the number of the picture within its kind.
namespace crate_room::paint {

inline constexpr std::uint32_t SEED = 20;          // the art is the same in every room
inline constexpr Colour WALL_CAP = rgb(0x2B2E42);  // the upper side of walls and of the door

/// A coordinate as an argument of `chance`.
[[nodiscard]] constexpr std::uint32_t u(int i) noexcept { return static_cast<std::uint32_t>(i); }
/// The angle of a part of a full turn.
[[nodiscard]] constexpr float turn(float part) noexcept { return part * 2 * std::numbers::pi_v<float>; }

// --- the room (stone.cpp, door.cpp, crates.cpp) ---------------------------------------------------------

/// A floor tile, 16 x 16; tiles fit together at their edges.
[[nodiscard]] Image floor(int n);
/// The lowest 16 x 16 pixels are the ground that it stands on.
[[nodiscard]] Image wall(int n);
[[nodiscard]] Image pillar();
[[nodiscard]] Image torch(int n);
/// Step `n` of opening the gate.
[[nodiscard]] Image door(int n);
/// `step`: at rest, leaning left, leaning right.
[[nodiscard]] Image crate(int kind, int step);

// --- effects in the room (burst.cpp, effects.cpp) --------------------------------------------------------

/// Step `step` of a bursting crate.
[[nodiscard]] Image burst(int which, int step);
/// Exploding powder.
[[nodiscard]] Image blast(int step);
/// Sparks of steel on steel.
[[nodiscard]] Image spark(int step);
/// A cloud of dust.
[[nodiscard]] Image puff(int step);

// --- figures (hero.cpp, guard.cpp), in the order of frames::figure --------------------------------------

[[nodiscard]] Image hero(int n);
[[nodiscard]] Image guard(int n);

// --- what figures hold (weapons.cpp), pointing in direction `n` of frames::WEAPON_ANGLES ------------------

[[nodiscard]] Image hammer(int n);
[[nodiscard]] Image sword(int n);

// --- signs (signs.cpp) ----------------------------------------------------------------------------------

/// A heart to be picked up, floating.
[[nodiscard]] Image pickup(int n);
/// Brackets around a crate.
[[nodiscard]] Image marker();
/// One of the hero's lives.
[[nodiscard]] Image heart(bool full);
[[nodiscard]] Image arrow();
/// White, 32 x 32, with a soft edge.
[[nodiscard]] Image disc();
[[nodiscard]] Image ring();

}  // namespace crate_room::paint
