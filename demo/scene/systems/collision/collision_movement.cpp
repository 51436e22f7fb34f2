#include "systems/collision/collision_movement.hpp"

#include <algorithm>
#include <tuple>

#include "geometry.hpp"

namespace crate_room {
namespace {

// The grid contains centres: half a wall and the movement of one frame are added to each search.
constexpr float MARGIN = TILE + 6;
// A corner between two boxes needs two pushes; further ones only correct rounding.
constexpr int MOST_PUSHES = 6;
// Smaller depths are rounding errors. Correcting them would make entities dirty without need.
constexpr float SLACK = 0.01f;

}  // namespace

CollisionMovement::CollisionMovement(const Contacts& contacts, const SpatialGrid& grid)
    : contacts_(contacts), grid_(grid) {
    require<Position, Velocity, CollisionShape>();
}

void CollisionMovement::on_enabled(Entities& entities) {
    constexpr float INSIDE = 1.5f * TILE;
    const auto& [width, height] = ecs().get<Extent>(ecs().world());
    for (const auto [e, mover] : entities) {
        const auto& at = mover.get<Position>();
        const Position back{std::clamp(at.x, INSIDE, width - INSIDE), std::clamp(at.y, INSIDE, height - INSIDE)};
        if (back.x != at.x || back.y != at.y) ecs().modify<Position>(e, [&](Position& p) { p = back; });
    }
}

void CollisionMovement::update(double, Entities& entities) {
    movers_.clear();
    const auto add = [&](Entity e) {
        if (std::find(movers_.begin(), movers_.end(), e) == movers_.end()) movers_.push_back(e);
    };
    for (const auto& [a, b] : contacts_.touches(CollisionSet::mobile_mobile)) {
        separate(a, b);
        add(a), add(b);
    }
    for (const auto& [mover, solid] : contacts_.touches(CollisionSet::mobile_solid)) add(mover);
    for (const Entity mover : movers_) {
        if (entities.contains(mover)) push_out(mover);
    }
}

void CollisionMovement::separate(Entity a, Entity b) {
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

void CollisionMovement::push_out(Entity mover) {
    Position at = ecs().get<Position>(mover);
    const float radius = ecs().get<CollisionShape>(mover).half_width;
    bool pushed = false;
    for (int i = 0; i < MOST_PUSHES; ++i) {
        Contact deepest;
        Position by;
        grid_.each_near(at.x - radius - MARGIN, at.y - radius - MARGIN, at.x + radius + MARGIN, at.y + radius + MARGIN,
                        [&](Entity other) {
                            const auto* shape = ecs().try_get<CollisionShape>(other);
                            if (shape == nullptr || (shape->kinds & SOLID) == 0) return;
                            const auto& there = ecs().get<Position>(other);
                            const Contact c = contact(at, radius, Box(there, *shape));
                            // Of two equally deep contacts the choice depends on positions only, not on the order in
                            // the grid.
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
