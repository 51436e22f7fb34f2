#pragma once
#include "contacts.hpp"
#include "spatial_grid.hpp"
#include "tracking.hpp"

namespace crate_room {

/// Finds shapes that touch. Each shape that changed is compared with the shapes near it that it can touch; so crates at
/// rest cost nothing. It runs after SpatialHash, which processes the movements of this frame.
class CollisionDetection final : public System<>, public FollowsChanges {
public:
    /// A sensor detects discs at this distance, in pixels.
    static constexpr float SENSED = 6;

    CollisionDetection(const Tracking& tracking, const SpatialGrid& grid, Contacts& contacts);
    void update(double delta, Entities& entities, Dirty& dirty) override;
    void on_clear() override { contacts_.clear(); }
    // The entities that touch may be removed before it runs again.
    void on_disabled(Entities&) override { contacts_.clear(); }

private:
    void search_around(Entity e, const Position& at, const CollisionShape& shape);
    void compare(Entity e, const Position& at, const CollisionShape& shape, Entity other);
    void sort_and_deduplicate(std::vector<TouchingPair>& touches) const;

    const SpatialGrid& grid_;
    Contacts& contacts_;
};

}  // namespace crate_room
