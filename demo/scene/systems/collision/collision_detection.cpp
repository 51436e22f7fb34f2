#include "systems/collision/collision_detection.hpp"

#include <algorithm>
#include <tuple>

#include "geometry.hpp"

namespace crate_room {
namespace {

struct Kinds {
    std::uint8_t first;
    std::uint8_t second;
};
constexpr std::array<Kinds, static_cast<std::size_t>(CollisionSet::count)> SETS{
    {{MOBILE, SOLID}, {MOBILE, MOBILE}, {ATTACK, VULNERABLE}, {SHIELD, ATTACK}, {SENSOR, MOBILE}}};

// The largest distance from its position that a shape of these kinds reaches: a blast or a rotated sword; a door.
float longest(std::uint8_t kinds) { return (kinds & ATTACK) != 0 ? 36 : (kinds & (SOLID | SENSOR)) != 0 ? 18 : 11; }

// The kinds that a shape of these kinds can touch.
constexpr auto PARTNERS = [] {
    std::array<std::uint8_t, 2 * SENSOR> all{};
    for (std::size_t kinds = 0; kinds < all.size(); ++kinds) {
        for (const auto& [first, second] : SETS) {
            if ((kinds & first) != 0) all[kinds] |= second;
            if ((kinds & second) != 0) all[kinds] |= first;
        }
    }
    return all;
}();

bool touch(CollisionSet set, const Position& a, const CollisionShape& shape_a, const Position& b,
           const CollisionShape& shape_b) {
    switch (set) {
        case CollisionSet::mobile_solid: return contact(a, shape_a.half_width, Box(b, shape_b)).depth > 0;
        case CollisionSet::mobile_mobile: return distance(a, b) < shape_a.half_width + shape_b.half_width;
        case CollisionSet::sensor_mobile:
            return contact(b, shape_b.half_width + CollisionDetection::SENSED, Box(a, shape_a)).depth > 0;
        default: return overlap(Box(a, shape_a), Box(b, shape_b));
    }
}

}  // namespace

CollisionDetection::CollisionDetection(const Tracking& tracking, const SpatialGrid& grid, Contacts& contacts)
    : FollowsChanges(tracking), grid_(grid), contacts_(contacts) {
    require<Position, CollisionShape>();
    watch<Position, CollisionShape>();
    exact();  // an entity at rest that is dirty would touch its neighbours again
}

void CollisionDetection::update(double, Entities& entities, Dirty& dirty) {
    contacts_.clear();
    each_changed(entities, dirty, [&](const Aspect& changed) {
        search_around(changed.entity(), changed.get<Position>(), changed.get<CollisionShape>());
    });
    for (auto& touches : contacts_.sets) sort_and_deduplicate(touches);
}

void CollisionDetection::search_around(Entity e, const Position& at, const CollisionShape& shape) {
    const std::uint8_t wanted = PARTNERS[shape.kinds];
    const Box box(at, shape);
    const float margin = longest(wanted) + SENSED;
    const float x = box.reach(1, 0) + margin;
    const float y = box.reach(0, 1) + margin;
    grid_.each_near(at.x - x, at.y - y, at.x + x, at.y + y, [&](Entity other) {
        if (other != e) compare(e, at, shape, other);
    });
}

void CollisionDetection::compare(Entity e, const Position& at, const CollisionShape& shape, Entity other) {
    const auto* other_shape = ecs().try_get<CollisionShape>(other);
    if (other_shape == nullptr || (PARTNERS[shape.kinds] & other_shape->kinds) == 0) return;
    const auto& there = ecs().get<Position>(other);
    const bool before = std::tuple(at.y, at.x, e) < std::tuple(there.y, there.x, other);
    for (std::size_t i = 0; i < SETS.size(); ++i) {
        const auto& [first, second] = SETS[i];
        const auto set = static_cast<CollisionSet>(i);
        const bool can_be_first = (shape.kinds & first) != 0 && (other_shape->kinds & second) != 0;
        const bool can_be_second = (shape.kinds & second) != 0 && (other_shape->kinds & first) != 0;
        // If both orders are possible, the shape with the smaller y is the first.
        if (can_be_first && (before || !can_be_second)) {
            if (touch(set, at, shape, there, *other_shape)) contacts_.sets[i].push_back({e, other});
        } else if (can_be_second) {
            if (touch(set, there, *other_shape, at, shape)) contacts_.sets[i].push_back({other, e});
        }
    }
}

void CollisionDetection::sort_and_deduplicate(std::vector<TouchingPair>& touches) const {
    if (touches.size() < 2) return;
    const auto key = [&](const TouchingPair& t) {
        const auto& a = ecs().get<Position>(t.a);
        const auto& b = ecs().get<Position>(t.b);
        return std::tuple(a.y, a.x, b.y, b.x, t.a, t.b);
    };
    std::sort(touches.begin(), touches.end(),
              [&](const TouchingPair& s, const TouchingPair& t) { return key(s) < key(t); });
    const auto same = [](const TouchingPair& s, const TouchingPair& t) { return s.a == t.a && s.b == t.b; };
    touches.erase(std::unique(touches.begin(), touches.end(), same), touches.end());
}

}  // namespace crate_room
