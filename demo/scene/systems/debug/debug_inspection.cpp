#include "systems/debug/debug_inspection.hpp"

#include <cmath>

namespace crate_room {
namespace {

constexpr float HEIGHT = 9;  // objects are drawn so far above their position, in pixels
constexpr Colour RING{255, 214, 120, 255};

}  // namespace

DebugInspection::DebugInspection(const Atlas& atlas, const Input& input, const SpatialGrid& grid)
    : System(false, true), overlay_(atlas), input_(input), grid_(grid) {
    require<Position>();
}

void DebugInspection::on_disabled(Entities&) {
    overlay_.clear();
    picked_ = pointed_ = NONE;
}

void DebugInspection::update(double) {
    ++runs_;
    overlay_.clear();
    pointed_ = input_.pointing ? at_pointer() : NONE;
    if (input_.pick) picked_ = pointed_;
    const bool ring = ecs().alive(picked_) && ecs().has<Position>(picked_);
    if (ecs().alive(pointed_) && pointed_ != picked_) {
        const auto& at = ecs().get<Position>(pointed_);
        overlay_.picture(frames::MARKER, at.x, at.y);
    }
    if (!ring) return;
    angle_ += 0.05f;
    const auto& at = ecs().get<Position>(picked_);
    overlay_.picture(frames::RING, at.x, at.y - HEIGHT / 2, RING, 0.95f + 0.05f * std::sin(angle_ * 3));
    for (int i = 0; i < 4; ++i) {  // four ticks that rotate, also during a pause
        const float angle = angle_ + static_cast<float>(i) * 1.5708f;
        const float x = at.x + 17 * std::cos(angle);
        const float y = at.y - HEIGHT / 2 + 17 * std::sin(angle);
        overlay_.line(x, y, x + 5 * std::cos(angle), y + 5 * std::sin(angle), 2, RING);
    }
}

Entity DebugInspection::at_pointer() const {
    const float x = input_.pointer_x;
    const float y = input_.pointer_y;
    Entity found = NONE;
    float front = 0;
    grid_.each_near(x - TILE, y - TILE, x + TILE, y + TILE + HEIGHT, [&](Entity e) {
        const auto* shape = ecs().try_get<CollisionShape>(e);
        if (shape == nullptr || !(ecs().has<Sprite>(e) || ecs().has<Animation>(e))) return;
        const auto& at = ecs().get<Position>(e);
        const bool inside = std::abs(x - at.x) <= shape->half_width && y <= at.y + shape->half_height &&
                            y >= at.y - shape->half_height - HEIGHT;
        if (inside && (found == NONE || at.y > front)) found = e, front = at.y;
    });
    return found;
}

}  // namespace crate_room
