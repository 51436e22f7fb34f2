// What snapshots read and write of an ECS.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "crateful/ecs.hpp"

namespace crateful::internal {

/// A field with one value, or a vector, in a storage and in a snapshot.
struct FieldRun {
    std::size_t first;   ///< the number of the field, or of the first element
    std::size_t length;  ///< the number of elements; 1 if it is no vector
    FieldType type;      ///< of each
    [[nodiscard]] std::size_t bytes() const noexcept { return length * size_of(type); }
};
/// The values of a field, one for each component.
struct Values {
    const std::byte* first = nullptr;
    std::size_t stride = 0;  ///< from one to the next, in bytes
    [[nodiscard]] const std::byte* at(std::size_t i) const noexcept { return first + i * stride; }
};
/// Copies `n` values of `size` bytes, `to_stride` bytes apart.
inline void copy_values(std::byte* to, std::size_t to_stride, Values from, std::size_t size, std::size_t n) noexcept {
    if (to_stride == size && from.stride == size) {
        if (n > 0) std::memcpy(to, from.first, size * n);
        return;
    }
    for (std::size_t i = 0; i < n; ++i) std::memcpy(to + i * to_stride, from.at(i), size);
}
/// Replaces the handle at an address.
template <class Map>
void map_handle(std::byte* at, Map&& map) {
    Entity e;
    std::memcpy(&e, at, sizeof e);
    e = map(e);
    std::memcpy(at, &e, sizeof e);
}
/// Whether its values are those of entities.
[[nodiscard]] inline bool refers(FieldType type) noexcept {
    return type == FieldType::entity || type == FieldType::link;
}
/// Whether the values of the class can be read, field by field.
[[nodiscard]] inline bool is_described(const ComponentType& type) noexcept {
    return type.kind != ComponentKind::object && (!type.fields.empty() || type.value_bytes == 0);
}
/// Whether the values in a storage can be copied, field by field.
[[nodiscard]] inline bool is_copyable(const Storage& s) noexcept { return is_described(s.type()) && !s.owns_memory(); }
/// Whether a native class consists of its described fields, without gaps, so that its values are records of the format.
[[nodiscard]] bool is_record(const ComponentType& type);
/// Whether only the class can read its values: an object class, or a native one with a codec.
[[nodiscard]] inline bool is_opaque(const ComponentType& type) noexcept {
    return type.kind == ComponentKind::object || type.codec != nullptr;
}
/// A value of a native class with a codec, behind the byte that says that it is bytes (docs/format.md).
[[nodiscard]] std::vector<std::byte> encoded_value(NativeStorage& s, std::uint32_t slot);
/// The same with other handles, if the codec maps them.
template <class F>
[[nodiscard]] std::vector<std::byte> encoded_value(NativeStorage& s, std::uint32_t slot, const F& find) {
    std::vector<std::byte> value = encoded_value(s, slot);
    const Codec& codec = *s.type().codec;
    if (codec.mapper == nullptr) return value;
    ValueArray copy(s.value_type());
    copy.grow(1);
    codec.decode(std::span<const std::byte>(value).subspan(1), copy.at(0));
    codec.map(copy.at(0), find);
    value = codec.encode(copy.at(0));
    value.insert(value.begin(), std::byte{0});
    return value;
}
/// The fields of a class, in their order.
[[nodiscard]] std::vector<FieldRun> field_runs(const ComponentType& type);

/// Sorts by bytes, except those that are the same in all keys, with a list of the same size as memory. Few keys that are not sorted already
/// take a microsecond.
void sort_keys(std::vector<std::uint64_t>& keys);

/// The state of slow motion.
struct SlowMotionState {
    struct Request {
        double factor;
        double remaining;  ///< seconds
    };
    double frames;
    std::vector<Request> requests;
};

class StateAccess {
public:
    explicit StateAccess(ECS& of) noexcept : ecs(of) {}

    ECS& ecs;
    [[nodiscard]] Structure& structure() const noexcept { return ecs.structure_; }
    [[nodiscard]] Tracking& tracking() const noexcept { return ecs.structure_.tracking; }
    [[nodiscard]] Clock::Times& times() const noexcept { return ecs.clock_.times_; }
    [[nodiscard]] std::span<const Entity> pending_removals() const noexcept {
        return std::span(structure().pending_removals_).subspan(structure().next_removal_);
    }
    /// How often everything was removed, which discards pending removals.
    [[nodiscard]] std::uint32_t clears() const noexcept { return structure().clears_; }
    /// Whether an update that would begin now belongs to the present frame (rule N7).
    [[nodiscard]] bool frame_stays() const noexcept { return ecs.frame_stays(); }
    /// Adds and removes a listener of updates.
    void add_listener(FrameListener& listener) const noexcept {
        listener.next = std::exchange(ecs.listeners_, &listener);
    }
    void remove_listener(const FrameListener& listener) const noexcept {
        FrameListener** at = &ecs.listeners_;
        while (*at != &listener) at = &(*at)->next;
        *at = listener.next;
    }
    [[nodiscard]] FrameListener* first_listener() const noexcept { return ecs.listeners_; }
    [[nodiscard]] SlowMotionState slow_motion() const;
    /// Guarantees that `set_slow_motion` does not fail.
    void reserve_slow_motion(const SlowMotionState& state) const;
    void set_slow_motion(const SlowMotionState& state) const;
    /// Whether the address is in a component, which can move (rule X3).
    [[nodiscard]] bool contains(const void* address) const noexcept;
    /// Throws `reentrant_update` inside an update or a callback.
    void require_idle(const char* call) const;

