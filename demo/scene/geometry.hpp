#pragma once
#include <algorithm>
#include <cmath>

#include "components.hpp"

// Rotated boxes, discs, and their intersections.
namespace crate_room {

/// A collision shape at a position.
struct Box {
    Position at;
    float half_width;
    float half_height;
    float cosine;
    float sine;

    Box(const Position& position, const CollisionShape& shape)
        : at(position),
          half_width(shape.half_width),
          half_height(shape.half_height),
          cosine(shape.angle == 0 ? 1 : std::cos(shape.angle)),
          sine(shape.angle == 0 ? 0 : std::sin(shape.angle)) {}

    /// Half of its extent along the axis (x, y), which has length 1.
    [[nodiscard]] float reach(float x, float y) const noexcept {
        return half_width * std::abs(x * cosine + y * sine) + half_height * std::abs(y * cosine - x * sine);
    }
};

/// Whether two boxes overlap: true unless one of their four axes separates them (separating axis theorem).
[[nodiscard]] inline bool overlap(const Box& a, const Box& b) noexcept {
    const float dx = b.at.x - a.at.x;
    const float dy = b.at.y - a.at.y;
    const auto apart = [&](float x, float y) { return std::abs(dx * x + dy * y) >= a.reach(x, y) + b.reach(x, y); };
    return !apart(a.cosine, a.sine) && !apart(-a.sine, a.cosine) && !apart(b.cosine, b.sine) &&
           !apart(-b.sine, b.cosine);
}

/// How deep a disc is in a box, and the direction out of it. A negative depth is the distance between them.
struct Contact {
    float depth = 0;
    float x = 0;
    float y = 0;
};

[[nodiscard]] inline Contact contact(const Position& disc, float radius, const Box& box) noexcept {
    // The disc's centre in the coordinates of the box.
    const float dx = disc.x - box.at.x;
    const float dy = disc.y - box.at.y;
    const float along = dx * box.cosine + dy * box.sine;
    const float across = dy * box.cosine - dx * box.sine;
    const float away_along = along - std::clamp(along, -box.half_width, box.half_width);
    const float away_across = across - std::clamp(across, -box.half_height, box.half_height);
    const float distance = std::hypot(away_along, away_across);
    float depth = 0;
    float out_along = 0;
    float out_across = 0;
    if (distance > 0) {
        depth = radius - distance;
        out_along = away_along / distance;
        out_across = away_across / distance;
    } else {  // the centre is inside the box: out through the nearest side
        const float to_end = box.half_width - std::abs(along);
        const float to_side = box.half_height - std::abs(across);
        depth = radius + std::min(to_end, to_side);
        if (to_end < to_side) out_along = along < 0 ? -1.0f : 1.0f;
        else out_across = across < 0 ? -1.0f : 1.0f;
    }
    return {depth, out_along * box.cosine - out_across * box.sine, out_along * box.sine + out_across * box.cosine};
}

[[nodiscard]] inline float distance(const Position& a, const Position& b) noexcept {
    return std::hypot(a.x - b.x, a.y - b.y);
}

}  // namespace crate_room
