#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crateful/entity.hpp"

namespace crateful {

/// The position of one iteration: which elements it has visited, and which it will visit. While it is linked to a set, changes
/// keep it correct (rule T4).
struct IterationPosition {
    static constexpr std::uint32_t UNLIMITED = ~0u;

    /// How many elements it has visited, which are the first ones.
    std::uint32_t position = 0;
    /// Set to 1 by a language binding that counts its steps elsewhere: before elements or their memory move, the set
    /// calls `give_back`, which must update `position`.
    std::uint32_t borrowed = 0;
    /// Behind the last element that it will visit. The elements from here on were added since it began. UNLIMITED in dirty sets,
    /// where it reaches these, too (rule D7).
    std::uint32_t end = UNLIMITED;
    /// In a linear storage, where elements do not move: a bit for each slot below `end` that was filled since it began; nullptr
    /// if there is none.
    std::uint64_t* added = nullptr;
    /// Set by a language binding: the position behind the first element that its iterator has returned. While the iteration is there, the
    /// iterator may be abandoned, as by `keys().next().value`.
    std::uint32_t begun = 0;
    std::vector<std::uint64_t> added_bits;  ///< the memory of `added`
    IterationPosition* next = nullptr;
    IterationPosition** link = nullptr;  ///< the pointer to this one in the list of its set
    void (*give_back)(IterationPosition&) = nullptr;

    [[nodiscard]] bool may_be_abandoned() const noexcept { return begun != 0 && begun == position; }
};

/// A set of entities (rules T1, T2). `dense` contains them without gaps; a paged index, by entity index,
/// contains the slot and the generation of each one, so that a look-up reads nothing else. Insert, erase and look-up are
/// O(1); erasing moves the last element into the gap.
///
/// Any change is allowed during an iteration (rule T4): while positions are linked, `erase` keeps the visited elements in front
/// of each, those that it will visit behind it, and those that were added meanwhile at the end. That costs O(positions) moves per
/// erased element, and nothing while none is linked.
class SparseSet {
public:
    /// In place of a slot; every slot is smaller.
    static constexpr std::uint32_t ABSENT = ENTITY_INDEX_MASK;
    static constexpr std::uint32_t PAGE_BITS = 10;
    static constexpr std::uint32_t ENTRIES_PER_PAGE = 1u << PAGE_BITS;

    /// Control block, read by language bindings in memory. An entry of a page is `entry(e, slot)`, or EMPTY. A page never
    /// moves once it is allocated.
    struct Control {
        Entity* dense = nullptr;
        std::uint32_t size = 0;
        std::uint32_t** pages = nullptr;
        std::uint32_t page_count = 0;
    };

    SparseSet() = default;
    ~SparseSet();
    SparseSet(const SparseSet&) = delete;
    SparseSet& operator=(const SparseSet&) = delete;

    [[nodiscard]] std::uint32_t size() const noexcept { return control_.size; }
    [[nodiscard]] bool empty() const noexcept { return control_.size == 0; }
    [[nodiscard]] std::span<const Entity> entities() const noexcept { return {control_.dense, control_.size}; }
    [[nodiscard]] Entity operator[](std::uint32_t slot) const noexcept { return control_.dense[slot]; }
    [[nodiscard]] const Control& control() const noexcept { return control_; }
    /// The entry of an index without an element. Its slot is ABSENT.
    static constexpr std::uint32_t EMPTY = 0xFFFFFFFFu;
    /// The entry of an entity in the index: its slot, and its generation above.
    [[nodiscard]] static std::uint32_t entry(Entity e, std::uint32_t slot) noexcept {
        return generation_bits(e) | slot;
    }
    /// The slot of `e` if `entry` is its own, otherwise ABSENT.
    [[nodiscard]] static std::uint32_t slot_in(std::uint32_t entry, Entity e) noexcept {
        const std::uint32_t slot = entry ^ generation_bits(e);  // too large if the generations differ
        return slot < ABSENT ? slot : ABSENT;
    }
    /// The same, faster, if the entity is alive: without comparing generations.
    [[nodiscard]] static std::uint32_t slot_in(std::uint32_t entry) noexcept { return entry & ENTITY_INDEX_MASK; }
    /// The page that the index of every set contains in place of pages without elements. All its entries are EMPTY.
    [[nodiscard]] static std::uint32_t* empty_page() noexcept;
    /// How many elements there is room for.
    [[nodiscard]] std::size_t capacity() const noexcept { return dense_.size(); }
    /// Bytes allocated.
    [[nodiscard]] std::size_t bytes() const noexcept;

