#include "systems/attack.hpp"

#include <algorithm>
#include <cmath>

#include "frames.hpp"
#include "geometry.hpp"
#include "level.hpp"
#include "random.hpp"
#include "sounds.hpp"
#include "systems/effects.hpp"

namespace crate_room {
namespace {

constexpr float SHOCK = 22;              // so far away other crates feel one go to pieces
constexpr double FUSE = 0.107;           // seconds until powder goes off; no multiple of a frame's length
constexpr float THROWN = 110;            // pixels a second
constexpr float STAGGERS = 0.16f;
constexpr float SAFE_AFTER_HIT = 0.8f;   // seconds in which the player cannot be hurt again
constexpr float GUARD_SAFE = 0.2f;
constexpr float GUARD_LIES = 1.6f;

}  // namespace

void AttackSystem::update(double, crateful::Entities<Struck>& entities, crateful::DirtySet&) {
    for (const auto& [attack, target] : detection_.touches(CollisionSet::attack_vulnerable)) {
        if (!entities.contains(attack) || ecs().has<Blocked>(attack) || !ecs().has<CollisionShape>(target)) continue;
        Struck& struck = entities.get(attack);
        // Whatever came of it, they have met.
        if (std::find(struck.met.begin(), struck.met.end(), target) != struck.met.end()) continue;
        struck.met.push_back(target);
        if (ecs().has<Crate>(target)) hit_crate(target, struck.get<Attack>().damage);
        else if (ecs().has<Figure>(target)) hit_figure(target, struck);
    }
}

void AttackSystem::hit_crate(crateful::Entity crate, std::uint8_t damage) {
    if (ecs().get<Health>(crate).now <= damage) {
        explode(crate);
        return;
    }
    ecs().modify<Health>(crate, [&](Health& h) { h.now = static_cast<std::uint8_t>(h.now - damage); });
    shudder(crate, 0.4f);
    const auto& at = ecs().get<Position>(crate);
    ecs().events.dispatch(Noise{Sound::thud, at.x, at.y});
}

void AttackSystem::explode(crateful::Entity crate) {
    const Position at = ecs().get<Position>(crate);
    // What flies apart is in nobody's way.
    ecs().remove<CollisionShape>(crate);
    ecs().remove<Shuddering>(crate);
    ecs().add<Exploding>(crate, {frames::BURST_SECONDS});
    ecs().add<Light>(crate, {.radius = 60, .r = 150, .g = 96, .b = 44});
    const auto which = scramble(3, static_cast<std::uint32_t>(at.x), static_cast<std::uint32_t>(at.y));
    ecs().modify<Animation>(crate, [&](Animation& a) { a = frames::burst(which); });
    hash_.each_near(at.x - SHOCK, at.y - SHOCK, at.x + SHOCK, at.y + SHOCK, [&](crateful::Entity other) {
        if (ecs().has<Crate, CollisionShape>(other) && distance(at, ecs().get<Position>(other)) < SHOCK) shudder(other, 0.25f);
    });
    ecs().events.dispatch(CrateSmashed{crate, at.x, at.y});
    ecs().events.dispatch(Noise{Sound::smash, at.x, at.y});
    if (ecs().get<Crate>(crate).powder) ecs().events.dispatch(Blast{at.x, at.y}, FUSE);
}

void AttackSystem::shudder(crateful::Entity crate, float seconds) {
    if (const auto* already = ecs().try_get<Shuddering>(crate); already != nullptr && already->left >= seconds) return;
    ecs().add<Shuddering>(crate, {seconds});
    const std::uint8_t kind = ecs().get<Crate>(crate).kind;
    ecs().modify<Animation>(crate, [&](Animation& a) {
        const std::uint8_t shade = a.shade;
        a = frames::shudder(kind, static_cast<std::uint8_t>(a.take + 1));
        a.shade = shade;
    });
}

void AttackSystem::hit_figure(crateful::Entity figure, const Struck& struck) {
    const auto& attack = struck.get<Attack>();
    const bool hero = ecs().get<Figure>(figure).team == Team::hero;
    if (ecs().get<Figure>(figure).team == attack.team || ecs().has<DamagedFlash>(figure) || ecs().has<Dead>(figure)) return;
    const Position at = ecs().get<Position>(figure);
    const Position from = ecs().alive(attack.owner) ? ecs().get<Position>(attack.owner) : struck.get<Position>();
    const float far = std::max(0.001f, distance(at, from));
    const std::uint8_t now = ecs().get<Health>(figure).now;
    const auto left = static_cast<std::uint8_t>(now - std::min(now, attack.damage));
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
