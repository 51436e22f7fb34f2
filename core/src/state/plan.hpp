// A state that was read and checked (rules N4, N7, N8).
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "crateful/detail/state_steps.hpp"
#include "crateful/detail/value_array.hpp"
#include "crateful/state.hpp"
#include "systems.hpp"
#include "time_state.hpp"

namespace crateful::internal {

/// Values that only their class can read.
struct OpaquePlan {
    std::span<const std::uint32_t> lengths;  ///< in bytes
    const std::byte* bytes = nullptr;        ///< of all values, one behind the other
    std::vector<std::uint8_t> differs;       ///< by number of the component: 0 if the ECS has this value
    std::unique_ptr<ValueArray> decoded;     ///< of a native class: those that differ, by number, and one more
};

/// The components of one class.
struct ClassPlan {
    const ComponentType* type = nullptr;
    std::vector<FieldRun> runs;                     ///< of the class as it is now
    std::span<const Entity> entities;               ///< in the order of the storage
    bool same_entities = false;                     ///< they are those of the storage, in its order
    std::vector<Values> values;                     ///< by run, in the type of the field
    const std::byte* records = nullptr;             ///< all values, if they are as in the storage of a native class
    std::vector<std::vector<std::byte>> converted;  ///< the memory of those that had another type or are defaults
    OpaquePlan opaque;                              ///< in place of all these
};

/// Whether a storage contains these entities, in this order.
[[nodiscard]] bool has_entities(const Storage& s, std::span<const Entity> entities) noexcept;
/// Decodes the values of a native class with a codec, and sets `differs`: if it `compares`, only those that the ECS does not have.
void decode_values(Tracking& tracking, ClassPlan& plan, bool compares);

/// The state that an ECS gets. It refers to the bytes, or to the copy. What is exchanged stays in it.
struct Plan {
    TimeState time;
    std::span<const Entity> handles;    ///< by index
    std::vector<Entity> handle_memory;  ///< of these, unless they are in the bytes, in the copy, or those of the ECS
    bool same_handles = false;          ///< they, and those that are free, are those of the ECS
    std::uint32_t first_free = 0;
    std::span<const Entity> pending;  ///< marked for removal
    std::vector<ClassPlan> classes;
    std::vector<ComponentClass*> left_out;  ///< the classes of the ECS that are no part of the state
    std::span<const Entity> siblings;       ///< all entities with parents: those of one parent in their order
    std::vector<Entity> parents;            ///< of the entities of the class Parent, in the order of its storage

    EventsPlan events;
    SystemsPlan systems;

    [[nodiscard]] bool alive(Entity e) const noexcept {
        return index_of(e) < handles.size() && handles[index_of(e)] == e;
    }
    /// As StateSteps returns them.
    [[nodiscard]] std::vector<StateSteps::Class> steps();
};

/// What a plan is for: `merge` needs neither events nor systems, and compares nothing with the ECS.
enum class PlanFor : std::uint8_t { restore, merge };

/// Reads a snapshot. Throws `bad_data` or `bad_argument`. Its strings are those of the ECS; nothing may be collected until they are used. `bytes` must be aligned, and exist as long as the plan.
[[nodiscard]] Plan read_plan(const StateAccess& state, std::span<const std::byte> bytes, const RestoreOptions& options,
                             bool has_host, PlanFor use = PlanFor::restore);

}  // namespace crateful::internal
