#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crateful/entity.hpp"

namespace crateful {

/// Where an iteration stands: how many elements it has passed. While it is linked to a set, removals
/// keep it right.
struct Cursor {
    std::uint32_t position = 0;
    Cursor* next = nullptr;
};

/// A set of entities: `dense` holds them without gaps, the paged `sparse` index says where each one
/// is (seed 3). Insert, erase and look-up are O(1); erasing moves the last element into the gap.
///
/// Iteration means what it means for JavaScript's `Map` (rule T4): with cursors linked, `erase` keeps
/// what each iteration has visited in front of its cursor and what it has not behind it. That costs
/// O(cursors) moves, and nothing where nobody iterates.
class SparseSet {
public:
    static constexpr std::uint32_t ABSENT = 0xFFFFFFFFu;
    static constexpr std::uint32_t PAGE_BITS = 10;
    static constexpr std::uint32_t SLOTS_PER_PAGE = 1u << PAGE_BITS;

    /// What a language binding reads straight from memory. Pages never move once allocated.
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
    /// Stands in the index of every set for all pages that hold nothing.
    [[nodiscard]] static std::uint32_t* empty_page() noexcept;
    /// Bytes allocated.
    [[nodiscard]] std::size_t bytes() const noexcept;

    /// The entity's place in `entities()`, or ABSENT.
    [[nodiscard]] std::uint32_t slot(Entity e) const noexcept {
        const std::uint32_t index = index_of(e);
        const std::uint32_t page = index >> PAGE_BITS;
        if (page >= control_.page_count) return ABSENT;
        const std::uint32_t at = control_.pages[page][index & (SLOTS_PER_PAGE - 1)];
        return at != ABSENT && control_.dense[at] == e ? at : ABSENT;
    }
    [[nodiscard]] bool contains(Entity e) const noexcept { return slot(e) != ABSENT; }

    /// The same for an entity that is alive, in a set of living ones: its index alone tells.
    [[nodiscard]] bool holds(Entity e) const noexcept {
        const std::uint32_t page = index_of(e) >> PAGE_BITS;
        return page < control_.page_count && control_.pages[page][index_of(e) & (SLOTS_PER_PAGE - 1)] != ABSENT;
    }

    /// Makes room, so that inserting `e` with `n` elements in all does not allocate (or throw).
    void reserve(Entity e, std::size_t n) {
        if (!has_room(e, n)) grow(e, n);
    }
    /// Whether `reserve(e, n)` would do nothing.
    [[nodiscard]] bool has_room(Entity e, std::size_t n) const noexcept { return n <= dense_.size() && has_page(e); }
    /// Appends `e`, which must not be in the set; returns its slot.
    std::uint32_t insert(Entity e) {
        const std::uint32_t at = control_.size;
        reserve(e, std::size_t{at} + 1);
        place(at, e);
        control_.size = at + 1;
        return at;
    }
    /// Removes the element at `slot`. `move(from, to)` is called for each element that changes place,
    /// in the order in which values kept beside the set have to follow; the last slot is free then.
    template <class Move>
    void erase_at(std::uint32_t slot, Move&& move);
    /// Removes `e` if it is there; returns whether it was.
    bool erase(Entity e) noexcept {
        const std::uint32_t at = slot(e);
        if (at == ABSENT) return false;
        erase_at(at, [](std::uint32_t, std::uint32_t) {});
        return true;
    }
    /// Removes the first `n` elements, keeping the order of the others.
    void erase_front(std::uint32_t n) noexcept;

    void link(Cursor& cursor) noexcept {
        cursor.next = cursors_;
        cursors_ = &cursor;
    }
    void unlink(Cursor& cursor) noexcept;

    /// A safe iteration for range-for; see T4. Not copyable: it is linked to the set by address.
    class Iteration;
    [[nodiscard]] Iteration each() noexcept;

private:
    [[nodiscard]] bool has_page(Entity e) const noexcept {
        const std::uint32_t page = index_of(e) >> PAGE_BITS;
        return page < control_.page_count && control_.pages[page] != empty_page_;
    }
    void grow(Entity e, std::size_t n);
    [[nodiscard]] std::uint32_t& cell(Entity e) noexcept {
        return control_.pages[index_of(e) >> PAGE_BITS][index_of(e) & (SLOTS_PER_PAGE - 1)];
    }
    void place(std::uint32_t to, Entity e) noexcept {
        control_.dense[to] = e;
        cell(e) = to;
    }
    // The smallest cursor position above `gap`, or 0.
    [[nodiscard]] std::uint32_t boundary_above(std::uint32_t gap) const noexcept;
    void step_back(std::uint32_t boundary) noexcept;

    Control control_;
    std::vector<Entity> dense_;  // as long as there is room for; `control_.size` of them count
    std::vector<std::uint32_t*> pages_;
    const std::uint32_t* empty_page_ = empty_page();
    Cursor* cursors_ = nullptr;
};

class SparseSet::Iteration {
public:
    explicit Iteration(SparseSet& set) noexcept : set_(set) { set_.link(cursor_); }
    ~Iteration() { set_.unlink(cursor_); }
    Iteration(const Iteration&) = delete;
    Iteration& operator=(const Iteration&) = delete;

    /// Visits the next element, or returns false at the end (for now: more may be added).
    bool next(Entity& e) noexcept {
        if (cursor_.position >= set_.size()) return false;
        e = set_[cursor_.position++];
        return true;
    }
    [[nodiscard]] std::uint32_t visited() const noexcept { return cursor_.position; }

private:
    SparseSet& set_;
    Cursor cursor_;
};

inline SparseSet::Iteration SparseSet::each() noexcept { return Iteration(*this); }

template <class Move>
void SparseSet::erase_at(std::uint32_t slot, Move&& move) {
    cell(control_.dense[slot]) = ABSENT;
    std::uint32_t gap = slot;
    if (cursors_ != nullptr) {
        // Walk the gap up to each boundary between "visited" and "not yet" in turn: the element in
        // front of the boundary fills the gap, and the boundary steps back over the new one.
        for (std::uint32_t b = boundary_above(gap); b != 0; b = boundary_above(gap)) {
            if (b - 1 != gap) {
                place(gap, control_.dense[b - 1]);
                move(b - 1, gap);
            }
            step_back(b);
            gap = b - 1;
        }
    }
    const std::uint32_t last = control_.size - 1;
    if (gap != last) {
        place(gap, control_.dense[last]);
        move(last, gap);
    }
    control_.size = last;
}

}  // namespace crateful
