#pragma once
#include "image.hpp"

// One painter for each kind of picture. `n` is its number within the kind.
namespace crate_room::paint {

inline constexpr std::uint32_t SEED = 20;  // the art is the same in every room

// --- the room (stone.cpp, door.cpp, crates.cpp) ---------------------------------------------------------

/// 16 x 16, to be laid side by side.
[[nodiscard]] Image floor(int n);
/// Ground at the bottom, 16 x 16; the rest is what stands above it.
[[nodiscard]] Image wall(int n);
[[nodiscard]] Image pillar();
[[nodiscard]] Image torch(int n);
/// Step `n` of how the gate opens.
[[nodiscard]] Image door(int n);
/// `step`: at rest, leaning left, leaning right.
[[nodiscard]] Image crate(int kind, int step);

// --- what happens in it (burst.cpp, effects.cpp) --------------------------------------------------------

/// Step `step` of how a crate flies apart.
[[nodiscard]] Image burst(int which, int step);
/// Powder going off.
[[nodiscard]] Image blast(int step);
/// Steel on steel.
[[nodiscard]] Image spark(int step);
/// Dust from under a foot.
[[nodiscard]] Image puff(int step);

// --- figures (hero.cpp, guard.cpp), in the order of frames::figure --------------------------------------

[[nodiscard]] Image hero(int n);
[[nodiscard]] Image guard(int n);

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
