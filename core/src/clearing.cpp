// Removing everything (rules K1, T5).
#include <algorithm>
#include <memory>

#include "crateful/detail/structure.hpp"

namespace crateful {

void Storage::clear(Entity kept, internal::ValueArray* spare) noexcept {
    const bool moves_cursors = control_.cursors != 0 && host_ != nullptr;
    const bool reports = moves_cursors || changes_ != nullptr;
    for (std::uint32_t at = next_filled(0); reports && at < control_.extent; at = next_filled(at + 1)) {
        moved(entities()[at]);
        if (moves_cursors) host_->slots_change(entities()[at], type_.id);
    }
    const std::uint32_t from = slot(kept);
    const bool keeps = from != ABSENT;
    const bool exchanges = owns_memory_ && spare != nullptr;
    if (exchanges) capacity_ = exchange_values(*spare, from);
    for (std::uint32_t at = next_filled(0); owns_memory_ && !exchanges && at < control_.extent;
         at = next_filled(at + 1)) {
        if (at != from) reset_value(at);
    }
    if (keeps && from != 0) {
        if (!exchanges) move_value(from, 0);
        if (notes_) note_moved(from, 0);
    }
    ++control_.version;
    if (policy_ == Policy::linear) {
        std::fill(mask_.begin(), mask_.end(), 0);
        std::fill(summary_.begin(), summary_.end(), 0);
        control_.count = control_.extent = 0;
        if (keeps) {  // not by `fill`: it was not added
            mask_[0] = summary_[0] = 1;
            control_.count = control_.extent = 1;
        }
    } else {
        // Not by inserting it again: iterations would then visit it twice.
        for (std::uint32_t at = keeps ? set_.size() : 0; at-- > 0;) {
            if (const Entity e = set_[at]; e != kept) set_.erase_at(e, at, [](std::uint32_t, std::uint32_t) {});
        }
        if (!keeps) set_.clear();
        control_.count = control_.extent = set_.size();
    }
    if (exchanges) notify_changed();
}

namespace internal {

void Structure::clear(FirstError& error) {
    Operation operation(tracking);
    error.guard([&] { tracking.drain_marks(); });
    // All entities stay alive until every `on_remove` was called, so that callbacks can use each other's entities.
    // Entities that callbacks create are never tracked, and are removed as well.
    tracking.clearing = true;
    for (bool again = tracking.may_call_on_remove(); again;) {  // because callbacks may add entities and create aspects
        again = false;
        tracking.pool.each([&](Entity e) {
            if (e == WORLD || !tracking.calls_on_remove(e)) return;
            tracking.stop(e, error);
            again = true;
        });
    }
    error.guard([&] { tracking.drain_marks(); });
    static_cast<void>(tracking.marks().drain());  // without memory they are still in the queue
    tracking.stop_all_except(WORLD);
    error.guard([&] { tracking.unlink_all(WORLD); });
    remove_all(WORLD, error);
}

// Removes all entities, which no system tracks, and all components except those of `kept`.
void Structure::remove_all(Entity kept, FirstError& error) {
    EntityPool& pool = tracking.pool;
    // Values are destroyed when everything else is done (rule T5). Without memory for this, they are destroyed at once.
    std::vector<std::unique_ptr<ValueArray>> removed;
    error.guard([&] {
        removed.resize(tracking.classes().size());
        for (ComponentId id = 0; id < removed.size(); ++id) {
            if (const Storage* s = tracking.find_storage(id); s != nullptr && s->count() > 0)
                removed[id] = s->make_spare();
        }
    });
    for (ComponentId id = 0; id < tracking.classes().size(); ++id) {
        Storage* s = tracking.find_storage(id);
        if (s == nullptr) continue;
        detach_objects(*s, kept);
        s->clear(kept, id < removed.size() ? removed[id].get() : nullptr);
    }
    tracking.clear_links();
    tracking.hierarchy.clear();
    if (kept == NONE) std::fill_n(pool.signature(WORLD), pool.words(), 0);
    // Backwards, so that new entities get indices in ascending order.
    for (std::size_t i = pool.handles().size(); i-- > 1;) {
        if (const Entity e = pool.handles()[i]; index_of(e) == i) destroy(e);
    }
    pending_removals_.clear();
    ++clears_;
    next_removal_ = next_parent_ = 0;
    tracking.clearing = false;
}

void Structure::recover() noexcept {
    tracking.abandon();
    while (!tracking.parked.empty()) unpark();
}

bool Structure::empty() const noexcept {
    return std::none_of(tracking.classes().begin(), tracking.classes().end(), [](const auto& cls) {
        return cls && cls->storage->owns_memory() && cls->storage->count() > 0;
    });
}

void Structure::destroy_all() {
    Operation operation(tracking);
    FirstError error;
    remove_all(NONE, error);
}

}  // namespace internal
}  // namespace crateful
