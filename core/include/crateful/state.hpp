#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "crateful/detail/shared.hpp"
#include "crateful/entity.hpp"

namespace crateful {

class ECS;

/// What a snapshot contains.
struct SnapshotOptions {
    /// The names of component classes and of classes of events that are left out.
    std::vector<std::string> without{};
    /// Whether the state of the systems is a part of it: whether each is enabled, the order of its entities, its dirty set, the time of
    /// its interval, and its inboxes. With it, what is replayed after restoring is exact (rule N3).
    bool systems = false;
    /// Whether entities are numbered anew from 1, in the order of their indices, with generation 0, for saves: then the size follows the
    /// entities that are alive. Handles in fields, links and the hierarchy are replaced, and NONE if the entity is not alive; those in values
    /// with a codec by its function `MapEntities`, if it has one. Handles from before may be issued again.
    bool compact = false;
};

/// What `restore` accepts.
struct RestoreOptions {
    /// The names of component classes, classes of events and systems in the snapshot that are left out; all others must exist in this
    /// program.
    std::vector<std::string> ignore{};
    /// Whether those that do not exist are left out as well; a value whose enum has no such name is the default of its field.
    bool ignore_unknown = false;
    /// Names of classes, events and systems that have changed: those in the snapshot, and those now. Fields are named "Class.field".
    std::vector<std::pair<std::string, std::string>> rename{};
    /// Bounds for what the bytes may ask for, which are checked before memory is allocated (rule N8).
    struct Limits {
        std::size_t entities = 1'000'000;  ///< how many entities are alive
        std::size_t index = 4'000'000;     ///< above the highest index of an entity
        /// Of the snapshot, and of the memory that it asks for: the tables of entities, and components, which under `Policy::linear` are
        /// as many as the highest index of their entities.
        std::size_t bytes = std::size_t{1} << 30;
    };
    Limits limits{};  ///< see `Limits`
};

/// The state of the simulation (rule N1), in the format of docs/format.md: entities with their handles, components in the order of
/// their storages, the hierarchy, and the time. The bytes of equal states are equal. It does not change the ECS.
///
/// Components are stored by the names of their class and fields, so native classes must be described (`describe_component`), and
/// members that are not described are not part of it; those with a codec are saved by it. Events that wait, delayed or in inboxes, are
/// stored by the `type_name` of their class (`EventsManager`); with `compact`, the class needs `static void map_entities(E&, const
/// EntityMap&)`. Throws `bad_argument` for a class that is neither described nor named in
/// `without`, for an event whose class has no `type_name`, for two classes with one name, for a value that `restore` would refuse (a bool
/// that is not 0 or 1, a number of an enum that has no name), and, with `systems`, unless each system has a name of its own;
/// `reentrant_update` inside an update or a callback. O(entities + components).
[[nodiscard]] std::vector<std::byte> snapshot(const ECS& ecs, const SnapshotOptions& options = {});

/// Makes the ECS equal to a snapshot (rule N2). First `on_remove` is called for what systems stop to track, then the values are
/// exchanged, then `on_add` is called. What differs is dirty; entities that are equal keep their aspects, and are not dirty. Callbacks
/// must not change the ECS; what they throw is rethrown when the ECS has been restored. If the snapshot contains the state of systems, each
/// gets it, and its dirty set is that of the snapshot and what differs, unless it is `exact`; `on_enabled` and `on_disabled` are not
/// called. What `decode` of an event throws is thrown before anything has changed.
///
/// Classes and fields are found by name (rule N4). A field that the snapshot does not contain gets its default value. Throws
/// `bad_data`, with the position, unless the bytes are a valid snapshot; `bad_argument` if a class or field is not known, or a value
/// does not fit into its field, or if an iteration over components that change is in progress; `reentrant_update` inside an update or
/// a callback; `out_of_memory`. Then the ECS is unchanged. O(entities + components).
void restore(ECS& ecs, std::span<const std::byte> bytes, const RestoreOptions& options = {});

/// Adds the entities of a snapshot to the ECS, with new handles (rule N9). Returns the new handle of each by the one in the snapshot.
/// Components, parents, the order of siblings and marks for removal are those of the snapshot; children of its world become children of
/// the world. Handles are replaced as in compact snapshots. Time, events, inboxes, systems and components of the world are left out.
/// When everything is there, systems start to track the entities, in the order of their indices; `on_add` may change anything, and what
/// it throws is rethrown at the end.
///
/// Classes and fields are found as by `restore`, with the same errors; then the ECS is unchanged, unless memory was exhausted when everything
/// had been added: then the next update finds what systems did not start to track. O(entities + components) of the snapshot.
std::unordered_map<Entity, Entity> merge(ECS& ecs, std::span<const std::byte> bytes,
                                         const RestoreOptions& options = {});

}  // namespace crateful
