#include "systems/actions/defend.hpp"

#include <cmath>

#include "systems/actions/swing.hpp"

namespace crate_room {
namespace {

constexpr float ARM = 9;  // from the figure to the centre of its shield, in pixels

Position held_at(const Position& at, const Facing& facing) { return {at.x + ARM * facing.x, at.y + ARM * facing.y}; }

CollisionShape shape(const Facing& facing) {
    return {.half_width = 3, .half_height = 9, .angle = std::atan2(facing.y, facing.x), .kinds = SHIELD};
}

}  // namespace

void Defend::update(double, Entities& entities) {
    for (const auto [e, figure] : entities) {
        const bool can = !figure.has<Swinging>() && !figure.has<Staggered>() && !figure.has<Dead>();
        const bool wants = can && figure.get<Intent>().defend;
        const bool does = figure.has<Defending>();
        if (wants && !does) raise(e);
        else if (!wants && does) lower(e);
        else if (does) hold(figure);
    }
}

void Defend::on_disabled(Entities& entities) {
    for (const auto [e, figure] : entities) {
        if (figure.has<Defending>()) lower(e);
    }
}

void Defend::raise(Entity e) {
    const auto& intent = ecs().get<Intent>(e);
    face(ecs(), e, intent.aim_x, intent.aim_y);
    const Entity shield = ecs().add_entity();
    ecs().add<Position>(shield, held_at(ecs().get<Position>(e), ecs().get<Facing>(e)));
    ecs().add<CollisionShape>(shield, shape(ecs().get<Facing>(e)));
    ecs().add<Shield>(shield, {e});
    ecs().set_parent(shield, e);  // so it is removed with the figure
    ecs().add<Defending>(e, {shield});
}

void Defend::hold(const Aspect& figure) {
    const auto& intent = figure.get<Intent>();
    face(ecs(), figure.entity(), intent.aim_x, intent.aim_y);
    const Entity shield = figure.get<Defending>().shield;
    const auto& facing = figure.get<Facing>();
    const Position at = held_at(figure.get<Position>(), facing);
    if (const auto& now = ecs().get<Position>(shield); now.x != at.x || now.y != at.y) {
        ecs().modify<Position>(shield, [&](Position& p) { p = at; });
    }
    if (const CollisionShape turned = shape(facing); ecs().get<CollisionShape>(shield).angle != turned.angle) {
        ecs().modify<CollisionShape>(shield, [&](CollisionShape& s) { s = turned; });
    }
}

void Defend::lower(Entity e) {
    ecs().remove_entity(ecs().get<Defending>(e).shield);
    ecs().remove<Defending>(e);
}

}  // namespace crate_room
