#include "crateful/dirty.hpp"

#include "crateful/detail/message.hpp"

namespace crateful {

void DirtySet::keep(Entity e) {
    if (!contains(e)) internal::fail(ErrorCode::bad_argument, {"keep: ", describe(e), " is not in the dirty set"});
    if (running_) kept_.push_back(e);  // otherwise, the next run finds it in any case
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
