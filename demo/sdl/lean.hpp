#pragma once
#include <algorithm>
#include <cmath>

namespace crate_room {

/// The direction and strength of a movement input, of length 0 to 1.
struct Lean {
    float x = 0;
    float y = 0;

    /// The same direction with a length of at most 1.
    [[nodiscard]] Lean clamped() const noexcept {
        const float length = std::hypot(x, y);
        return length > 1 ? Lean{x / length, y / length} : *this;
    }
    /// Maps lengths up to `dead_zone` to 0 and the rest to 0 to 1, because sticks at rest report small values.
    [[nodiscard]] Lean without(float dead_zone) const noexcept {
        const float length = std::hypot(x, y);
        if (length <= dead_zone) return {};
        const float wanted = std::min(1.0f, (length - dead_zone) / (1 - dead_zone));
        return {x / length * wanted, y / length * wanted};
    }
    friend Lean operator+(Lean a, Lean b) noexcept { return {a.x + b.x, a.y + b.y}; }
};

}  // namespace crate_room
