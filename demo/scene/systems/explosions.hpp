#pragma once
#include "systems/spatial_hash.hpp"

namespace crate_room {

/// Event: a crate was hit for the last time.
struct CrateSmashed {
    float x;
    float y;
};

/// Makes a crate shake for some time, unless it shakes longer already.
void shudder(crateful::ECS& ecs, crateful::Entity crate, float seconds);
/// Makes a crate go to pieces; its neighbours shudder.
void explode(crateful::ECS& ecs, const SpatialHash& hash, crateful::Entity crate);

/// Lets the flash of an explosion die away, and removes what has gone to pieces; now and then a heart is
/// left.
class Explosions final : public crateful::System<> {
public:
    Explosions() { require<Exploding, Light, Position>(); }
    [[nodiscard]] std::string name() const override { return "Explosions"; }
    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet& dirty) override;

private:
    void leave_heart(Position at);
};

}  // namespace crate_room
