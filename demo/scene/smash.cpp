#include "smash.hpp"

#include <algorithm>
#include <cmath>

#include "frames.hpp"
#include "random.hpp"

namespace crate_room {
namespace {

constexpr float CRATE_RISES = 9;   // that far above its ground is a crate drawn
constexpr float HALF_ANGLE = 0.5f;  // cosine of how far to the side a blow still hits

// From a point to the nearest edge of a box of ground.
float distance(const Position& from, const Position& middle, const Solid& box) {
    return std::hypot(std::max(0.0f, std::abs(from.x - middle.x) - box.half_width),
                      std::max(0.0f, std::abs(from.y - middle.y) - box.half_height));
}

}  // namespace

Smash::Smash(const SpatialHash& hash) : hash_(hash) {
    require<Player, Position>();
    watch<Player>();
    only_when_dirty();
}

void Smash::update(double, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet& dirty) {
    for (const crateful::Entity e : dirty) {
        const auto& player = entities.get(e).get<Player>();
        if (player.blows == landed_) continue;
        landed_ = player.blows;
        if (const crateful::Entity crate = target(player, entities.get(e).get<Position>()); crate != crateful::NONE) hit(crate);
    }
}

crateful::Entity Smash::crate_at(float x, float y) const {
    crateful::Entity found = crateful::NONE;
    float front = 0;
    hash_.each_near(x - TILE, y - TILE, x + TILE, y + TILE + CRATE_RISES, [&](crateful::Entity e) {
        if (!ecs().has<Breakable, Solid>(e)) return;
        const auto& at = ecs().get<Position>(e);
        const auto& box = ecs().get<Solid>(e);
        const bool inside = std::abs(x - at.x) <= box.half_width && y <= at.y + box.half_height && y >= at.y - box.half_height - CRATE_RISES;
        if (inside && (found == crateful::NONE || at.y > front)) found = e, front = at.y;
    });
    return found;
}

crateful::Entity Smash::target(const Player& player, const Position& from) const {
    if (player.aimed) {
        const crateful::Entity pointed = crate_at(player.aim_x, player.aim_y);
        if (pointed != crateful::NONE && distance(from, ecs().get<Position>(pointed), ecs().get<Solid>(pointed)) <= REACH) return pointed;
    }
    return nearest(from, player.facing_x, player.facing_y);
}

crateful::Entity Smash::nearest(const Position& from, float toward_x, float toward_y) const {
    crateful::Entity found = crateful::NONE;
    float least = REACH;
    hash_.each_near(from.x - REACH - TILE, from.y - REACH - TILE, from.x + REACH + TILE, from.y + REACH + TILE, [&](crateful::Entity e) {
        if (!ecs().has<Breakable, Solid>(e)) return;
        const auto& at = ecs().get<Position>(e);
        const float dx = at.x - from.x;
        const float dy = at.y - from.y;
        const float ahead = (dx * toward_x + dy * toward_y) / std::max(0.001f, std::hypot(dx, dy));
        if (ahead < HALF_ANGLE) return;
        // Of two equally near, the one straighter ahead.
        const float d = distance(from, at, ecs().get<Solid>(e)) + 6 * (1 - ahead);
        if (d < least || (d == least && e < found)) found = e, least = d;
    });
    return found;
}

void Smash::hit(crateful::Entity crate) {
    if (ecs().get<Breakable>(crate).hits > 1) {
        ecs().modify<Breakable>(crate, [](Breakable& b) { --b.hits; });
        return;
    }
    // What flies apart is in nobody's way.
    ecs().remove<Solid>(crate);
    ecs().add<Exploding>(crate, {frames::BURST_SECONDS});
    ecs().modify<Animation>(crate, [&](Animation& a) { a = frames::burst(scramble(3, static_cast<std::uint32_t>(crate))); });
    ecs().modify<Sprite>(crate, [](Sprite& s) { s.shade = 255; });
    const auto at = ecs().get<Position>(crate);
    ecs().events.dispatch(CrateSmashed{crate, at.x, at.y});
}

}  // namespace crate_room
