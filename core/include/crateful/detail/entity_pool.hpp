#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crateful/entity.hpp"

namespace crateful {

/// Issues and withdraws the entity handles of one ECS. Every call is O(1); only growth allocates.
class EntityPool {
public:
    /// How many entities can exist at once. The highest index is never used, so that no handle equals NONE.
    static constexpr std::uint32_t MAX_ENTITIES = ENTITY_INDEX_MASK;

    /// The state of one index, beside its handle.
    struct Slot {
        std::uint32_t next_free = 0;  ///< in the list of free indices
        std::uint16_t generation = 0;
        bool removal_pending : 1 = false;  ///< `remove_entity` was called
        bool being_removed : 1 = false;    ///< the removal has begun; no system starts to track the entity any more
        /// Written by a language binding: if not 0, the removal of the entity is reported to the host.
        std::uint8_t notifies_removal = 0;
    };
    /// Control block, read by language bindings in memory.
    struct Control {
        const Entity* handles = nullptr;  ///< by index: the handle of the entity that is alive, or NONE
        std::uint32_t slots = 0;          ///< number of indices used so far
        std::uint32_t count = 0;          ///< number of entities that are alive
        Slot* table = nullptr;            ///< by index
    };

    /// Issues a handle. Throws `out_of_memory` if all indices are in use or retired.
    [[nodiscard]] Entity create();
    /// Guarantees that the next `n` calls of `create()` neither allocate nor throw. Throws `out_of_memory`.
    void reserve(std::size_t n);
    /// Withdraws a handle; `e` must be alive.
    void destroy(Entity e) noexcept;

    [[nodiscard]] bool alive(Entity e) const noexcept {
        const std::uint32_t index = index_of(e);
        return index < handles_.size() && handles_[index] == e;
    }
    /// The number of entities that are alive.
    [[nodiscard]] std::size_t count() const noexcept { return control_.count; }
    [[nodiscard]] const Control& control() const noexcept { return control_; }
    /// By index: the handle of the entity that is alive, or NONE. As long as the number of indices used so far.
    [[nodiscard]] std::span<const Entity> handles() const noexcept { return handles_; }

    // Flags of an entity that is alive; `destroy` resets them.
    [[nodiscard]] bool removal_pending(Entity e) const noexcept { return slots_[index_of(e)].removal_pending; }
    void set_removal_pending(Entity e) noexcept { slots_[index_of(e)].removal_pending = true; }
    [[nodiscard]] bool being_removed(Entity e) const noexcept { return slots_[index_of(e)].being_removed; }
    void set_being_removed(Entity e) noexcept { slots_[index_of(e)].being_removed = true; }
    [[nodiscard]] bool notifies_removal(Entity e) const noexcept { return slots_[index_of(e)].notifies_removal != 0; }

private:
    std::vector<Entity> handles_;
    std::vector<Slot> slots_;
    // The free indices, last freed first, because its memory is probably in a cache: a list linked through
    // `Slot::next_free`.
    std::uint32_t first_free_ = 0;
    std::uint32_t free_count_ = 0;
    Control control_;
};

inline Entity EntityPool::create() {
    if (free_count_ > 0) {
        const std::uint32_t index = first_free_;
        first_free_ = slots_[index].next_free;
        --free_count_;
        ++control_.count;
        return handles_[index] = make_entity(index, slots_[index].generation);
    }
    reserve(1);
    const Entity e = make_entity(static_cast<std::uint32_t>(handles_.size()), 0);
    handles_.push_back(e);
    slots_.emplace_back();
    control_ = {handles_.data(), static_cast<std::uint32_t>(handles_.size()), control_.count + 1, slots_.data()};
    return e;
}

inline void EntityPool::destroy(Entity e) noexcept {
    const std::uint32_t index = index_of(e);
    Slot& slot = slots_[index];
    handles_[index] = NONE;
    slot.removal_pending = slot.being_removed = false;
    slot.notifies_removal = 0;
    --control_.count;
    if (slot.generation == ENTITY_LAST_GENERATION) return;  // retired: no handle may be issued twice (rule E2)
    ++slot.generation;
    slot.next_free = first_free_;
    first_free_ = index;
    ++free_count_;
}

}  // namespace crateful
