#include "systems/logic/attacks.hpp"

#include <algorithm>
#include <cmath>

#include "geometry.hpp"
#include "level/level.hpp"
#include "sounds.hpp"
#include "systems/logic/explosions.hpp"
#include "systems/presentation/effects.hpp"

namespace crate_room {
namespace {

constexpr float FUSE = 0.6f;           // seconds from a blow to the explosion
constexpr float FUSE_IN_BLAST = 0.1f;  // the same after a blast
constexpr float PUSH = 110;            // pixels per second
constexpr float STAGGERS = 0.16f;      // seconds
constexpr float HERO_SAFE = 0.8f;      // seconds without further damage
constexpr float GUARD_SAFE = 0.2f;
constexpr float GUARD_LIES = 1.6f;  // seconds until a dead guard is removed

}  // namespace

void Attacks::update(double, Entities& entities) {
    for (const auto& [attack, target] : contacts_.touches(CollisionSet::attack_vulnerable)) {
        if (!entities.contains(attack) || ecs().has<Blocked>(attack) || !ecs().has<CollisionShape>(target)) continue;
        const Aspect& hit = entities.get(attack);
        // An attack is applied to a target only once, even if it had no effect then.
        const auto& touched = hit.get<Hits>().touched;
        if (std::find(touched.begin(), touched.end(), target) != touched.end()) continue;
        ecs().modify<Hits>(attack, [e = target](Hits& hits) { hits.touched.push_back(e); });
        if (ecs().has<Crate>(target)) hit_crate(target, hit.get<Attack>());
        else if (ecs().has<Figure>(target)) hit_figure(target, hit.get<Attack>(), hit.get<Position>());
    }
}

void Attacks::hit_crate(Entity crate, const Attack& attack) {
    const auto& at = ecs().get<Position>(crate);
    const bool blast = attack.owner == NONE;
    if (ecs().get<Crate>(crate).powder) {
        if (ecs().has<Fuse>(crate)) return;
        // After a blow the player has time to walk away; after a blast powder explodes almost at once.
        ecs().add<Fuse>(crate, {blast ? FUSE_IN_BLAST : FUSE});
        if (blast) return;
        ecs().events.dispatch(Effect{EffectKind::spark, at.x, at.y});
        ecs().events.dispatch(Noise{Sound::thud, at.x, at.y});
        return;
    }
    if (ecs().get<Health>(crate).now <= attack.damage) {
        explode(ecs(), grid_, crate);
        return;
    }
    ecs().modify<Health>(crate, [&](Health& h) { h.now = static_cast<std::uint8_t>(h.now - attack.damage); });
    shudder(ecs(), crate, 0.4f);
    ecs().events.dispatch(Noise{Sound::thud, at.x, at.y});
}

void Attacks::hit_figure(Entity figure, const Attack& attack, const Position& of_attack) {
    const bool hero = ecs().get<Figure>(figure).team == Team::hero;
    if (ecs().get<Figure>(figure).team == attack.team || ecs().has<DamagedFlash>(figure) || ecs().has<Dead>(figure))
        return;
    const Position at = ecs().get<Position>(figure);
    const Position from = ecs().alive(attack.owner) ? ecs().get<Position>(attack.owner) : of_attack;
    const float far = std::max(0.001f, distance(at, from));
    const std::uint8_t now = ecs().get<Health>(figure).now;
    // The hero loses one heart per hit. There are many guards, so they take the attack's full damage.
    const std::uint8_t damage = hero ? 1 : attack.damage;
    const auto left = static_cast<std::uint8_t>(now - std::min(now, damage));
    ecs().modify<Health>(figure, [&](Health& h) { h.now = left; });
    ecs().events.dispatch(Effect{EffectKind::puff, at.x, at.y});
    ecs().events.dispatch(FigureHurt{ecs().get<Figure>(figure).team});
    if (left > 0) {
        ecs().add<DamagedFlash>(figure, {hero ? HERO_SAFE : GUARD_SAFE});
        ecs().add<Staggered>(figure, {STAGGERS, PUSH * (at.x - from.x) / far, PUSH * (at.y - from.y) / far});
        ecs().events.dispatch(Noise{Sound::hurt, at.x, at.y});
        return;
    }
    ecs().add<Dead>(figure, {GUARD_LIES});
    ecs().remove<CollisionShape>(figure);
    ecs().events.dispatch(Noise{Sound::fall, at.x, at.y});
    if (hero) ecs().events.dispatch(PlayerDied{});
}

}  // namespace crate_room
