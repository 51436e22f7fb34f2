// What systems stop and start to track while a replica changes an ECS (rule N6).
#pragma once
#include <cstdint>
#include <vector>

#include "state_access.hpp"

namespace crateful::internal {

/// Before anything changes, `on_remove` is called for what systems do not select afterwards; when everything has changed, `on_add`.
class TrackingChange {
public:
    explicit TrackingChange(ECS& of);
    /// Unless `finish` was called, what systems should track is looked for in the next update.
    ~TrackingChange() { state_.postpone_tracking(false); }
    TrackingChange(const TrackingChange&) = delete;
    TrackingChange& operator=(const TrackingChange&) = delete;

    /// Whether there is a system with `on_remove`; otherwise nothing has to be noted.
    [[nodiscard]] bool calls_on_remove() const noexcept { return !systems_.empty(); }
    /// Afterwards the entity, which is alive, has a component of this class or none; what is noted last holds.
    void note(Entity e, ComponentId id, bool present) {
        if (e != NONE) noted_.push_back({e, id, present});
    }
    void note_end(Entity e) { note(e, EVERY_COMPONENT, false); }

    /// When all is noted: allocates what `begin` needs.
    void prepare();
    /// Calls `on_remove`; callbacks must not change the ECS. From then on, systems with callbacks neither start nor stop to track entities
    /// that exist.
    void begin(FirstError& error);
    /// They track what they select now: entity by entity in the order of their indices, each by the systems in running order. Callbacks may
    /// change anything.
    void finish(FirstError& error) { state_.track_postponed(error); }

private:
    static constexpr ComponentId EVERY_COMPONENT = ~ComponentId{0};
    struct Noted {
        Entity entity;
        ComponentId id;  // or EVERY_COMPONENT
        bool is_present;
    };

    StateAccess state_;
    std::vector<SystemBase*> systems_;  // in running order
    std::vector<Noted> noted_;
    std::vector<std::uint64_t> order_;  // of what is noted: by the index of the entity, then as it was noted
    std::vector<std::uint32_t> bits_;   // memory for a signature
};

}  // namespace crateful::internal
