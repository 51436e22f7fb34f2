#pragma once
#include <cstdint>

#include "level/layout.hpp"

namespace crate_room {

/// Makes some crates around the player powder that burns from the start, so that explosions go once around the player
/// within about five seconds. About 50 crates burst, fewer in a small room. Each charge burns by itself,
/// because a blast does not reach across an aisle. The explosions reach neither the player nor a guard at their places,
/// and no other powder. O(crates).
void add_opening(Layout& room, std::uint32_t seed);

}  // namespace crate_room
