#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "crateful/detail/shared.hpp"

namespace crateful {

class ECS;

/// What a snapshot contains.
struct SnapshotOptions {
    /// The names of component classes that are left out.
    std::vector<std::string> without{};
};

/// What `restore` accepts.
struct RestoreOptions {
    /// The names of component classes in the snapshot that are left out; all others must exist in this program.
    std::vector<std::string> ignore{};
    /// Names of classes that have changed: those in the snapshot, and those now. Fields are named "Class.field".
    std::vector<std::pair<std::string, std::string>> rename{};
    /// Bounds for what the bytes may ask for, which are checked before memory is allocated (rule N8).
    struct Limits {
        std::size_t entities = 1'000'000;          ///< how many entities are alive
        std::size_t index = 4'000'000;             ///< above the highest index of an entity
        std::size_t bytes = std::size_t{1} << 30;  ///< of the snapshot
    };
    Limits limits{};  ///< see `Limits`
};

/// The state of the simulation (rule N1), in the format of docs/format.md: entities with their handles, components in the order of
/// their storages, the hierarchy, and the time. The bytes of equal states are equal. It does not change the ECS.
///
/// Components are stored by the names of their class and fields, so native classes must be described (`describe_component`), and
/// members that are not described are not part of it; those with a codec are saved by it. Throws `bad_argument` for a class that is neither
/// described nor named in `without`, and for two classes with components that have one name; `reentrant_update` inside an update or a callback.
/// O(entities + components).
[[nodiscard]] std::vector<std::byte> snapshot(const ECS& ecs, const SnapshotOptions& options = {});

/// Makes the ECS equal to a snapshot (rule N2). First `on_remove` is called for what systems stop to track, then the values are
/// exchanged, then `on_add` is called. What differs is dirty; entities that are equal keep their aspects, and are not dirty. Callbacks
/// must not change the ECS; what they throw is rethrown when the ECS has been restored.
///
/// Classes and fields are found by name (rule N4). A field that the snapshot does not contain gets its default value. Throws
/// `bad_data`, with the position, unless the bytes are a valid snapshot; `bad_argument` if a class or field is not known, or a value
/// does not fit into its field, or if an iteration over components that change is in progress; `reentrant_update` inside an update or
/// a callback; `out_of_memory`. Then the ECS is unchanged. O(entities + components).
void restore(ECS& ecs, std::span<const std::byte> bytes, const RestoreOptions& options = {});

}  // namespace crateful
