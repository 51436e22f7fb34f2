// The state of systems in snapshots (rule N1, option `systems`).
#pragma once
#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "events.hpp"

namespace crateful::internal {

/// Part 8 of the format. Throws `bad_argument` unless each system has a name of its own.
void write_systems(Writer& to, const StateAccess& state, EventWriter& classes, const HostEvents& host,
                   const EntityMap& map);
/// An array of entities, with other handles if there is a map.
void write_mapped(Writer& to, std::span<const Entity> entities, const EntityMap& map);

/// The events in the inboxes of one system.
void write_inboxes(Writer& to, const SystemBase& system, EventWriter& classes, const HostEvents& host);

/// What `restore` sets in one system. Its events stay in it until it is destroyed, as in `EventsPlan`.
struct SystemPlan {
    SystemBase* system;
    bool enabled;
    double elapsed;                                    ///< of its interval
    std::span<const Entity> tracked;                   ///< in their order
    std::vector<Entity> dirty;                         ///< in their order
    bool keeps_causes;                                 ///< why they are dirty (rule D15)
    std::vector<std::uint32_t> causes;                 ///< of `dirty`, if they are kept
    std::vector<std::unique_ptr<EventInbox>> inboxes;  ///< of each inbox of the system; nullptr: it stays as it is
    bool keeps_order = false;                          ///< of the dirty set: whether removals do
    std::vector<std::uint32_t> causes_by_index{};      ///< memory for those of the system
    bool only_inboxes = false;                         ///< everything else of the system stays as it is
};
struct SystemsPlan {
    std::vector<SystemPlan> systems;
    std::vector<HostEvents::Inbox> host;  ///< what is in inboxes of the host's systems
};

/// Reads what `write_inboxes` has written.
void read_inboxes(const EventReader& classes, SystemPlan& plan, std::vector<HostEvents::Inbox>& host);
/// Reads part 8 of the format, in which entities are alive if `is_alive` says so.
[[nodiscard]] SystemsPlan read_systems(const StateAccess& state, const EventReader& classes,
                                       const RestoreOptions& options, std::span<const Entity> handles);

/// Before the order of the entities that a system tracks, or of its dirty set, is exchanged. Throws `bad_argument` if an iteration
/// over one of them is in progress.
void require_no_iteration(SystemBase& system, const char* call);

/// Exchanges the state of one system, in three steps.
class SystemChange {
public:
    explicit SystemChange(SystemPlan& plan) noexcept : plan_(plan) {}
    /// Before anything changes: `tracks(e)` says whether the system will track the entity. What is dirty now stays so, unless the system
    /// is exact. Of the entities that differ, `more` can become dirty in addition. Throws `bad_argument` if an iteration over its entities is in progress.
    template <class Tracks>
    void prepare(Tracks&& tracks, std::size_t indices, std::size_t more, const char* call) {
        std::size_t n = 0;
        for (std::size_t k = 0; k < plan_.dirty.size(); ++k) {
            if (!plan_.system->watches_any() || !tracks(plan_.dirty[k])) continue;
            plan_.dirty[n] = plan_.dirty[k];
            if (plan_.keeps_causes) plan_.causes[n] = plan_.causes[k];
            ++n;
        }
        plan_.dirty.resize(n);
        plan_.causes.resize(plan_.keeps_causes ? n : 0);
        if (!plan_.system->is_exact() && !plan_.only_inboxes) keep_dirty(tracks);
        reserve(indices, more, call);
    }
    /// When it tracks nothing more that vanishes, and before what differs signals.
    void exchange() noexcept;
    /// When it tracks all that it will.
    void finish() noexcept;

private:
    // What the system has not processed yet: it may differ from what it knows, also if it does not differ from the state now.
    template <class Tracks>
    void keep_dirty(Tracks&& tracks) {
        DirtySet& now = plan_.system->dirty_set();
        std::vector<Entity> listed(plan_.dirty);
        std::sort(listed.begin(), listed.end());
        for (const Entity e : now.set().entities()) {
            if (!tracks(e) || std::binary_search(listed.begin(), listed.end(), e)) continue;
            plan_.dirty.push_back(e);
            if (plan_.keeps_causes)
                plan_.causes.push_back(now.causes().kept() ? now.causes().data()[index_of(e)] : DirtyCauses::ALL);
        }
    }
    void reserve(std::size_t indices, std::size_t more, const char* call);
    void set_dirty() noexcept;
    SystemPlan& plan_;
};

}  // namespace crateful::internal