    /// The position of the entity in `entities()`, or ABSENT.
    [[nodiscard]] std::uint32_t slot(Entity e) const noexcept {
        const std::uint32_t index = index_of(e);
        const std::uint32_t page = index >> PAGE_BITS;
        return page < control_.page_count ? slot_in(control_.pages[page][index & (ENTRIES_PER_PAGE - 1)], e) : ABSENT;
    }
    /// The position of the entity with this index, which must be in the set.
    [[nodiscard]] std::uint32_t slot_at(std::uint32_t index) const noexcept {
        return slot_in(control_.pages[index >> PAGE_BITS][index & (ENTRIES_PER_PAGE - 1)]);
    }
    [[nodiscard]] bool contains(Entity e) const noexcept { return slot(e) != ABSENT; }

    /// Guarantees that inserting `e` neither allocates nor throws as long as the set has at most `n` elements.
    void reserve(Entity e, std::size_t n) {
        if (!has_room(e, n)) grow(e, n);
    }
    /// Whether `reserve(e, n)` would do nothing.
    [[nodiscard]] bool has_room(Entity e, std::size_t n) const noexcept { return n <= dense_.size() && has_page(e); }
    /// Appends `e`, which must not be in the set; returns its slot.
    std::uint32_t insert(Entity e) {
        const std::uint32_t at = control_.size;
        reserve(e, std::size_t{at} + 1);
        put(at, e);
        control_.size = at + 1;
        return at;
    }
    /// Appends `e` unless it is in the set, and returns whether it was not; `e` and all elements must be alive, because no
    /// generations are compared.
    bool insert_alive(Entity e) {
        if (!has_page(e)) grow(e, control_.size);
        std::uint32_t& found = entry_of(e);
        if (found != EMPTY) return false;
        if (control_.size == dense_.size()) grow(e, std::size_t{control_.size} + 1);  // moves no page
        control_.dense[control_.size] = e;
        found = entry(e, control_.size++);
        return true;
    }
    /// The slot of `e`, and whether it was appended now. The set must have room for it; `e` and all elements must be alive,
    /// because no generations are compared.
    struct Place {
        std::uint32_t slot;
        bool appended;
    };
    Place place_alive(Entity e) noexcept {
        std::uint32_t& found = entry_of(e);
        if (found != EMPTY) return {slot_in(found), false};
        const std::uint32_t at = control_.size++;
        control_.dense[at] = e;
        found = entry(e, at);
        return {at, true};
    }
    /// Makes room for `n` elements at once, instead of growing several times.
    void reserve(std::size_t n);
    /// `reserve` for entities that are about to be appended.
    void reserve(std::span<const Entity> entities);
    /// Appends entities that are not in the set, for which there is room.
    void append(std::span<const Entity> entities) noexcept;
    /// Removes `e`, the element at `slot`. Calls `move(from, to)` for each element that gets another slot, in the order
    /// in which values that are kept beside the set must be moved. Afterwards the last slot is free.
    template <class Move>
    void erase_at(Entity e, std::uint32_t slot, Move&& move);
    /// Removes `e`; returns whether the set contained it.
    bool erase(Entity e) noexcept {
        const std::uint32_t at = slot(e);
        if (at == ABSENT) return false;
        erase_at(e, at, [](std::uint32_t, std::uint32_t) {});
        return true;
    }
    /// Removes those of the entities that are in the set, if these are its last elements, so that no other one moves: the result is
    /// that of removing them one after the other. Otherwise returns false and changes nothing.
    bool erase_end(std::span<const Entity> entities) noexcept;
    /// The same, but keeps the order of the others. O(elements behind it).
    bool erase_in_order(Entity e) noexcept;
    /// Removes all elements.
    void clear() noexcept;
    /// Frees the memory of the set, which must be empty.
    void free_memory() noexcept;
    /// Removes the first `n` elements, keeping the order of the others.
    void erase_front(std::uint32_t n) noexcept {
        if (n != 0) erase_first(n);
    }

