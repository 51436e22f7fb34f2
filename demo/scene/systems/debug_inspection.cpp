#include "systems/debug_inspection.hpp"

#include <cmath>

namespace crate_room {
namespace {

constexpr float RISES = 9;  // that far above its ground is a thing drawn
constexpr Colour RING{255, 214, 120, 255};

}  // namespace

DebugInspection::DebugInspection(const Atlas& atlas, const Input& input, const SpatialHash& hash)
    : System(false, true), overlay_(atlas), input_(input), hash_(hash) {
    require<Position>();
}

void DebugInspection::on_disabled(crateful::Entities<crateful::Aspect>&) {
    overlay_.clear();
    picked_ = pointed_ = crateful::NONE;
}

void DebugInspection::update(double, crateful::Entities<crateful::Aspect>&, crateful::DirtySet&) {
    ++runs_;
    overlay_.clear();
    pointed_ = input_.pointing ? at_pointer() : crateful::NONE;
    if (input_.pick) picked_ = pointed_;
    const bool ring = ecs().alive(picked_) && ecs().has<Position>(picked_);
    if (ecs().alive(pointed_) && pointed_ != picked_) {
        const auto& at = ecs().get<Position>(pointed_);
        overlay_.picture(frames::MARKER, at.x, at.y);
    }
    if (!ring) return;
    turned_ += 0.05f;
    const auto& at = ecs().get<Position>(picked_);
    overlay_.picture(frames::RING, at.x, at.y - RISES / 2, RING, 0.95f + 0.05f * std::sin(turned_ * 3));
    for (int i = 0; i < 4; ++i) {  // that it turns shows that it lives, also during a pause
        const float angle = turned_ + static_cast<float>(i) * 1.5708f;
        const float x = at.x + 17 * std::cos(angle);
        const float y = at.y - RISES / 2 + 17 * std::sin(angle);
        overlay_.line(x, y, x + 5 * std::cos(angle), y + 5 * std::sin(angle), 2, RING);
    }
}

crateful::Entity DebugInspection::at_pointer() const {
    const float x = input_.pointer_x;
    const float y = input_.pointer_y;
    crateful::Entity found = crateful::NONE;
    float front = 0;
    hash_.each_near(x - TILE, y - TILE, x + TILE, y + TILE + RISES, [&](crateful::Entity e) {
        const auto* shape = ecs().try_get<CollisionShape>(e);
        if (shape == nullptr || !(ecs().has<Sprite>(e) || ecs().has<Animation>(e))) return;
        const auto& at = ecs().get<Position>(e);
        const bool inside = std::abs(x - at.x) <= shape->half_width && y <= at.y + shape->half_height &&
                            y >= at.y - shape->half_height - RISES;
        if (inside && (found == crateful::NONE || at.y > front)) found = e, front = at.y;
    });
    return found;
}

}  // namespace crate_room
