#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crateful/component.hpp"
#include "crateful/entity.hpp"

namespace crateful {

/// The entities of one ECS: their handles and signatures, by index. Every call is O(1) unless memory grows or signatures
/// become wider.
class EntityPool {
public:
    /// How many entities can exist at once. The highest index is never used, so that no handle equals NONE.
    static constexpr std::uint32_t MAX_ENTITIES = ENTITY_INDEX_MASK;

    /// Flags: the lowest bits of an entity's signature. A language binding sets NOTIFIES_REMOVAL, so that the host is notified
    /// when the entity is destroyed.
    static constexpr std::uint32_t NOTIFIES_REMOVAL = 1;
    static constexpr std::uint32_t REMOVAL_PENDING = 2;  ///< `remove_entity` was called
    static constexpr std::uint32_t FLAG_BITS = 2;

    /// Where the bit of a class is in a signature.
    struct ClassBit {
        std::size_t word;
        std::uint32_t mask;
        explicit ClassBit(ComponentId id) noexcept
            : word((id + FLAG_BITS) / 32), mask(std::uint32_t{1} << ((id + FLAG_BITS) % 32)) {}
    };
    /// Control block, read by language bindings in memory.
    struct Control {
        /// By index: the handle of the entity that is alive. The entry of a free index has another index than its own.
        Entity* handles = nullptr;
        std::uint32_t slots = 0;              ///< number of indices used so far
        std::uint32_t count = 0;              ///< number of entities that are alive
        std::uint32_t* signatures = nullptr;  ///< by index, `words` for each
        std::uint32_t words = 1;
    };

    /// Issues a handle; its entity has no components. Throws `out_of_memory` if all indices are in use or retired.
    [[nodiscard]] Entity create();
    /// Fills `out` with handles. Throws `out_of_memory`, and then issues none.
    void create(std::span<Entity> out);
    /// The handles that `create` issues next.
    void next(std::span<Entity> out) const noexcept;
    /// Guarantees that the next `n` calls of `create()` neither allocate nor throw. Throws `out_of_memory`.
    void reserve(std::size_t n);
    /// Withdraws a handle; `e` must be alive.
    void destroy(Entity e) noexcept;

    [[nodiscard]] bool alive(Entity e) const noexcept {
        const std::uint32_t index = index_of(e);
        return index < control_.slots && handles_[index] == e;
    }
    /// The number of entities that are alive.
    [[nodiscard]] std::size_t count() const noexcept { return control_.count; }
    [[nodiscard]] const Control& control() const noexcept { return control_; }
    /// The handles by index, as in the control block.
    [[nodiscard]] std::span<const Entity> handles() const noexcept { return {handles_.data(), control_.slots}; }
    /// The entity that is alive with this index, which may be too large after a snapshot was restored; NONE if there is none.
    [[nodiscard]] Entity at(std::uint32_t index) const noexcept {
        return index < control_.slots && index_of(handles_[index]) == index ? handles_[index] : NONE;
    }
    /// Calls `visit(Entity)` for each entity that is alive, also for those that are created meanwhile.
    template <class Visit>
    void each(Visit&& visit) const {
        for (std::uint32_t i = 0; i < control_.slots; ++i) {
            if (index_of(handles_[i]) == i) visit(handles_[i]);
        }
    }

    /// The first of the free indices, or END.
    [[nodiscard]] std::uint32_t first_free() const noexcept { return first_free_; }
    /// Makes room for this many indices. Throws `std::bad_alloc`, and then changes nothing.
    void reserve_indices(std::size_t n);
    /// Replaces all handles and the list of free indices, for which there is room. The signatures of all entities are 0.
    void assign(std::span<const Entity> handles, std::uint32_t first_free) noexcept;