    /// Exchanges the elements at two slots. Between them, there must be no position of an iteration.
    void swap(std::uint32_t a, std::uint32_t b) noexcept {
        const Entity e = control_.dense[a];
        put(a, control_.dense[b]);
        put(b, e);
    }
    /// Copies the element at slot `from` to slot `to`, which may be a free one. Each element must be at one slot in the end, and no
    /// iteration in progress.
    void copy(std::uint32_t from, std::uint32_t to) noexcept { put(to, control_.dense[from]); }
    /// Whether an iteration, except the one with the position `other`, has not ended. One of a language binding ends when it is finished,
    /// not with its last step; until its second step, it does not count.
    [[nodiscard]] bool iterating(const IterationPosition* other = nullptr) noexcept {
        take_back_positions();
        const IterationPosition* p = positions_;
        while (p != nullptr && (p->end == 0 || p == other || p->may_be_abandoned())) p = p->next;
        return p != nullptr;
    }
    /// Ends the iterations of a language binding that have made a single step, before elements are moved.
    void end_begun() noexcept {
        take_back_positions();
        for (IterationPosition* p = positions_; p != nullptr; p = p->next) {
            if (p->may_be_abandoned()) p->position = p->end = 0;
        }
    }
    /// The smallest position or end of an iteration above `slot`, or 0.
    [[nodiscard]] std::uint32_t boundary_above(std::uint32_t slot) const noexcept;
    /// For a linear storage: guarantees that `slots_filled` does not fail.
    void reserve_added();
    /// Whether it must be called.
    [[nodiscard]] bool lacks_added() const noexcept {
        const IterationPosition* p = positions_;
        while (p != nullptr && !lacks_added(*p)) p = p->next;
        return p != nullptr;
    }
    /// For a linear storage: notes in the linked positions that the `n` slots from `first` on were filled.
    void slots_filled(std::uint32_t first, std::uint32_t n) noexcept {
        for (IterationPosition* p = positions_; p != nullptr; p = p->next) {
            if (p->added == nullptr) continue;
            for (std::uint32_t slot = first; slot < first + n && slot < p->end; ++slot)
                p->added[slot / 64] |= std::uint64_t{1} << (slot % 64);
        }
    }

    /// Keeps `position` correct from now on. It must stay at its address until `unlink`. O(1).
    void link(IterationPosition& position) const noexcept;
    /// The position, which must be linked, is not kept correct any more. O(1).
    void unlink(IterationPosition& position) const noexcept;

    /// Updates the positions that are counted elsewhere.
    void take_back_positions() noexcept {
        for (IterationPosition* p = positions_; p != nullptr; p = p->next) {
            if (p->borrowed == 0) continue;
            p->borrowed = 0;
            p->give_back(*p);
        }
    }