    /// The systems that watch a class from ancestors.
    [[nodiscard]] const SystemList& inheriting() const noexcept { return tracking().inheriting_; }
    [[nodiscard]] bool may_track(const ListedSystem& system, Entity e) const noexcept {
        return tracking().may_track(system, e);
    }

    /// The reverses of all link fields.
    [[nodiscard]] std::span<const std::unique_ptr<LinkIndex>> link_indices() const noexcept {
        return tracking().links_;
    }

    /// Whether systems with callbacks neither start nor stop to track entities when components are added and removed, which is only noted.
    /// What was noted is looked for in the next update, unless `track_postponed` did it.
    void postpone_tracking(bool on) const noexcept {
        tracking().abandon_postponed();
        tracking().postpones_ = on;
    }
    void postpone(SystemBase& system, Entity e, FirstError& error) const { tracking().postpone(system, e, error); }
    void track_postponed(FirstError& error) const;

    // --- events ---

    using Queue = std::multimap<double, EventsManager::Queued>;
    using Inboxes = std::map<EventType, std::unique_ptr<EventInbox>>;
    /// Those that were dispatched with a delay; nullptr if there were never events.
    [[nodiscard]] Queue* queue() const noexcept { return ecs.events.store_ ? &ecs.events.store_->queue : nullptr; }
    /// The inboxes outside of systems.
    [[nodiscard]] Inboxes* inboxes() const noexcept {
        return ecs.events.store_ ? &ecs.events.store_->inboxes : nullptr;
    }
    /// Guarantees that `queue` and `inboxes` are not nullptr.
    void make_event_store() const { static_cast<void>(ecs.events.store()); }
    [[nodiscard]] static EventsManager::Queued queued(EventType type, std::shared_ptr<const void> event) noexcept {
        return {type, std::move(event)};
    }
    /// The first listener of events.
    [[nodiscard]] EventListener*& event_listeners() const { return ecs.events.store().listeners; }
    /// How many handlers there are, by class.
    [[nodiscard]] std::map<EventType, std::size_t> handlers() const;
    /// The time to which delays are added.
    void set_now(double game_time) const noexcept { ecs.events.now_ = game_time; }

    // --- systems ---

    [[nodiscard]] static double& elapsed(SystemBase& system) noexcept { return system.elapsed_; }
    [[nodiscard]] static bool& enabled(SystemBase& system) noexcept { return system.enabled_; }
    /// Those that are a part of the state, in running order: all except observers (rule S18).
    [[nodiscard]] std::vector<SystemBase*> recorded_systems() const {
        std::vector<SystemBase*> systems = ecs.systems();
        std::erase_if(systems, [](const SystemBase* system) { return system->is_observer(); });
        return systems;
    }
    [[nodiscard]] static bool only_when_dirty(const SystemBase& system) noexcept { return system.only_when_dirty_; }
    [[nodiscard]] static bool has_condition(const SystemBase& system) noexcept { return system.has_condition_; }
    [[nodiscard]] static bool requires_none(const SystemBase& system) noexcept { return system.requires_none_; }
    /// Those with `on_remove`, in running order.
    [[nodiscard]] std::vector<SystemBase*> systems_with_on_remove() const;
    /// The name of its clock in the profiler.
    [[nodiscard]] static const std::string& clock_name(const SystemBase& system) noexcept { return system.clock_name_; }
    /// How many events are in its inboxes.
    [[nodiscard]] static std::size_t& waiting_events(SystemBase& system) noexcept { return system.waiting_events_; }
    [[nodiscard]] static std::span<const Receptions::Inbox> inboxes(const SystemBase& system) noexcept {
        if (!system.receptions_) return {};
        return system.receptions_->inboxes;
    }

    // --- what systems track ---

    [[nodiscard]] static bool selects(const SystemBase& system, const std::uint32_t* bits) noexcept {
        return Tracking::selects(system, bits);
    }
    void start(SystemBase& system, Entity e, FirstError& error) const { tracking().start(system, e, error); }
    void stop(SystemBase& system, Entity e, FirstError& error) const { tracking().stop(system, e, error); }
    void mark_watching(const ComponentClass& cls, Entity e) const { tracking().mark_watching(cls, e); }
    void erase(Storage& s, Entity e) const { structure().erase(s, e); }
    [[nodiscard]] std::vector<Entity>& pending() const noexcept { return structure().pending_removals_; }
    void reset_removal() const noexcept { structure().next_removal_ = structure().next_parent_ = 0; }
};

}  // namespace crateful::internal
