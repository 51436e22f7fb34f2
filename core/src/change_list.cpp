#include "crateful/detail/change_list.hpp"

#include <algorithm>

#include "crateful/detail/mark_queue.hpp"
#include "crateful/detail/prefetch.hpp"

namespace crateful::internal {

void ChangeList::reserve(std::uint32_t index) {
    if (stamps_.find(index) != nullptr) return;
    constexpr std::size_t PAGE = 64;
    if (const std::size_t n = 2 * (stamps_.size() + PAGE); n > log_.size())
        log_.resize(std::max(n, log_.size() + log_.size() / 4));
    stamps_.make(index);
}

void ChangeList::add(std::uint32_t index, Kind kind) noexcept {
    Stamp& stamp = stamps_[index];
    if (stamp.changed != now_) {
        if (end_ == log_.size()) drop_old();
        stamp.changed = now_;
        log_[end_++] = {index, now_};
    }
    if (kind != Kind::place) stamp.signaled = now_;
    if (kind == Kind::added) stamp.added = now_;
}

void ChangeList::add(std::span<const Mark> marks, std::span<const Entity> entities) noexcept {
    in_groups(
        marks.size(), [&](std::size_t k) { prefetch(&stamps_[index_of(entities[marks[k].first])]); },
        [&](std::size_t k) {
            for (const Entity e : entities.subspan(marks[k].first, marks[k].end - marks[k].first)) add(index_of(e));
        });
}

void ChangeList::drop_old() noexcept {
    const auto end = log_.begin() + static_cast<std::ptrdiff_t>(end_);
    const auto kept = std::remove_if(log_.begin(), end, [&](const Change& each) { return !is_last(each); });
    end_ = static_cast<std::size_t>(kept - log_.begin());
}

// In a new era, all changes are older than the first time that is read then.
void ChangeList::pass() noexcept {
    if (++now_ != 0) return;
    drop_old();
    for (Change& each : std::span(log_).first(end_)) {
        stamps_[each.index] = {1, 1, 1};
        each.time = 1;
    }
    now_ = 2;
    ++era_;
}

}  // namespace crateful::internal
