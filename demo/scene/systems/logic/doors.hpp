#pragma once
#include "contacts.hpp"
#include "draw/frames.hpp"
#include "group.hpp"
#include "level/level.hpp"
#include "sounds.hpp"

namespace crate_room {

/// Opens a door that a player touches, and dispatches DoorEntered. Also keeps the group of doors.
class Doors final : public System<> {
public:
    Doors(const Contacts& contacts, Group& doors) : contacts_(contacts), doors_(doors) {
        require<Door, Position, Animation>();
    }
    void on_add(Aspect& door) override { doors_.add(door); }
    void on_remove(Aspect& door) override { doors_.remove(door); }

    void update(double, Entities& entities) override {
        for (const auto& [door, visitor] : contacts_.touches(CollisionSet::sensor_mobile)) {
            if (!entities.contains(door) || !ecs().has<Player>(visitor) || ecs().get<Door>(door).open) continue;
            ecs().modify<Door>(door, [](Door& d) { d.open = true; });
            ecs().modify<Animation>(door,
                                    [](Animation& a) { a = frames::strip(frames::DOOR, frames::DOOR_STEPS, 12); });
            const auto& at = ecs().get<Position>(door);
            ecs().events.dispatch(Noise{Sound::door, at.x, at.y});
            ecs().events.dispatch(DoorEntered{});
        }
    }

private:
    const Contacts& contacts_;
    Group& doors_;
};

}  // namespace crate_room
