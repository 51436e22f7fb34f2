#pragma once
#include <vector>

#include "components.hpp"
#include "spatial_hash.hpp"
#include "tracking.hpp"

namespace crate_room {

/// Pushes what moves out of what does not. Each solid thing that changed looks for neighbours it may
/// touch; crates at rest therefore cost nothing. Runs after the hash, which has to know of the moves.
class Collision final : public crateful::System<>, public FollowsChanges {
public:
    Collision(const Tracking& tracking, const SpatialHash& hash);
    [[nodiscard]] std::string name() const override { return "Collision"; }
    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet& dirty) override;

private:
    /// Movers that may touch something: collected first and resolved in one order afterwards, so that
    /// it makes no difference through whom they were found.
    void collect(const crateful::Aspect& changed);
    void push_out(crateful::Entity mover);

    const SpatialHash& hash_;
    std::vector<crateful::Entity> movers_;
};

}  // namespace crate_room
