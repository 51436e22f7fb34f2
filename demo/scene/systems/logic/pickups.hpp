#pragma once
#include <algorithm>

#include "contacts.hpp"
#include "sounds.hpp"

namespace crate_room {

/// Lets a damaged player take the hearts that it touches.
class Pickups final : public System<> {
public:
    explicit Pickups(const Contacts& contacts) : contacts_(contacts) { require<Pickup, Position>(); }

    void update(double, Entities& entities) override {
        for (const auto& [pickup, taker] : contacts_.touches(CollisionSet::sensor_mobile)) {
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
    const Contacts& contacts_;
};

}  // namespace crate_room
