#pragma once
#include "spatial_grid.hpp"
#include "tracking.hpp"

namespace crate_room {

/// Keeps the spatial grid up to date. It visits only entities whose Position changed, and writes to the grid only if
/// such an entity is in another cell now.
class SpatialHash final : public System<SpatialGrid::Entry>, public FollowsChanges {
public:
    SpatialHash(const Tracking& tracking, SpatialGrid& grid) : FollowsChanges(tracking), grid_(grid) {
        require<Position>();
        watch<Position>();
    }
    void update(double, Entities& entities, Dirty& dirty) override {
        each_changed(entities, dirty, [&](SpatialGrid::Entry& entry) { grid_.move(entry, entry.get<Position>()); });
    }
    void on_add(SpatialGrid::Entry& entry) override { grid_.insert(entry, entry.get<Position>()); }
    void on_remove(SpatialGrid::Entry& entry) override { grid_.remove(entry); }
    /// Does what `update` does, at once.
    void show() { update(0, entities(), dirty_set()); }

private:
    SpatialGrid& grid_;
};

}  // namespace crate_room
