// Clearing the ECS (rule K1).
#include "crateful/ecs.hpp"
#include "operation.hpp"

namespace crateful {

void ECS::clear() {
    if (clearing_ != Clearing::no) return;  // called in a callback of clear()
    Operation operation(*this);
    FirstError error;
    drain_marks();

    // All entities stay alive until every `on_remove` was called, so that callbacks can use each other's entities.
    // Entities that callbacks create are never tracked, and are removed as well.
    clearing_ = Clearing::removing;
    for (bool again = may_call_on_remove(); again;) {  // because callbacks may add entities and create aspects
        again = false;
        pool_.each([&](Entity e) {
            if (e == world() || !calls_on_remove(e)) return;
            untrack_from_all(e, error);
            again = true;
        });
    }
    error.guard([&] { drain_marks(); });
    for (const auto& system : systems_) system->stop_tracking_all_except(world());
    for (const auto& cls : classes_) {
        if (!cls) continue;
        if (cls->storage->has(world())) erase_all_except(*cls->storage, world());
        else erase_all(*cls->storage);
    }
    hierarchy_.clear();
    // Backwards, so that new entities get indices in ascending order.
    for (std::size_t i = pool_.handles().size(); i-- > 1;) {
        if (const Entity e = pool_.handles()[i]; index_of(e) == i) destroy_handle(e);
    }
    pending_removals_.clear();
    next_removal_ = next_parent_ = 0;

    clearing_ = Clearing::notifying;
    error.guard([&] {
        for (SystemBase* system : systems()) {
            if (system->state_ != SystemBase::State::removed) error.guard([&] { system->on_clear(); });
        }
    });
    events.clear();
    if (host_ != nullptr) error.guard([&] { host_->cleared(); });
    clearing_ = Clearing::no;
    error.rethrow();
}

void ECS::erase_all_except(Storage& s, Entity kept) {
    for (std::uint32_t slot = s.extent(); slot-- > 0;) {
        if (const Entity e = s.entities()[slot]; s.filled(slot) && e != kept) erase_from(s, e, slot);
    }
}

}  // namespace crateful
