#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace crateful {

/// A handle: 22 bits of index, 10 bits of generation (rule E1). No handle is ever issued twice, so a
/// stale one is recognised for ever (rules E2, K1).
enum class Entity : std::uint32_t {};

/// Never an entity (rule E6).
inline constexpr Entity NONE{0xFFFFFFFFu};

inline constexpr std::uint32_t ENTITY_INDEX_BITS = 22;
inline constexpr std::uint32_t ENTITY_INDEX_MASK = (1u << ENTITY_INDEX_BITS) - 1;
inline constexpr std::uint32_t ENTITY_LAST_GENERATION = (1u << (32 - ENTITY_INDEX_BITS)) - 1;

[[nodiscard]] constexpr std::uint32_t index_of(Entity e) noexcept {
    return static_cast<std::uint32_t>(e) & ENTITY_INDEX_MASK;
}
[[nodiscard]] constexpr std::uint32_t generation_of(Entity e) noexcept {
    return static_cast<std::uint32_t>(e) >> ENTITY_INDEX_BITS;
}
[[nodiscard]] constexpr Entity make_entity(std::uint32_t index, std::uint32_t generation) noexcept {
    return Entity{generation << ENTITY_INDEX_BITS | index};
}
/// For messages: "entity 12 (generation 3)".
[[nodiscard]] std::string describe(Entity e);

/// Issues and withdraws entity handles. Everything is O(1); only growth allocates.
class EntityPool {
public:
    /// So many other indices must be freed before an index is used again (rule E2).
    static constexpr std::uint32_t MIN_FREED_BEFORE_REUSE = 1024;
    /// The highest index is left out, so that no handle equals NONE.
    static constexpr std::uint32_t MAX_ENTITIES = ENTITY_INDEX_MASK;

    /// What is kept of an index beside its handle.
    struct Slot {
        std::uint32_t next_free = 0;
        std::uint16_t generation = 0;
        bool marked : 1 = false;   // asked to be removed
        bool leaving : 1 = false;  // being removed; no system tracks it again
        /// Set by another language that shows this entity as an object: the world then tells when it goes.
        std::uint8_t shown = 0;
    };
    /// What a language binding reads straight from memory.
    struct Control {
        const Entity* handles = nullptr;  ///< by index: the living handle, or NONE
        std::uint32_t slots = 0;          ///< indices ever used
        std::uint32_t count = 0;          ///< of living entities
        Slot* table = nullptr;            ///< by index
    };

    /// Throws `out_of_memory` when all indices are in use or spent (4.29 thousand million handles).
    [[nodiscard]] Entity create();
    /// Makes sure that the next `n` calls of `create()` succeed without allocating.
    void reserve(std::size_t n);
    /// `e` must be alive.
    void destroy(Entity e) noexcept;

    [[nodiscard]] bool alive(Entity e) const noexcept {
        const std::uint32_t index = index_of(e);
        return index < handles_.size() && handles_[index] == e;
    }
    [[nodiscard]] std::size_t count() const noexcept { return control_.count; }
    [[nodiscard]] const Control& control() const noexcept { return control_; }
    /// By index: the living handle, or NONE. Its length is the number of indices ever used.
    [[nodiscard]] std::span<const Entity> handles() const noexcept { return handles_; }

    /// Marks an entity may carry until it dies.
    [[nodiscard]] bool marked(Entity e) const noexcept { return slots_[index_of(e)].marked; }
    void set_marked(Entity e, bool on) noexcept { slots_[index_of(e)].marked = on; }
    [[nodiscard]] bool leaving(Entity e) const noexcept { return slots_[index_of(e)].leaving; }
    void set_leaving(Entity e) noexcept { slots_[index_of(e)].leaving = true; }
    [[nodiscard]] bool shown(Entity e) const noexcept { return slots_[index_of(e)].shown != 0; }

private:
    [[nodiscard]] std::size_t reusable() const noexcept {
        return free_count_ > MIN_FREED_BEFORE_REUSE ? free_count_ - MIN_FREED_BEFORE_REUSE : 0;
    }

    std::vector<Entity> handles_;
    std::vector<Slot> slots_;
    // The free indices, first freed first: a list threaded through the slots.
    std::uint32_t first_free_ = 0;
    std::uint32_t last_free_ = 0;
    std::uint32_t free_count_ = 0;
    Control control_;
};

inline Entity EntityPool::create() {
    if (free_count_ > MIN_FREED_BEFORE_REUSE) {
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
    slot.marked = slot.leaving = false;
    slot.shown = 0;
    --control_.count;
    if (slot.generation == ENTITY_LAST_GENERATION) return;  // spent: a handle must never come back
    ++slot.generation;
    if (free_count_++ == 0) {
        first_free_ = index;
    } else {
        slots_[last_free_].next_free = index;
    }
    last_free_ = index;
}

}  // namespace crateful
