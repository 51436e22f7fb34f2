#pragma once
#include "systems/actions/blasts.hpp"
#include "systems/logic/explosions.hpp"
#include "systems/logic/timed.hpp"

namespace crate_room {

/// Makes powder explode when its fuse has burnt down. Shortly before, it shakes.
class Fuses final : public Timed<Fuse> {
public:
    Fuses(const Tracking& tracking, const SpatialGrid& grid) : Timed(tracking), grid_(grid) {}
    void update(double delta, Entities& entities) override {
        Timed::update(delta, entities);
        for (const auto [e, powder] : entities) {
            const auto* fuse = powder.try_get<Fuse>();
            if (fuse != nullptr && fuse->left < SHAKES_FOR && !powder.has<Shuddering>()) shudder(ecs(), e, fuse->left);
        }
    }

private:
    void ended(Entity e) override {
        const Position at = ecs().get<Position>(e);
        ecs().remove<Fuse>(e);
        explode(ecs(), grid_, e);
        ecs().events.dispatch(Blast{at.x, at.y});
    }
    static constexpr float SHAKES_FOR = 0.6f;  // seconds
    const SpatialGrid& grid_;
};

}  // namespace crate_room
