#pragma once
#include <vector>

#include "sounds.hpp"

namespace crate_room {

/// How many ways there are for each sound to sound, so that repetition is not dull.
inline constexpr int SOUND_VARIANTS = 3;

/// A sound as samples from -1 to 1, on one channel. It begins and ends in silence, lasts less than a
/// second, and is the same each time.
[[nodiscard]] std::vector<float> synthesise(Sound sound, int variant, int sample_rate);

}  // namespace crate_room
