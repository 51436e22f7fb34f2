// What changes in one storage when an ECS is made equal to another state.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "plan.hpp"

namespace crateful::internal {

/// What changes in one storage.
struct StorageChange {
    ComponentClass* cls;
    const ClassPlan* plan;               ///< nullptr: nothing remains
    std::vector<Entity> erased;          ///< which have the component now, but not afterwards
    std::vector<Entity> added;           ///< the reverse
    std::vector<std::uint32_t> written;  ///< numbers of components in the plan that are added or differ
    std::vector<std::uint32_t> order;    ///< memory for `reorder`
    bool all = false;                    ///< in place of `written`: all of them
    bool reordered = false;
    bool kept = false;   ///< the class is no part of the state: only components of entities that vanish are removed
    bool moves = false;  ///< whether components move
    std::unique_ptr<ValueArray> removed{};  ///< values that own memory, which are destroyed last (rule T5)
    std::optional<EntityList> list{};       ///< of `added`, from `reserve` on

    /// Throws `bad_argument` if components move during an iteration, or if values would have to be exchanged that own memory and have no
    /// codec. `call` is for messages.
    void require_possible(const char* call);
    /// Allocates what `remove` and `exchange` need.
    void reserve();
    /// Ends iterations that may be abandoned, if components move, and takes out the values of `erased` that own memory.
    void begin();
    /// When the components of `erased` were removed, and their entities: adds the others. There is room for all.
    void add();
    /// Then sorts all, if they are `reordered`, and writes their values.
    void exchange();
    [[nodiscard]] Storage& storage() const noexcept { return *cls->storage; }
};

/// Whether the components in `n` slots from `slot` on have the values of those from number `first` of the plan on, if that can be compared at
/// once.
[[nodiscard]] bool equal_values(const ClassPlan& plan, const Storage& s, std::size_t first, std::uint32_t slot,
                                std::size_t n);
/// Whether the component in a slot has the values of component number `i` of the plan.
[[nodiscard]] bool equal_value(const ClassPlan& plan, const Storage& s, std::uint32_t slot, std::uint32_t i);

}  // namespace crateful::internal
