#pragma once
#include "systems/actions/blasts.hpp"
#include "systems/logic/explosions.hpp"
#include "systems/logic/timed.hpp"

namespace crate_room {

/// Makes powder explode when its fuse has burnt down.
class Fuses final : public Timed<Fuse> {
public:
    explicit Fuses(const SpatialGrid& grid) : grid_(grid) {}

private:
    void ended(Entity e) override {
        const Position at = ecs().get<Position>(e);
        ecs().remove<Fuse>(e);
        explode(ecs(), grid_, e);
        ecs().events.dispatch(Blast{at.x, at.y});
    }
    const SpatialGrid& grid_;
};

}  // namespace crate_room
