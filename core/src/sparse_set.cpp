#include "crateful/detail/sparse_set.hpp"

#include <algorithm>
#include <cstring>

namespace crateful {

// With this page in place of a null pointer, a look-up needs no branch for missing pages.
std::uint32_t* SparseSet::empty_page() noexcept {
    static const struct Page {
        Page() { std::fill(std::begin(entries), std::end(entries), SparseSet::EMPTY); }
        std::uint32_t entries[SparseSet::ENTRIES_PER_PAGE];
    } page;
    return const_cast<std::uint32_t*>(page.entries);  // never written: grow() replaces it before an entry is set
}

SparseSet::~SparseSet() { free_memory(); }

void SparseSet::free_memory() noexcept {
    take_back_positions();
    for (std::uint32_t* page : pages_) {
        if (page != empty_page()) delete[] page;
    }
    pages_ = std::vector<std::uint32_t*>();
    dense_ = std::vector<Entity>();
    control_ = {};
}

std::size_t SparseSet::bytes() const noexcept {
    const auto filled =
        pages_.size() - static_cast<std::size_t>(std::count(pages_.begin(), pages_.end(), empty_page()));
    return filled * ENTRIES_PER_PAGE * sizeof(std::uint32_t) + pages_.capacity() * sizeof(std::uint32_t*) +
           dense_.size() * sizeof(Entity);
}

void SparseSet::grow(Entity e, std::size_t n) {
    const std::size_t page = index_of(e) >> PAGE_BITS;
    if (page >= pages_.size()) {
        pages_.resize(page + 1, empty_page());
        control_.pages = pages_.data();
        control_.page_count = static_cast<std::uint32_t>(pages_.size());
    }
    if (pages_[page] == empty_page_) {
        auto* entries = new std::uint32_t[ENTRIES_PER_PAGE];
        std::fill_n(entries, ENTRIES_PER_PAGE, EMPTY);
        pages_[page] = entries;
    }
    reserve(n);
}

void SparseSet::reserve(std::size_t n) {
    if (n <= dense_.size()) return;
    take_back_positions();
    dense_.resize(std::max(n, dense_.size() * 2));
    control_.dense = dense_.data();
}

// Entities that were created together are mostly in the same page. So these two functions look up a page only if it is
// another one than that of the entity before.
void SparseSet::reserve(std::span<const Entity> entities) {
    std::uint32_t page = ~0u;
    for (const Entity e : entities) {
        if (index_of(e) >> PAGE_BITS == page) continue;
        reserve(e, std::size_t{control_.size} + entities.size());
        page = index_of(e) >> PAGE_BITS;
    }
}

void SparseSet::append(std::span<const Entity> entities) noexcept {
    std::uint32_t page = ~0u;
    std::uint32_t* entries = nullptr;
    std::uint32_t at = control_.size;
    if (!entities.empty()) std::memcpy(control_.dense + at, entities.data(), entities.size_bytes());
    for (const Entity e : entities) {
        if (index_of(e) >> PAGE_BITS != page) {
            page = index_of(e) >> PAGE_BITS;
            entries = control_.pages[page];
        }
        entries[index_of(e) & (ENTRIES_PER_PAGE - 1)] = entry(e, at++);
    }
    control_.size = at;
}

bool SparseSet::erase_in_order(Entity e) noexcept {
    const std::uint32_t at = slot(e);
    if (at == ABSENT) return false;
    take_back_positions();
    entry_of(e) = EMPTY;
    for (std::uint32_t i = at + 1; i < control_.size; ++i) put(i - 1, dense_[i]);
    --control_.size;
    for (IterationPosition* p = positions_; p != nullptr; p = p->next) {
        if (p->position > at) --p->position;
        if (p->end > at && p->end != IterationPosition::UNLIMITED) --p->end;
    }
    return true;
}

bool SparseSet::erase_end(std::span<const Entity> entities) noexcept {
    if (positions_ != nullptr) return false;
    const std::uint32_t size = control_.size;
    for (const Entity e : entities) {
        if (const std::uint32_t at = slot(e); at != ABSENT && at + entities.size() < size) return false;
    }
    std::uint32_t lowest = size;
    std::uint32_t n = 0;
    for (const Entity e : entities) {
        const std::uint32_t at = slot(e);
        if (at == ABSENT) continue;  // also an entity that is in the list twice
        entry_of(e) = EMPTY;
        lowest = std::min(lowest, at);
        ++n;
    }
    if (lowest == size - n) {
        control_.size = lowest;
        return true;
    }
    for (std::uint32_t at = lowest; at < size; ++at) entry_of(control_.dense[at]) = entry(control_.dense[at], at);
    return false;
}

void SparseSet::clear() noexcept {
    take_back_positions();
    for (const Entity e : entities()) entry_of(e) = EMPTY;
    control_.size = 0;
    for (IterationPosition* p = positions_; p != nullptr; p = p->next) {
        p->position = 0;
        if (p->end != IterationPosition::UNLIMITED) p->end = 0;
    }
}

void SparseSet::erase_first(std::uint32_t n) noexcept {
    if (n == control_.size) return clear();
    take_back_positions();
    for (std::uint32_t i = 0; i < n; ++i) entry_of(dense_[i]) = EMPTY;
    for (std::uint32_t i = n; i < control_.size; ++i) put(i - n, dense_[i]);
    control_.size -= n;
    for (IterationPosition* p = positions_; p != nullptr; p = p->next) p->position -= std::min(p->position, n);
}

// Not inline, because GCC 12 then takes a linked local variable for a dangling pointer.
void SparseSet::link(IterationPosition& position) const noexcept {
    position.next = positions_;
    position.link = &positions_;
    if (positions_ != nullptr) positions_->link = &position.next;
    positions_ = &position;
}

void SparseSet::unlink(IterationPosition& position) const noexcept {
    *position.link = position.next;
    if (position.next != nullptr) position.next->link = position.link;
}

void SparseSet::reserve_added() {
    for (IterationPosition* p = positions_; p != nullptr; p = p->next) {
        if (!lacks_added(*p)) continue;
        p->added_bits.assign((p->end + 63) / 64, 0);
        p->added = p->added_bits.data();
    }
}

std::uint32_t SparseSet::boundary_above(std::uint32_t gap) const noexcept {
    std::uint32_t found = 0;
    for (const IterationPosition* p = positions_; p != nullptr; p = p->next) {
        for (const std::uint32_t at : {p->position, p->end}) {
            // A position in a dirty set may be beyond the end (`DirtySet::visit`); then it is no boundary.
            if (at > gap && at <= control_.size && (found == 0 || at < found)) found = at;
        }
    }
    return found;
}

void SparseSet::step_back(std::uint32_t boundary) noexcept {
    for (IterationPosition* p = positions_; p != nullptr; p = p->next) {
        if (p->position == boundary) --p->position;
        if (p->end == boundary) --p->end;
    }
}

}  // namespace crateful
