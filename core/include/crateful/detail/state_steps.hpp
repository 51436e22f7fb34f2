// Snapshots of an ECS whose components are partly objects of another language (rules N1, N2): for language bindings.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "crateful/component.hpp"
#include "crateful/detail/host_events.hpp"
#include "crateful/detail/operation.hpp"
#include "crateful/entity.hpp"
#include "crateful/state.hpp"

namespace crateful::internal {

/// The encoded values of all components of one object class, in the order of its storage.
struct EncodedValues {
    ComponentId id = 0;
    std::span<const std::uint32_t> lengths;  ///< in bytes
    const std::byte* bytes = nullptr;        ///< of all values, one behind the other
};

/// Throws `reentrant_update` inside an update or a callback.
void require_idle(const ECS& ecs, const char* call);
/// While it exists, callbacks and functions that encode and decode values cannot change the ECS.
class StateLock {
public:
    explicit StateLock(ECS& ecs);
    ~StateLock() { operations_.lock(false); }
    StateLock(const StateLock&) = delete;
    StateLock& operator=(const StateLock&) = delete;

private:
    Operations& operations_;
    const Operation operation_;  // ends after the lock
};

/// The handles of the entities in a compact snapshot.
[[nodiscard]] EntityMap compact_handles(const ECS& ecs);
/// As the public function, with values of object classes; does not ask whether the ECS is idle.
[[nodiscard]] std::vector<std::byte> write_snapshot(const ECS& ecs, const SnapshotOptions& options,
                                                    std::span<const EncodedValues> values, const HostEvents& host = {});

/// An exchange of the whole state in steps. The ECS must not be changed between them; none may be left out.
class StateSteps {
public:
    /// A class of which components are exchanged.
    struct Class {
        ComponentId id;
        std::span<const Entity> entities;
        // Of an object class:
        std::span<const std::uint32_t> lengths;  ///< of the values, in bytes
        const std::byte* bytes;                  ///< of all values, one behind the other
        std::span<std::uint8_t> differs;         ///< to be set to 0 for each value that the ECS has
    };

    StateSteps() = default;
    virtual ~StateSteps() = default;
    StateSteps(const StateSteps&) = delete;
    StateSteps& operator=(const StateSteps&) = delete;
    /// The events of a host.
    [[nodiscard]] virtual HostEvents& host_events() noexcept = 0;
    [[nodiscard]] virtual std::vector<Class> classes() = 0;
    /// Compares, and allocates what `exchange` needs. The last step that can fail.
    virtual void prepare() = 0;
    /// Calls `on_remove`, and exchanges all values except those of object classes.
    virtual void exchange() = 0;
    /// Calls `on_add`, and rethrows what callbacks threw.
    virtual void finish() = 0;
};

/// `restore` in steps: reads and checks everything; `bytes` must be aligned, and exist as long as the steps.
[[nodiscard]] std::unique_ptr<StateSteps> restore_steps(ECS& ecs, std::span<const std::byte> bytes,
                                                        const RestoreOptions& options, bool host = false);

/// `merge` in steps. When `finish` is called, the ECS must not be locked.
struct Merging {
    std::unique_ptr<StateSteps>
        steps;  ///< in its classes, components of the world have the entity NONE, and are left out
    std::vector<std::pair<Entity, Entity>> handles;  ///< of each entity in the bytes: there, and the one that it gets
};
/// Reads and checks everything, as `restore_steps`.
[[nodiscard]] Merging merge_steps(ECS& ecs, std::span<const std::byte> bytes, const RestoreOptions& options,
                                  bool host = false);

}  // namespace crateful::internal
