#pragma once
#include "draw/frames.hpp"

namespace crate_room {

/// Paints every frame and lays them out in one image.
[[nodiscard]] Atlas paint_atlas();

}  // namespace crate_room
