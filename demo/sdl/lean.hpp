#pragma once
#include <algorithm>
#include <cmath>

namespace crate_room {

/// A direction that is asked for, of length 0 to 1.
struct Lean {
    float x = 0;
    float y = 0;

    /// Not longer than 1.
    [[nodiscard]] Lean clamped() const noexcept {
        const float length = std::hypot(x, y);
        return length > 1 ? Lean{x / length, y / length} : *this;
    }
    /// Nothing up to that length, and all of the way from there on: a stick at rest is never quite at rest.
    [[nodiscard]] Lean without(float dead_zone) const noexcept {
        const float length = std::hypot(x, y);
        if (length <= dead_zone) return {};
        const float wanted = std::min(1.0f, (length - dead_zone) / (1 - dead_zone));
        return {x / length * wanted, y / length * wanted};
    }
    friend Lean operator+(Lean a, Lean b) noexcept { return {a.x + b.x, a.y + b.y}; }
};

}  // namespace crate_room
