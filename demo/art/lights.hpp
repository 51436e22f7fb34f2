#pragma once
#include <cstdint>
#include <vector>

namespace crate_room {

/// A square of RGBA pixels.
struct LightPicture {
    int size = 0;
    std::vector<std::uint8_t> pixels;
};

/// To multiply the picture with: bright in the middle, dusk around it.
[[nodiscard]] LightPicture paint_dusk();
/// To add to the picture: a round glow, to be tinted.
[[nodiscard]] LightPicture paint_glow();

}  // namespace crate_room
