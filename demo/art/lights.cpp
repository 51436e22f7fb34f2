#include "lights.hpp"

#include <algorithm>
#include <cmath>

#include "image.hpp"

namespace crate_room {
namespace {

// `colour_of(distance)`: 0 in the middle, 1 at the edge and beyond.
template <class ColourOf>
LightPicture radial(int size, ColourOf&& colour_of) {
    LightPicture light{size, {}};
    light.pixels.reserve(static_cast<std::size_t>(size * size * 4));
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) {
            const float half = static_cast<float>(size - 1) / 2;
            const float distance = std::hypot(static_cast<float>(x) - half, static_cast<float>(y) - half) / half;
            const Colour c = colour_of(std::min(1.0f, distance));
            light.pixels.insert(light.pixels.end(), {c.r, c.g, c.b, c.a});
        }
    }
    return light;
}

float ease(float t) { return t * t * (3 - 2 * t); }

}  // namespace

LightPicture paint_dusk() {
    return radial(
        256, [](float d) { return mix(rgb(0xFFF6EA), rgb(0x4C4E82), ease(std::clamp(d * 1.7f - 0.1f, 0.0f, 1.0f))); });
}

LightPicture paint_glow() {
    return radial(128, [](float d) {
        const float strength = (1 - ease(d)) * (1 - d);
        return lit(rgb(0xFFFFFF), strength);
    });
}

}  // namespace crate_room
