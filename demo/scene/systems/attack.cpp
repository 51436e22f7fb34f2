#include "systems/attack.hpp"

#include <algorithm>
#include <cmath>

#include "geometry.hpp"
#include "level.hpp"
#include "sounds.hpp"
#include "systems/effects.hpp"
#include "systems/explosions.hpp"

namespace crate_room {
namespace {

constexpr float FUSE = 0.6f;  // seconds until powder goes off
constexpr float FUSE_IN_FIRE = 0.1f;
constexpr float THROWN = 110;  // pixels a second
constexpr float STAGGERS = 0.16f;
constexpr float SAFE_AFTER_HIT = 0.8f;  // seconds in which the player cannot be hurt again
constexpr float GUARD_SAFE = 0.2f;
constexpr float GUARD_LIES = 1.6f;

}  // namespace

void Attacks::update(double, crateful::Entities<Struck>& entities, crateful::DirtySet&) {
    for (const auto& [attack, target] : detection_.touches(CollisionSet::attack_vulnerable)) {
        if (!entities.contains(attack) || ecs().has<Blocked>(attack) || !ecs().has<CollisionShape>(target)) continue;
        Struck& struck = entities.get(attack);
        // Whatever came of it, they have met.
        if (std::find(struck.met.begin(), struck.met.end(), target) != struck.met.end()) continue;
        struck.met.push_back(target);
        if (ecs().has<Crate>(target)) hit_crate(target, struck.get<Attack>());
        else if (ecs().has<Figure>(target)) hit_figure(target, struck);
    }
}

void Attacks::hit_crate(crateful::Entity crate, const Attack& attack) {
    const auto& at = ecs().get<Position>(crate);
    const bool blast = attack.owner == crateful::NONE;
    if (ecs().get<Crate>(crate).powder) {
        if (ecs().has<Fuse>(crate)) return;
        // Who strikes it has time to get away; what a blast sets on fire goes off at once.
        const float burns = blast ? FUSE_IN_FIRE : FUSE;
        ecs().add<Fuse>(crate, {burns});
        shudder(ecs(), crate, burns);
        if (blast) return;
        ecs().events.dispatch(Effect{EffectKind::spark, at.x, at.y});
        ecs().events.dispatch(Noise{Sound::thud, at.x, at.y});
        return;
    }
    if (ecs().get<Health>(crate).now <= attack.damage) {
        explode(ecs(), hash_, crate);
        return;
    }
    ecs().modify<Health>(crate, [&](Health& h) { h.now = static_cast<std::uint8_t>(h.now - attack.damage); });
    shudder(ecs(), crate, 0.4f);
    ecs().events.dispatch(Noise{Sound::thud, at.x, at.y});
}

void Attacks::hit_figure(crateful::Entity figure, const Struck& struck) {
    const auto& attack = struck.get<Attack>();
    const bool hero = ecs().get<Figure>(figure).team == Team::hero;
    if (ecs().get<Figure>(figure).team == attack.team || ecs().has<DamagedFlash>(figure) || ecs().has<Dead>(figure))
        return;
    const Position at = ecs().get<Position>(figure);
    const Position from = ecs().alive(attack.owner) ? ecs().get<Position>(attack.owner) : struck.get<Position>();
    const float far = std::max(0.001f, distance(at, from));
    const std::uint8_t now = ecs().get<Health>(figure).now;
    // The hero stands more than those who have to be many.
    const std::uint8_t damage = hero ? 1 : attack.damage;
    const auto left = static_cast<std::uint8_t>(now - std::min(now, damage));
    ecs().modify<Health>(figure, [&](Health& h) { h.now = left; });
    ecs().events.dispatch(Effect{EffectKind::puff, at.x, at.y});
    ecs().events.dispatch(FigureHurt{ecs().get<Figure>(figure).team});
    if (left > 0) {
        ecs().add<DamagedFlash>(figure, {hero ? SAFE_AFTER_HIT : GUARD_SAFE});
        ecs().add<Staggered>(figure, {STAGGERS, THROWN * (at.x - from.x) / far, THROWN * (at.y - from.y) / far});
        ecs().events.dispatch(Noise{Sound::hurt, at.x, at.y});
        return;
    }
    ecs().add<Dead>(figure, {GUARD_LIES});
    ecs().remove<CollisionShape>(figure);
    ecs().events.dispatch(Noise{Sound::fall, at.x, at.y});
    if (hero) ecs().events.dispatch(PlayerDied{});
}

}  // namespace crate_room
