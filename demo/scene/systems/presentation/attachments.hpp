#pragma once
#include "components.hpp"
#include "tracking.hpp"

namespace crate_room {

/// Places what figures hold. An entity moves if its Local changed, or if an ancestor moved (rule D13); so it visits nothing
/// while figures stand still. Parents come before their children, which need the parent's new Position and Angle.
class Attachments final : public System<>, public FollowsChanges {
public:
    explicit Attachments(const Tracking& tracking);
    void update(double delta, Entities& entities, Dirty& dirty) override;

private:
    void place(const Aspect& held);
};

}  // namespace crate_room
