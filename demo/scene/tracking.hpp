#pragma once
#include <cstddef>

#include "crateful/ecs.hpp"

namespace crate_room {

/// The switch that the demo is about.
struct Tracking {
    bool on = true;  ///< off: every system takes every entity for dirty
};

/// What systems with work per entity share: they go through what changed or, with tracking off, through
/// everything. Nothing else depends on the switch, so that the room behaves the same.
class FollowsChanges {
public:
    explicit FollowsChanges(const Tracking& tracking) noexcept : tracking_(tracking) {}
    virtual ~FollowsChanges() = default;
    /// How many entities the last update went through.
    [[nodiscard]] std::size_t looked_at() const noexcept { return looked_at_; }

protected:
    template <class A, class Visit>
    void each_changed(crateful::Entities<A>& entities, crateful::DirtySet& dirty, Visit&& visit) {
        looked_at_ = 0;
        if (tracking_.on) {
            for (const crateful::Entity e : dirty) ++looked_at_, visit(entities.get(e));
        } else {
            for (auto [e, aspect] : entities) ++looked_at_, visit(aspect);
        }
    }

private:
    const Tracking& tracking_;
    std::size_t looked_at_ = 0;
};

}  // namespace crate_room
