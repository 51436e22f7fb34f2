#include "collision.hpp"

#include <algorithm>
#include <cmath>

namespace crate_room {
namespace {

// The hash knows middles; half a wall and what a frame's move may have changed come on top.
constexpr float MARGIN = TILE / 2 + 6;
// A corner between two boxes takes two pushes; more are rounding.
constexpr int MOST_PUSHES = 6;

// How deep a disc is in a box, and which way out.
struct Contact {
    float depth = 0;
    float x = 0;
    float y = 0;
};

Contact contact(const Position& disc, float radius, const Position& middle, const Solid& box) {
    const float dx = disc.x - middle.x;
    const float dy = disc.y - middle.y;
    const float nearest_x = std::clamp(dx, -box.half_width, box.half_width);
    const float nearest_y = std::clamp(dy, -box.half_height, box.half_height);
    const float away_x = dx - nearest_x;
    const float away_y = dy - nearest_y;
    const float distance = std::hypot(away_x, away_y);
    if (distance > 0) return {radius - distance, away_x / distance, away_y / distance};
    // The middle is inside: out through the nearest side.
    const float out_x = box.half_width - std::abs(dx);
    const float out_y = box.half_height - std::abs(dy);
    if (out_x < out_y) return {radius + out_x, dx < 0 ? -1.0f : 1.0f, 0};
    return {radius + out_y, 0, dy < 0 ? -1.0f : 1.0f};
}

}  // namespace

Collision::Collision(const Tracking& tracking, const SpatialHash& hash) : FollowsChanges(tracking), hash_(hash) {
    require<Position, Solid>();
    watch<Position, Solid>();
}

void Collision::update(double, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet& dirty) {
    movers_.clear();
    each_changed(entities, dirty, [&](const crateful::Aspect& changed) { collect(changed); });
    std::sort(movers_.begin(), movers_.end());
    movers_.erase(std::unique(movers_.begin(), movers_.end()), movers_.end());
    for (const crateful::Entity mover : movers_) push_out(mover);
}

void Collision::collect(const crateful::Aspect& changed) {
    if (changed.has<Velocity>()) {
        movers_.push_back(changed.entity());
        return;
    }
    const auto& middle = changed.get<Position>();
    const auto& box = changed.get<Solid>();
    hash_.each_near(middle.x - box.half_width - MARGIN, middle.y - box.half_height - MARGIN,
                    middle.x + box.half_width + MARGIN, middle.y + box.half_height + MARGIN, [&](crateful::Entity other) {
                        if (!ecs().has<Velocity, Solid>(other)) return;
                        const float radius = ecs().get<Solid>(other).half_width;
                        if (contact(ecs().get<Position>(other), radius, middle, box).depth > 0) movers_.push_back(other);
                    });
}

void Collision::push_out(crateful::Entity mover) {
    Position at = ecs().get<Position>(mover);
    const float radius = ecs().get<Solid>(mover).half_width;
    bool pushed = false;
    for (int i = 0; i < MOST_PUSHES; ++i) {
        Contact deepest;
        hash_.each_near(at.x - radius - MARGIN, at.y - radius - MARGIN, at.x + radius + MARGIN, at.y + radius + MARGIN,
                        [&](crateful::Entity other) {
                            const Solid* box = ecs().try_get<Solid>(other);
                            if (box == nullptr || ecs().has<Velocity>(other)) return;
                            const Contact c = contact(at, radius, ecs().get<Position>(other), *box);
                            if (c.depth > deepest.depth) deepest = c;
                        });
        if (deepest.depth <= 0.001f) break;
        at.x += deepest.x * deepest.depth;
        at.y += deepest.y * deepest.depth;
        pushed = true;
    }
    if (pushed) ecs().modify<Position>(mover, [&](Position& p) { p = at; });
}

}  // namespace crate_room
