#pragma once
#include <vector>

#include "sounds.hpp"

namespace crate_room {

/// The number of variants of each sound; they make repetition less monotonous.
inline constexpr int SOUND_VARIANTS = 3;

/// Synthesises a sound as samples from -1 to 1, on one channel. It begins and ends with silence, is shorter than a
/// second, and is always the same for the same arguments.
[[nodiscard]] std::vector<float> synthesise(Sound sound, int variant, int sample_rate);

}  // namespace crate_room
