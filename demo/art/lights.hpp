#pragma once
#include <cstdint>
#include <vector>

namespace crate_room {

/// A square of RGBA pixels.
struct LightPicture {
    int size = 0;
    std::vector<std::uint8_t> pixels;
};

/// The light that the picture is multiplied with: bright in the middle, dark around it.
[[nodiscard]] LightPicture paint_dusk();
/// The light that is added to the picture for each lamp: a round white glow, tinted when drawn.
[[nodiscard]] LightPicture paint_glow();

}  // namespace crate_room
