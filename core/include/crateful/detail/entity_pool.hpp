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

    /// Bits of an entity's flags; `destroy` resets them.
    static constexpr std::uint8_t NOTIFIES_REMOVAL = 1;  ///< set by a language binding: removal is reported to the host
    static constexpr std::uint8_t REMOVAL_PENDING = 2;   ///< `remove_entity` was called
    /// Control block, read by language bindings in memory.
    struct Control {
        const Entity* handles = nullptr;  ///< by index: the handle of the entity that is alive, or NONE
        std::uint32_t slots = 0;          ///< number of indices used so far
        std::uint32_t count = 0;          ///< number of entities that are alive
        std::uint8_t* flags = nullptr;    ///< by index
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

    /// The flags of an entity that is alive.
    [[nodiscard]] std::uint8_t& flags(Entity e) noexcept { return flags_[index_of(e)]; }

private:
    std::vector<Entity> handles_;
    std::vector<std::uint8_t> flags_;
    // The free indices, last freed first, because its memory is probably in a cache: a linked list. The entry of a free index
    // is the index of the next one, and the generation of its own next entity above.
    std::vector<std::uint32_t> free_;
    std::uint32_t first_free_ = 0;
    std::uint32_t free_count_ = 0;
    std::size_t room_ = 0;  // how many indices there is memory for
    Control control_;
};

inline Entity EntityPool::create() {
    if (free_count_ > 0) {
        const std::uint32_t index = first_free_;
        const std::uint32_t entry = free_[index];
        first_free_ = entry & ENTITY_INDEX_MASK;
        --free_count_;
        ++control_.count;
        return handles_[index] = Entity{(entry & ~ENTITY_INDEX_MASK) | index};
    }
    if (handles_.size() == room_) reserve(1);
    const Entity e = make_entity(static_cast<std::uint32_t>(handles_.size()), 0);
    handles_.push_back(e);
    flags_.push_back(0);
    free_.push_back(0);
    ++control_.slots;
    ++control_.count;
    return e;
}

inline void EntityPool::destroy(Entity e) noexcept {
    const std::uint32_t index = index_of(e);
    handles_[index] = NONE;
    flags_[index] = 0;
    --control_.count;
    if (generation_of(e) == ENTITY_LAST_GENERATION) return;  // retired: no handle may be issued twice (rule E2)
    free_[index] = generation_bits(e) + (1u << ENTITY_INDEX_BITS) + first_free_;
    first_free_ = index;
    ++free_count_;
}

}  // namespace crateful