    /// An iteration that allows any change of the set meanwhile (rule T4).
    class Iteration;
    /// An iteration over the elements that the set has now.
    [[nodiscard]] Iteration each() const noexcept;

private:
    static bool lacks_added(const IterationPosition& p) noexcept {
        return p.added == nullptr && p.end != 0 && p.end != IterationPosition::UNLIMITED;
    }
    [[nodiscard]] bool has_page(Entity e) const noexcept {
        const std::uint32_t page = index_of(e) >> PAGE_BITS;
        return page < control_.page_count && control_.pages[page] != empty_page_;
    }
    void grow(Entity e, std::size_t n);
    // Erases the first `n` elements, at least one.
    void erase_first(std::uint32_t n) noexcept;
    [[nodiscard]] std::uint32_t& entry_of(Entity e) noexcept {
        return control_.pages[index_of(e) >> PAGE_BITS][index_of(e) & (ENTRIES_PER_PAGE - 1)];
    }
    void put(std::uint32_t to, Entity e) noexcept {
        control_.dense[to] = e;
        entry_of(e) = entry(e, to);
    }
    // Moves an empty slot behind all linked positions; returns where it is then.
    template <class Move>
    std::uint32_t move_gap(std::uint32_t gap, Move& move);
    // Decrements each position and end of an iteration that is `boundary`.
    void step_back(std::uint32_t boundary) noexcept;

    Control control_;
    std::vector<Entity> dense_;  // its size is the capacity; the first `control_.size` are elements
    std::vector<std::uint32_t*> pages_;
    const std::uint32_t* empty_page_ = empty_page();
    mutable IterationPosition* positions_ = nullptr;  // mutable, because iterating does not change the set
};

class SparseSet::Iteration {
public:
    /// Visits the elements before `end`: those that the set has now, or UNLIMITED; in a linear storage, the slots.
    Iteration(const SparseSet& set, std::uint32_t end) noexcept : set_(&set) {
        at_.end = end;
        set_->link(at_);
    }
    ~Iteration() { set_->unlink(at_); }
    /// A copy continues from the same position; each has its own link.
    Iteration(const Iteration& other) : set_(other.set_) {
        copy_position(other);
        set_->link(at_);
    }
    Iteration& operator=(const Iteration& other) {
        copy_position(other);
        if (set_ != other.set_) {
            set_->unlink(at_);
            set_ = other.set_;
            set_->link(at_);
        }
        return *this;
    }

    /// Assigns the next element to `e`; returns false at the end. If it is unlimited, it continues after more are added.
    bool next(Entity& e) noexcept {
        if (at_.position >= at_.end || at_.position >= set_->size()) return false;
        e = (*set_)[at_.position++];
        return true;
    }
    /// Where it is.
    [[nodiscard]] IterationPosition& position() noexcept { return at_; }
    /// How many of the first elements were visited.
    [[nodiscard]] std::uint32_t visited() const noexcept { return at_.position; }

private:
    void copy_position(const Iteration& other) {
        at_.added_bits = other.at_.added_bits;
        at_.added = other.at_.added == nullptr ? nullptr : at_.added_bits.data();
        at_.position = other.at_.position;
        at_.end = other.at_.end;
    }

    const SparseSet* set_;
    IterationPosition at_;
};

inline SparseSet::Iteration SparseSet::each() const noexcept { return {*this, size()}; }

template <class Move>
void SparseSet::erase_at(Entity e, std::uint32_t slot, Move&& move) {
    entry_of(e) = EMPTY;
    const std::uint32_t gap = positions_ == nullptr ? slot : move_gap(slot, move);
    const std::uint32_t last = control_.size - 1;
    if (gap != last) {
        put(gap, control_.dense[last]);
        move(last, gap);
    }
    control_.size = last;
}

// Moves the gap to each boundary between elements that were visited, will be visited, and were added meanwhile, in ascending
// order: the element in front of the boundary is moved into the gap, and the boundary is decremented.
template <class Move>
std::uint32_t SparseSet::move_gap(std::uint32_t gap, Move& move) {
    take_back_positions();
    for (std::uint32_t b = boundary_above(gap); b != 0; b = boundary_above(gap)) {
        if (b - 1 != gap) {
            put(gap, control_.dense[b - 1]);
            move(b - 1, gap);
        }
        step_back(b);
        gap = b - 1;
    }
    return gap;
}

}  // namespace crateful
