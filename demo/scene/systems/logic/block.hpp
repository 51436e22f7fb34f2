#pragma once
#include <algorithm>

#include "geometry.hpp"
#include "sounds.hpp"
#include "systems/presentation/effects.hpp"

namespace crate_room {

/// Removes attacks that were blocked; the attacking figure staggers.
class Block final : public System<> {
public:
    static constexpr float STAGGERS = 0.55f;

    Block() { require<Attack, Blocked, Position>(); }

    void update(double, Entities& entities) override {
        for (const auto [e, attack] : entities) {
            const Entity attacker = attack.get<Attack>().owner;
            const Position at = attack.get<Position>();
            ecs().events.dispatch(Noise{Sound::clank, at.x, at.y});
            ecs().events.dispatch(Effect{EffectKind::spark, at.x, at.y});
            ecs().remove<CollisionShape>(e);
            ecs().remove<Blocked>(e);
            ecs().remove_entity(e);
            if (!ecs().alive(attacker) || ecs().has<Dead>(attacker)) continue;
            const auto& there = ecs().get<Position>(attacker);
            const float far = std::max(0.001f, distance(there, at));
            ecs().add<Staggered>(attacker, {STAGGERS, 30 * (there.x - at.x) / far, 30 * (there.y - at.y) / far});
        }
    }
};

}  // namespace crate_room
