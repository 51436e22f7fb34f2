// Which entities have a component, and in which slot (rules T1, T2, T4).
#include "crateful/storage.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "crateful/detail/link_index.hpp"
#include "crateful/detail/mark_queue.hpp"
#include "crateful/detail/rollback.hpp"

namespace crateful {

Storage::Storage(const ComponentType& type) : type_(type), policy_(type.policy), plain_(policy_ == Policy::sparse) {
    sync();
}

void Storage::sync() noexcept {
    const Control before = control_;
    control_.flags = flags_.data();
    if (policy_ == Policy::sparse) {
        const SparseSet::Control& set = set_.control();
        control_.entities = set.dense;
        control_.pages = set.pages;
        control_.page_count = set.page_count;
    } else {
        control_.entities = handles_;
        control_.mask = mask_.data();
    }
    const bool moved = control_.entities != before.entities || control_.pages != before.pages ||
                       control_.page_count != before.page_count || control_.mask != before.mask;
    if (moved && host_ != nullptr) host_->storage_changed(type_.id);
}

void Storage::set_handles(const Entity* handles) noexcept {
    handles_ = handles;
    if (policy_ == Policy::linear) sync();
}

std::uint32_t Storage::next_filled(std::uint32_t from) const noexcept {
    if (policy_ == Policy::sparse) return from;
    while (from < control_.extent) {
        const std::uint32_t word = from / 64;
        if (const std::uint64_t bits = mask_[word] >> (from % 64); bits != 0)
            return from + static_cast<std::uint32_t>(std::countr_zero(bits));
        const std::uint32_t next = word + 1;
        if (next / 64 == summary_.size()) return control_.extent;
        const std::uint64_t words = summary_[next / 64] >> (next % 64);  // those that are not 0
        from = 64 * (next + (words == 0 ? 64 - next % 64 : static_cast<std::uint32_t>(std::countr_zero(words))));
    }
    return from;
}

std::uint32_t Storage::next_empty(std::uint32_t from) const noexcept {
    do {
        from += static_cast<std::uint32_t>(std::countr_one(mask_[from / 64] >> (from % 64)));
    } while (from % 64 == 0 && from < control_.extent && filled(from));
    return from;
}

bool Storage::next_slot(IterationPosition& at, std::uint32_t& slot) const noexcept {
    for (;;) {
        slot = next_filled(at.position);
        if (slot >= at.end || slot >= control_.extent) {
            at.position = at.end;
            return false;
        }
        at.position = slot + 1;
        if (at.added == nullptr || (at.added[slot / 64] >> (slot % 64) & 1u) == 0) return true;
    }
}

std::size_t Storage::bytes() const noexcept {
    std::size_t sum = set_.bytes() + (mask_.capacity() + summary_.capacity()) * sizeof(std::uint64_t) +
                      flags_.capacity() + (changes_ == nullptr ? 0 : changes_->bytes());
    for (const internal::LinkIndex* index = links_; index != nullptr; index = index->next) sum += index->bytes();
    return sum;
}

void Storage::notify_changed() noexcept {
    if (host_ != nullptr) host_->storage_changed(type_.id);
}

void Storage::grow(Entity e, std::size_t n) {
    // Also if there is no memory for all of them, arrays may have moved.
    const internal::AtEnd synchronise([&]() noexcept { sync(); });
    std::size_t slots = n;
    if (changes_ != nullptr) changes_->reserve(index_of(e));
    if (policy_ == Policy::sparse) {
        set_.reserve(e, n);
    } else {
        set_.reserve_added();
        slots = std::size_t{index_of(e)} + 1;
        if (slots > mask_.size() * 64) {
            const std::size_t words = std::max((slots + 63) / 64, mask_.size() * 2);
            summary_.resize((words + 63) / 64);  // first, because the size of the mask says whether there is room
            mask_.resize(words);
        }
    }
    if (slots <= capacity_) return;
    const std::size_t few = std::clamp<std::size_t>(1024 / std::max<std::size_t>(type_.value_bytes, 1), 1, 16);
    const std::size_t room = std::max({slots, capacity_ * 2, few});
    if (!flags_.empty()) flags_.resize(room);
    const internal::AtEnd notify([&]() noexcept { notify_changed(); });
    grow_values(room);
    capacity_ = room;
}

void Storage::keep_flags() {
    if (!flags_.empty()) return;
    flags_.resize(std::max(capacity_, std::size_t{1}));
    control_.flags = flags_.data();
    notes_ = true;
    plain_ = false;
}

SparseSet::Place Storage::place_reserved(Entity e) noexcept {
    SparseSet::Place place{index_of(e), false};
    if (policy_ == Policy::sparse) {
        place = place_plain(e);
    } else if (place.appended = place.slot >= control_.extent || !filled(place.slot); place.appended) {
        fill(place.slot, 1);
        ++control_.version;
    } else {
        ++replacements_;
    }
    if (place.appended && notes_) note_added(e, place.slot);
    if (!place.appended) changed(e);
    return place;
}

// These are not inline, because they are rare: most classes have neither flags nor a list.
SparseSet::Place Storage::place_with_notes(Entity e) {
    reserve(e, std::size_t{control_.count} + 1);
    return place_reserved(e);
}
void Storage::note_added(Entity e, std::uint32_t slot) noexcept {
    if (!flags_.empty()) flags_[slot] = 0;
    if (changes_ != nullptr) changes_->add(index_of(e), internal::ChangeList::Kind::added);
    note_links(slot);
}
void Storage::note_moved(std::uint32_t from, std::uint32_t to) noexcept {
    if (!flags_.empty()) flags_[to] = flags_[from];
    note_links(to);
}
void Storage::note_links(std::uint32_t slot) noexcept {
    for (internal::LinkIndex* index = links_; index != nullptr; index = index->next) index->changed(slot);
}
void Storage::list_change(Entity e) noexcept {
    if (changes_ != nullptr) changes_->add(index_of(e));
    if (links_ != nullptr) note_links(slot(e));
}
void Storage::changed(std::span<const Mark> marks) noexcept {
    if (changes_ != nullptr) changes_->add(marks, entities());
    for (internal::LinkIndex* index = links_; index != nullptr; index = index->next) index->changed(marks);
}

void Storage::keep_changes(bool signals) {
    if (changes_ == nullptr) make_changes();
    if (signals) keep_signals();
}

void Storage::keep_links(internal::LinkIndex& index) {
    index.next = std::exchange(links_, &index);
    notes_ = true;
    plain_ = false;
    keep_signals();
}

void Storage::keep_signals() {
    if (!std::exchange(lists_signals_, true)) add_watchers(1);
}

void Storage::make_changes() {
    auto changes = std::make_unique<internal::ChangeList>();
    for (std::uint32_t slot = next_filled(0); slot < control_.extent; slot = next_filled(slot + 1))
        changes->reserve(index_of(entities()[slot]));
    changes_ = std::move(changes);
    notes_ = true;
    plain_ = false;
}

void Storage::reserve(internal::EntityList& list) {
    if (list.size() == 0) return;
    for (const Entity e : list.entities()) {
        if (changes_ != nullptr) changes_->reserve(index_of(e));
    }
    const bool linear = policy_ == Policy::linear;
    if (linear) list.read_indices();
    reserve(linear ? list.last() : list.entities().front(), control_.count + list.size());
    if (linear) return;
    const internal::AtEnd synchronise([&]() noexcept { sync(); });
    set_.reserve(list.entities());
}

internal::SlotList Storage::append(const internal::EntityList& list) noexcept {
    internal::SlotList slots{control_.count, list.size()};
    if (list.size() == 0) return slots;
    if (policy_ == Policy::sparse) {
        set_.append(list.entities());
        control_.count = control_.extent = set_.size();
    } else if (slots = list.indices(); slots.list == nullptr) {
        fill(slots.first, static_cast<std::uint32_t>(slots.n));
    } else {
        for (std::size_t i = 0; i < slots.n; ++i) fill(slots[i], 1);
    }
    ++control_.version;
    for (std::size_t i = 0; notes_ && i < slots.n; ++i) note_added(list.entities()[i], slots[i]);
    return slots;
}

void Storage::erase(std::span<const Entity> entities) noexcept {
    const bool silent = control_.cursors == 0 && changes_ == nullptr;
    if (silent && policy_ == Policy::sparse && set_.erase_end(entities)) {
        control_.count = control_.extent = set_.size();
        ++control_.version;
        return;
    }
    for (const Entity e : entities) {
        const std::uint32_t at = slot(e);
        if (at == ABSENT) continue;
        if (silent && policy_ == Policy::linear) empty(at);
        else erase(e, at);
    }
    ++control_.version;
}

}  // namespace crateful
