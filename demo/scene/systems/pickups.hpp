#pragma once
#include <algorithm>

#include "sounds.hpp"
#include "systems/collision_detection.hpp"

namespace crate_room {

/// Lets players take what they step on and have need of.
class Pickups final : public crateful::System<> {
public:
    explicit Pickups(const CollisionDetection& detection) : detection_(detection) { require<Pickup, Position>(); }
    [[nodiscard]] std::string name() const override { return "Pickups"; }

    void update(double, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet&) override {
        for (const auto& [pickup, taker] : detection_.touches(CollisionSet::sensor_mobile)) {
            if (!entities.contains(pickup) || !ecs().has<Player, Health>(taker)) continue;
            const auto [now, most] = ecs().get<Health>(taker);
            if (now == most || now == 0) continue;
            const int healed = std::min<int>(most, now + ecs().get<Pickup>(pickup).heals);
            ecs().modify<Health>(taker, [&](Health& h) { h.now = static_cast<std::uint8_t>(healed); });
            const auto& at = ecs().get<Position>(pickup);
            ecs().events.dispatch(Noise{Sound::heal, at.x, at.y});
            ecs().remove<Pickup>(pickup);
            ecs().remove_entity(pickup);
        }
    }

private:
    const CollisionDetection& detection_;
};

}  // namespace crate_room
