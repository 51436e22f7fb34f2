#include "systems/actions/swing.hpp"

#include <algorithm>
#include <cmath>

#include "sounds.hpp"

namespace crate_room {
namespace {

constexpr float HURTS_FOR = 0.07f;       // seconds
constexpr float FOLLOW_THROUGH = 0.18f;  // from the hit to the end
constexpr float REST = 0.06f;            // from the end to the next blow
constexpr float REACH = 16;              // from the figure to the centre of the attack, in pixels

}  // namespace

void Swing::update(double delta, Entities& entities) {
    const auto seconds = static_cast<float>(delta);
    for (const auto [e, figure] : entities) {
        const float rest = std::max(0.0f, figure.get<Figure>().rest - seconds);
        set_rest(e, rest);
        if (figure.has<Swinging>()) {
            advance(figure, seconds);
        } else if (figure.get<Intent>().swing && rest == 0 && !figure.has<Staggered>() && !figure.has<Defending>() &&
                   !figure.has<Dead>()) {
            begin(figure);
        }
    }
}

void Swing::on_disabled(Entities& entities) {
    for (const auto [e, figure] : entities) ecs().remove<Swinging>(e);
}

void Swing::set_rest(Entity e, float seconds) {
    Figure now = ecs().get<Figure>(e);
    if (now.rest == seconds) return;
    now.rest = seconds;
    write_time(ecs(), tracking_, e, now);
}

void Swing::begin(const Aspect& figure) {
    const auto& intent = figure.get<Intent>();
    face(ecs(), figure.entity(), intent.aim_x, intent.aim_y);
    ecs().add<Swinging>(figure.entity());
    const auto& at = figure.get<Position>();
    ecs().events.dispatch(Noise{Sound::swing, at.x, at.y});
}

void Swing::advance(const Aspect& figure, float seconds) {
    const Swinging now = figure.get<Swinging>();
    const float age = now.age + seconds;
    const float raised = wind_up(figure.get<Figure>().team);
    if (age >= raised + FOLLOW_THROUGH || figure.has<Staggered>() || figure.has<Dead>()) {
        set_rest(figure.entity(), REST);
        ecs().remove<Swinging>(figure.entity());
        return;
    }
    const bool strikes = !now.struck && age >= raised;
    write_time(ecs(), tracking_, figure.entity(), Swinging{age, now.struck || strikes});
    if (strikes) strike(figure);
}

void Swing::strike(const Aspect& figure) {
    const auto& at = figure.get<Position>();
    const auto& facing = figure.get<Facing>();
    const auto& [team, speed, damage, rest] = figure.get<Figure>();
    const Entity attack = ecs().add_entity();
    ecs().add<Position>(attack, {at.x + REACH * facing.x, at.y + REACH * facing.y});
    ecs().add<CollisionShape>(
        attack, {.half_width = 12, .half_height = 6, .angle = std::atan2(facing.y, facing.x), .kinds = ATTACK});
    ecs().add<Lifetime>(attack, {HURTS_FOR});
    ecs().add<Attack>(attack, {figure.entity(), team, damage});
    ecs().add<Hits>(attack);
}

// Guards raise their sword slowly, so that the player can react.
float wind_up(Team team) { return team == Team::hero ? 0.08f : 0.34f; }

void face(ECS& ecs, Entity e, float x, float y) {
    const float length = std::hypot(x, y);
    if (length == 0) return;
    const auto& now = ecs.get<Facing>(e);
    if (now.x == x / length && now.y == y / length) return;
    ecs.modify<Facing>(e, [&](Facing& f) { f = {x / length, y / length}; });
}

}  // namespace crate_room
