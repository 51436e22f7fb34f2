#pragma once
#include <algorithm>

#include "components.hpp"

namespace crate_room {

/// The light of one of `burning` fires. Lights are added up when drawn, so each of many fires gets a smaller share.
[[nodiscard]] inline Light firelight(float radius, std::size_t burning, bool flickers = false) {
    const float share = std::min(1.0f, 2 / static_cast<float>(std::max<std::size_t>(1, burning)));
    const auto part = [&](float c) { return static_cast<std::uint8_t>(c * share); };
    return {.radius = radius, .r = part(160), .g = part(102), .b = part(47), .flickers = flickers};
}

}  // namespace crate_room
