#include "crateful/dirty.hpp"

#include <algorithm>

#include "crateful/detail/message.hpp"

namespace crateful {

void DirtySet::keep(Entity e) {
    if (!contains(e)) internal::fail(ErrorCode::bad_argument, {"keep: ", to_string(e), " is not in the dirty set"});
    if (running_) kept_.push_back(e);  // otherwise, the next run finds it in any case
}

DirtySet::Of DirtySet::of(ComponentId id) {
    const std::uint32_t causes = causes_.of(id);
    drain();
    if (!causes_.kept()) {
        causes_.keep(set_.entities());
        forget_reached();  // without causes
    }
    return {*this, causes};
}

std::uint32_t internal::DirtyCauses::of(ComponentId id) const {
    const auto has_id = [&](const Watched& watched) { return watched.id == id; };
    const auto found = std::find_if(classes_.begin(), classes_.end(), has_id);
    if (found == classes_.end())
        fail(ErrorCode::bad_argument, {"dirty.of: the system does not watch ", registry::type(id).name});
    if (classes_.size() > MOST_CLASSES)
        fail(ErrorCode::bad_argument, {"dirty.of: the system watches more than 31 classes; use two systems"});
    return found->causes;
}

void internal::DirtyCauses::reserve(Entity e) {
    const std::size_t n = std::size_t{index_of(e)} + 1;
    if (n <= causes_.size()) return;
    causes_.resize(std::max(n, 2 * causes_.size()));
    data_ = causes_.data();
}

void internal::DirtyCauses::keep(std::span<const Entity> entities) {
    std::size_t n = std::max<std::size_t>(causes_.size(), 1);
    for (const Entity e : entities) n = std::max(n, std::size_t{index_of(e)} + 1);
    causes_.resize(n);
    data_ = causes_.data();  // from here on they are kept
    for (const Entity e : entities) set(e, ALL);
}

void DirtySet::mark_with(Entity e, std::uint32_t causes) {
    causes_.reserve(e);
    if (set_.insert_alive(e)) causes_.set(e, causes);
    else causes_.add(e, causes);
}

bool DirtySet::reach_with(std::uint32_t at, std::uint32_t causes) {
    if (reached_causes_.size() < reached_.size()) reached_causes_.resize(reached_.size());
    const std::uint32_t before = reach(at) ? 0 : reached_causes_[at];
    reached_causes_[at] = before | causes;
    return (causes & ~before) != 0;
}

void DirtySet::erase_visited() noexcept {
    forget_reached();
    const bool sorted = is_top_down();
    std::erase_if(kept_, [&](Entity e) { return set_.slot(e) >= last_visited_; });
    set_.erase_front(last_visited_);
    sorted_ = sorted ? set_.size() : UNSORTED;
    for (const Entity e : kept_) set_.insert_alive(e);  // there is room
}

}  // namespace crateful
