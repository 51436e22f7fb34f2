#pragma once
#include <cstddef>
#include <vector>

#include "components.hpp"

namespace crate_room {

/// The page's switch "Dirty tracking".
struct Tracking {
    bool on = true;             ///< if off, systems that derive from FollowsChanges visit all entities that they track
    bool record_times = false;  ///< remaining times signal when they run down, because a `Rewind` records what signals
    bool record_visited = false;  ///< systems record which entities they visited, for the heat view
};

/// Writes a time that runs down. It is written to the storage directly, without a signal, because no system watches it: some watch
/// that the component exists.
template <class C>
void write_time(ECS& ecs, const Tracking& tracking, Entity e, const C& value) {
    auto& all = ecs.storage<C>();
    all.at(all.slot(e)) = value;
    if (tracking.record_times) ecs.dirty<C>(e);
}

/// Base class of the systems that visit only changed entities. Another program would write the loop directly:
///
///     for (Entity e : dirty) …
///
/// The demo uses `each_changed` instead, so that its switch can compare this loop with a loop over all entities. The
/// switch changes nothing else: the game has the same state either way, which a test checks.
class FollowsChanges {
public:
    explicit FollowsChanges(const Tracking& tracking) noexcept : tracking_(tracking) {}
    virtual ~FollowsChanges() = default;
    /// How many entities the last update visited.
    [[nodiscard]] std::size_t visited() const noexcept { return visited_; }
    /// The entities that the last update visited, if `Tracking::record_visited` was set.
    [[nodiscard]] const std::vector<Entity>& visited_entities() const noexcept { return visited_entities_; }
    void clear_visited_entities() noexcept { visited_entities_.clear(); }

protected:
    /// Calls `visit(aspect)` for each dirty entity or, if tracking is off, for each tracked entity.
    template <class A, class Visit>
    void each_changed(crateful::Entities<A>& entities, crateful::DirtySet& dirty, Visit&& visit) {
        visited_ = 0;
        visited_entities_.clear();
        const auto count_and_visit = [&](Entity e, A& aspect) {
            ++visited_;
            if (tracking_.record_visited) visited_entities_.push_back(e);
            visit(aspect);
        };
        if (tracking_.on) {
            for (const Entity e : dirty) count_and_visit(e, entities.get(e));
        } else {
            for (auto [e, aspect] : entities) count_and_visit(e, aspect);
        }
    }

private:
    const Tracking& tracking_;
    std::size_t visited_ = 0;
    std::vector<Entity> visited_entities_;
};

}  // namespace crate_room
