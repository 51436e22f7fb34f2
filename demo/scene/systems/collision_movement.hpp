#pragma once
#include "systems/collision_detection.hpp"

namespace crate_room {

/// Moves figures out of each other, and then out of what is solid.
class CollisionMovement final : public crateful::System<> {
public:
    CollisionMovement(const CollisionDetection& detection, const SpatialHash& hash);
    [[nodiscard]] std::string name() const override { return "CollisionMovement"; }
    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet& dirty) override;

private:
    void part(crateful::Entity a, crateful::Entity b);
    void push_out(crateful::Entity mover);

    const CollisionDetection& detection_;
    const SpatialHash& hash_;
    std::vector<crateful::Entity> movers_;
};

}  // namespace crate_room
