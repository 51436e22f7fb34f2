#include "systems/presentation/attachments.hpp"

#include <cmath>

#include "draw/frames.hpp"

namespace crate_room {

Attachments::Attachments(const Tracking& tracking) : FollowsChanges(tracking) {
    require<Local, Position, Angle, Sprite, Parent>();
    watch<Local>();
    watch_ancestors<Local, Position>();
    ordered();  // with tracking off, parents come first because they were created first
}

void Attachments::update(double, Entities& entities, Dirty& dirty) {
    each_changed(entities, dirty.top_down(), [&](const Aspect& held) { place(held); });
}

void Attachments::place(const Aspect& held) {
    const Entity e = held.entity();
    const Entity parent = held.get<Parent>().entity();
    const auto& local = held.get<Local>();
    const auto& origin = ecs().get<Position>(parent);
    const auto* parent_angle = ecs().try_get<Angle>(parent);
    const auto* parent_sprite = ecs().try_get<Sprite>(parent);
    const float turned = parent_angle == nullptr ? 0 : parent_angle->radians;
    const float x = local.x * std::cos(turned) - local.y * std::sin(turned);
    const float y = local.x * std::sin(turned) + local.y * std::cos(turned);
    const float angle = turned + local.angle;

    ecs().set<Position>(e, {origin.x + x, origin.y + y});
    ecs().set<Angle>(e, {angle});
    Sprite sprite = held.get<Sprite>();
    // Sorted beside its parent, although its picture is higher or lower.
    sprite.depth = (parent_sprite == nullptr ? 0 : parent_sprite->depth) - y + local.layer;
    if (const auto* weapon = held.try_get<Weapon>()) sprite.frame = frames::pointing(weapon->frame, angle);
    ecs().set<Sprite>(e, sprite);
}

}  // namespace crate_room
