#include "systems/collision_movement.hpp"

#include <algorithm>
#include <tuple>

#include "geometry.hpp"

namespace crate_room {
namespace {

// The hash knows middles; half a wall and what a frame's move may have changed come on top.
constexpr float MARGIN = TILE + 6;
// A corner between two boxes takes two pushes; more are rounding.
constexpr int MOST_PUSHES = 6;
// Less than this is rounding as well, and not worth waking anybody.
constexpr float SLACK = 0.01f;

}  // namespace

CollisionMovement::CollisionMovement(const CollisionDetection& detection, const SpatialHash& hash, const Extent& extent)
    : detection_(detection), hash_(hash), extent_(extent) {
    require<Position, Velocity, CollisionShape>();
}

void CollisionMovement::on_enabled(crateful::Entities<crateful::Aspect>& entities) {
    constexpr float INSIDE = 1.5f * TILE;
    for (const auto [e, mover] : entities) {
        const auto& at = mover.get<Position>();
        const Position back{std::clamp(at.x, INSIDE, extent_.width - INSIDE),
                            std::clamp(at.y, INSIDE, extent_.height - INSIDE)};
        if (back.x != at.x || back.y != at.y) ecs().modify<Position>(e, [&](Position& p) { p = back; });
    }
}

void CollisionMovement::update(double, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet&) {
    movers_.clear();
    const auto add = [&](crateful::Entity e) {
        if (std::find(movers_.begin(), movers_.end(), e) == movers_.end()) movers_.push_back(e);
    };
    for (const auto& [a, b] : detection_.touches(CollisionSet::mobile_mobile)) {
        part(a, b);
        add(a), add(b);
    }
    for (const auto& [mover, solid] : detection_.touches(CollisionSet::mobile_solid)) add(mover);
    for (const crateful::Entity mover : movers_) {
        if (entities.contains(mover)) push_out(mover);
    }
}

void CollisionMovement::part(crateful::Entity a, crateful::Entity b) {
    const Position at = ecs().get<Position>(a);
    const Position there = ecs().get<Position>(b);
    const float far = distance(at, there);
    const float depth = ecs().get<CollisionShape>(a).half_width + ecs().get<CollisionShape>(b).half_width - far;
    if (depth <= SLACK) return;
    const float x = far > 0 ? (at.x - there.x) / far : 1;
    const float y = far > 0 ? (at.y - there.y) / far : 0;
    ecs().modify<Position>(a, [&](Position& p) { p = {at.x + x * depth / 2, at.y + y * depth / 2}; });
    ecs().modify<Position>(b, [&](Position& p) { p = {there.x - x * depth / 2, there.y - y * depth / 2}; });
}

void CollisionMovement::push_out(crateful::Entity mover) {
    Position at = ecs().get<Position>(mover);
    const float radius = ecs().get<CollisionShape>(mover).half_width;
    bool pushed = false;
    for (int i = 0; i < MOST_PUSHES; ++i) {
        Contact deepest;
        Position by;
        hash_.each_near(at.x - radius - MARGIN, at.y - radius - MARGIN, at.x + radius + MARGIN, at.y + radius + MARGIN,
                        [&](crateful::Entity other) {
                            const auto* shape = ecs().try_get<CollisionShape>(other);
                            if (shape == nullptr || (shape->kinds & SOLID) == 0) return;
                            const auto& there = ecs().get<Position>(other);
                            const Contact c = contact(at, radius, Box(there, *shape));
                            // Of two equally deep ones always the same, in whatever order the hash has them.
                            if (c.depth > deepest.depth || (c.depth == deepest.depth && c.depth > 0 &&
                                                            std::tuple(there.y, there.x) < std::tuple(by.y, by.x)))
                                deepest = c, by = there;
                        });
        if (deepest.depth <= SLACK) break;
        at.x += deepest.x * deepest.depth;
        at.y += deepest.y * deepest.depth;
        pushed = true;
    }
    if (pushed) ecs().modify<Position>(mover, [&](Position& p) { p = at; });
}

}  // namespace crate_room
