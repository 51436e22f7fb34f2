#pragma once
#include <cstddef>
#include <vector>

#include "crateful/ecs.hpp"

namespace crate_room {

/// The switch that the demo is about.
struct Tracking {
    bool on = true;       ///< off: whoever follows changes takes every entity for dirty
    bool listed = false;  ///< systems keep lists of what they looked at, for the heat view
};

/// What systems with work per entity share: they go through what changed or, with tracking off, through
/// everything. Nothing else depends on the switch, so that the room behaves the same.
class FollowsChanges {
public:
    explicit FollowsChanges(const Tracking& tracking) noexcept : tracking_(tracking) {}
    virtual ~FollowsChanges() = default;
    /// How many entities the last update went through.
    [[nodiscard]] std::size_t looked_at() const noexcept { return looked_at_; }
    /// Which ones, while `Tracking::listed`.
    [[nodiscard]] const std::vector<crateful::Entity>& list() const noexcept { return list_; }
    void forget_list() noexcept { list_.clear(); }

protected:
    template <class A, class Visit>
    void each_changed(crateful::Entities<A>& entities, crateful::DirtySet& dirty, Visit&& visit) {
        looked_at_ = 0;
        list_.clear();
        const auto look = [&](crateful::Entity e, A& aspect) {
            ++looked_at_;
            if (tracking_.listed) list_.push_back(e);
            visit(aspect);
        };
        if (tracking_.on) {
            for (const crateful::Entity e : dirty) look(e, entities.get(e));
        } else {
            for (auto [e, aspect] : entities) look(e, aspect);
        }
    }

private:
    const Tracking& tracking_;
    std::size_t looked_at_ = 0;
    std::vector<crateful::Entity> list_;
};

}  // namespace crate_room
