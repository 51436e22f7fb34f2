#pragma once
#include "systems/collision_detection.hpp"
#include "view.hpp"

namespace crate_room {

/// Moves figures out of each other, and then out of what is solid.
class CollisionMovement final : public crateful::System<> {
public:
    CollisionMovement(const CollisionDetection& detection, const SpatialHash& hash, const Extent& extent);
    [[nodiscard]] std::string name() const override { return "CollisionMovement"; }
    /// Whoever walked through a wall meanwhile comes back.
    void on_enabled(crateful::Entities<crateful::Aspect>& entities) override;
    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet& dirty) override;

private:
    void part(crateful::Entity a, crateful::Entity b);
    void push_out(crateful::Entity mover);

    const CollisionDetection& detection_;
    const SpatialHash& hash_;
    const Extent& extent_;
    std::vector<crateful::Entity> movers_;
};

}  // namespace crate_room
