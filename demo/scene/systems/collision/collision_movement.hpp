#pragma once
#include "contacts.hpp"
#include "spatial_grid.hpp"

namespace crate_room {

/// Moves figures apart that overlap, and then out of solid shapes.
class CollisionMovement final : public System<> {
public:
    CollisionMovement(const Contacts& contacts, const SpatialGrid& grid);
    /// Moves entities back into the room that left it while the system was disabled.
    void on_enabled(Entities& entities) override;
    void update(double delta, Entities& entities) override;

private:
    void separate(Entity a, Entity b);
    void push_out(Entity mover);

    const Contacts& contacts_;
    const SpatialGrid& grid_;
    std::vector<Entity> movers_;
};

}  // namespace crate_room
