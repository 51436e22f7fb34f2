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
    for (auto [e, arm] : entities) {
        arm.rest = std::max(0.0f, arm.rest - seconds);
        if (arm.has<Swinging>()) {
            advance(arm, seconds);
        } else if (arm.get<Intent>().swing && arm.rest == 0 && !arm.has<Staggered>() && !arm.has<Defending>() &&
                   !arm.has<Dead>()) {
            begin(arm);
        }
    }
}

void Swing::on_disabled(Entities& entities) {
    for (auto [e, arm] : entities) ecs().remove<Swinging>(e);
}

void Swing::begin(const Arm& arm) {
    const auto& intent = arm.get<Intent>();
    face(ecs(), arm.entity(), intent.aim_x, intent.aim_y);
    ecs().add<Swinging>(arm.entity());
    const auto& at = arm.get<Position>();
    ecs().events.dispatch(Noise{Sound::swing, at.x, at.y});
}

void Swing::advance(Arm& arm, float seconds) {
    const Swinging now = arm.get<Swinging>();
    const float age = now.age + seconds;
    const float raised = wind_up(arm.get<Figure>().team);
    if (age >= raised + FOLLOW_THROUGH || arm.has<Staggered>() || arm.has<Dead>()) {
        arm.rest = REST;
        ecs().remove<Swinging>(arm.entity());
        return;
    }
    const bool strikes = !now.struck && age >= raised;
    // Written to the storage directly, without a signal: other systems watch whether a figure swings, not the age.
    auto& all = ecs().storage<Swinging>();
    all.at(all.slot(arm.entity())) = {age, now.struck || strikes};
    if (strikes) strike(arm);
}

void Swing::strike(const Arm& arm) {
    const auto& at = arm.get<Position>();
    const auto& facing = arm.get<Facing>();
    const auto& figure = arm.get<Figure>();
    const Entity attack = ecs().add_entity();
    ecs().add<Position>(attack, {at.x + REACH * facing.x, at.y + REACH * facing.y});
    ecs().add<CollisionShape>(
        attack, {.half_width = 12, .half_height = 6, .angle = std::atan2(facing.y, facing.x), .kinds = ATTACK});
    ecs().add<Lifetime>(attack, {HURTS_FOR});
    ecs().add<Attack>(attack, {arm.entity(), figure.team, figure.damage});
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
