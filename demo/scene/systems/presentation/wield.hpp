#pragma once
#include "components.hpp"
#include "tracking.hpp"

namespace crate_room {

/// Moves weapons in the hands of their figures. A weapon is dirty if the animation of its figure changes (rule D13), and it
/// stays dirty while that animation is running (rule D12).
class Wield final : public System<>, public FollowsChanges {
public:
    explicit Wield(const Tracking& tracking);
    void update(double delta, Entities& entities, Dirty& dirty) override;
};

}  // namespace crate_room