    /// The numbers of indices.
    struct Totals {
        std::uint32_t slots;       ///< used so far
        std::uint32_t count;       ///< of entities that are alive
        std::uint32_t free_count;  ///< that can be used again
        std::uint32_t first_free;  ///< the first of these, or END
        [[nodiscard]] bool operator==(const Totals&) const = default;
    };
    [[nodiscard]] Totals totals() const noexcept { return {control_.slots, control_.count, free_count_, first_free_}; }
    /// Sets them, when `exchange` has set the handles. There must be room.
    void exchange(const Totals& totals) noexcept {
        control_.slots = totals.slots;
        control_.count = totals.count;
        free_count_ = totals.free_count;
        first_free_ = totals.first_free;
    }
    /// Replaces the entry of an index in the list of handles. Its signature is 0.
    void exchange(std::uint32_t index, Entity handle) noexcept {
        handles_[index] = handle;
        std::fill_n(&signatures_[index * words()], words(), 0);
    }
    /// How many entities were destroyed so far; it starts again at 0 after 2³² of them.
    [[nodiscard]] std::uint32_t destroyed() const noexcept { return destroyed_; }

    /// The number of words in a signature.
    [[nodiscard]] std::size_t words() const noexcept { return control_.words; }
    /// Makes signatures at least as wide as for these classes.
    void widen(ComponentId largest);
    /// The signature of an entity that is alive: its flags, and one bit for each class that it has a component of. Valid
    /// until memory grows.
    [[nodiscard]] std::uint32_t* signature(Entity e) noexcept { return &signatures_[index_of(e) * words()]; }
    [[nodiscard]] const std::uint32_t* signature(Entity e) const noexcept {
        return &signatures_[index_of(e) * words()];
    }
    /// Calls `visit(ComponentId)` for each class that the entity has a component of.
    template <class Visit>
    void each_class(Entity e, Visit&& visit) const {
        std::uint32_t flags = (1u << FLAG_BITS) - 1;
        for (std::size_t w = 0; w < words(); ++w) {
            for (std::uint32_t bits = signature(e)[w] & ~flags; bits != 0; bits &= bits - 1) visit(class_at(w, bits));
            flags = 0;
        }
    }
    /// The class of the lowest bit of word `w` of a signature; no flag may be set.
    [[nodiscard]] static ComponentId class_at(std::size_t w, std::uint32_t bits) noexcept {
        return static_cast<ComponentId>(w * 32) + static_cast<ComponentId>(std::countr_zero(bits)) - FLAG_BITS;
    }

    /// In place of an index, at the end of the list of free indices.
    static constexpr std::uint32_t END = ENTITY_INDEX_MASK;

private:
    // Their sizes are how much room there is. The free indices are a linked list, last freed first, because its memory is
    // probably in a cache: the entry of a free index is the index of the next one, and above it the generation of its own next
    // entity. So no handle with this index equals it.
    std::vector<Entity> handles_;
    std::vector<std::uint32_t> signatures_;
    std::uint32_t first_free_ = END;
    std::uint32_t free_count_ = 0;
    std::uint32_t destroyed_ = 0;
    Control control_;
};

inline Entity EntityPool::create() {
    std::uint32_t index = first_free_;
    std::uint32_t generation = 0;
    if (index != END) {
        const auto entry = static_cast<std::uint32_t>(handles_[index]);
        first_free_ = entry & ENTITY_INDEX_MASK;
        generation = entry & ~ENTITY_INDEX_MASK;
        --free_count_;
    } else {
        if (control_.slots == handles_.size()) reserve(1);
        index = control_.slots++;
    }
    const auto e = Entity{generation | index};
    handles_[index] = e;
    ++control_.count;
    if (words() == 1) *signature(e) = 0;
    else std::fill_n(signature(e), words(), 0);
    return e;
}

inline void EntityPool::destroy(Entity e) noexcept {
    const std::uint32_t index = index_of(e);
    --control_.count;
    ++destroyed_;
    handles_[index] = NONE;
    if (generation_of(e) == ENTITY_LAST_GENERATION) return;  // retired: no handle may be issued twice (rule E2)
    handles_[index] = Entity{generation_bits(e) + (1u << ENTITY_INDEX_BITS) + first_free_};
    first_free_ = index;
    ++free_count_;
}

}  // namespace crateful
