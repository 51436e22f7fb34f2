// Sorting the components of a class (rule T6).
#include <utility>

#include "crateful/detail/message.hpp"
#include "crateful/detail/structure.hpp"

namespace crateful {

void Storage::reorder(std::span<std::uint32_t> order) {
    const auto n = static_cast<std::uint32_t>(order.size());
    if (n == 0) return;
    reserve(set_[0], std::size_t{n} + 1);  // the first free slot contains a component meanwhile
    if (control_.cursors != 0 && host_ != nullptr) host_->slots_change(set_[0], type_.id);
    ++control_.version;
    const auto move = [&](std::uint32_t from, std::uint32_t to) {
        set_.copy(from, to);
        move_value(from, to);
        if (notes_) note_moved(from, to);
        moved(set_[to]);
    };
    for (std::uint32_t first = 0; first < n; ++first) {
        if (order[first] == first) continue;
        move(first, n);
        std::uint32_t to = first;
        for (std::uint32_t from = order[to]; from != first; from = order[to]) {
            move(from, to);
            order[to] = to;
            to = from;
        }
        move(n, to);
        order[to] = to;
    }
    if (owns_memory_) reset_value(n);
}

void Storage::swap(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t free = set_.size();
    if (control_.cursors != 0 && host_ != nullptr) host_->slots_change(set_[a], type_.id);
    ++control_.version;
    const std::uint32_t moves[][2] = {{a, free}, {b, a}, {free, b}};
    for (const auto [from, to] : moves) {
        move_value(from, to);
        if (notes_) note_moved(from, to);
    }
    set_.swap(a, b);
    if (owns_memory_) reset_value(free);
}

namespace internal {

Storage& Structure::begin_sort(ComponentId id) {
    tracking.require_unlocked("sort");
    Storage& s = storage(id);
    if (s.policy() == Policy::linear) {
        fail(ErrorCode::bad_argument,
             {"sort: the policy of ", s.type().name, " is linear, so it is in the order of the indices of entities"});
    }
    if (s.set().iterating()) {
        fail(ErrorCode::bad_argument,
             {"sort: an iteration over ", s.type().name, " has not ended; call it outside of the loop"});
    }
    s.set().end_begun();
    tracking.drain_marks();  // marks contain slots
    return s;
}

void Structure::fail_sort(const Storage& s) {
    fail(ErrorCode::bad_argument, {"sort: the function added, removed or sorted components of ", s.type().name,
                                   ", or began an iteration over them that has not ended; it may only compare them"});
}

}  // namespace internal
}  // namespace crateful
