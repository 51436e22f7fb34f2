#pragma once
#include "frames.hpp"
#include "geometry.hpp"
#include "level.hpp"
#include "sounds.hpp"
#include "systems/collision_detection.hpp"

namespace crate_room {

/// Opens the door that a player comes to; the level does the rest.
class Doors final : public crateful::System<> {
public:
    explicit Doors(const CollisionDetection& detection) : detection_(detection) {
        require<Door, Position, Animation>();
    }
    [[nodiscard]] std::string name() const override { return "Doors"; }

    void update(double, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet&) override {
        for (const auto& [door, visitor] : detection_.touches(CollisionSet::sensor_mobile)) {
            if (!entities.contains(door) || !ecs().has<Player>(visitor) || ecs().get<Door>(door).open) continue;
            ecs().modify<Door>(door, [](Door& d) { d.open = true; });
            ecs().modify<Animation>(door,
                                    [](Animation& a) { a = frames::strip(frames::DOOR, frames::DOOR_STEPS, 12); });
            const auto& at = ecs().get<Position>(door);
            ecs().events.dispatch(Noise{Sound::door, at.x, at.y});
            ecs().events.dispatch(DoorEntered{});
        }
    }

    /// The nearest door, or NONE.
    [[nodiscard]] crateful::Entity nearest(const Position& from) {
        crateful::Entity found = crateful::NONE;
        float least = 0;
        for (const auto [e, door] : entities()) {
            const float d = distance(from, door.get<Position>());
            if (found == crateful::NONE || d < least) found = e, least = d;
        }
        return found;
    }

private:
    const CollisionDetection& detection_;
};

}  // namespace crate_room
