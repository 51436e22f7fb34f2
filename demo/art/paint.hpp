#pragma once
#include "image.hpp"

// One painter for each kind of picture. `n` is its number within the kind.
namespace crate_room::paint {

inline constexpr std::uint32_t SEED = 20;  // the art is the same in every room

/// 16 x 16, to be laid side by side.
[[nodiscard]] Image floor(int n);
/// Ground at the bottom, 16 x 16; the rest is what stands above it.
[[nodiscard]] Image wall(int n);
[[nodiscard]] Image pillar();
[[nodiscard]] Image torch(int n);
[[nodiscard]] Image crate(int n);
/// `n` counts walking steps seen from the front, the back and the side, in that order.
[[nodiscard]] Image walk(int n);
[[nodiscard]] Image strike(int n);
/// Step `step` of how a crate flies apart.
[[nodiscard]] Image burst(int which, int step);
/// Brackets around a crate.
[[nodiscard]] Image marker();

}  // namespace crate_room::paint
