// Creating and removing entities (rules E1 to E11, H2, T5).
#include <algorithm>
#include <utility>

#include "crateful/detail/message.hpp"
#include "crateful/detail/structure.hpp"

namespace crateful::internal {

void Structure::fail_stale(Entity e, const char* call) const {
    fail(ErrorCode::stale_entity, {call, ": ", to_string(e), " is not alive"});
}

// --- creating -------------------------------------------------------------------------------------

Entity Structure::add_entity() {
    tracking.require_unlocked("add_entity");
    const Entity* const before = tracking.pool.handles().data();
    const Entity e = tracking.pool.create();
    if (tracking.pool.handles().data() != before) tracking.handles_moved();
    return e;
}

void Structure::add_entities(std::span<Entity> out) {
    tracking.require_unlocked("add_entities");
    const Entity* const before = tracking.pool.handles().data();
    tracking.pool.create(out);
    if (tracking.pool.handles().data() != before) tracking.handles_moved();
}

// --- marking for removal --------------------------------------------------------------------------

std::size_t Structure::mark_for_removal(std::span<const Entity> entities) {
    tracking.require_unlocked("remove_entity");
    for (const Entity e : entities) {
        require_alive(e, "remove_entity");
        if (e == WORLD) fail(ErrorCode::bad_argument, {"remove_entity: the world exists as long as its ECS"});
    }
    if (pending_removals_.size() + entities.size() > pending_removals_.capacity()) {
        pending_removals_.reserve(
            std::max(pending_removals_.size() + entities.size(), pending_removals_.capacity() * 2));
    }
    const std::size_t before = pending_removals_.size();
    for (const Entity e : entities) mark_one(e);
    return pending_removals_.size() - before;
}

void Structure::mark_one(Entity e) {
    std::uint32_t& flags = *tracking.pool.signature(e);
    if ((flags & EntityPool::REMOVAL_PENDING) != 0) return;
    pending_removals_.push_back(e);
    flags |= EntityPool::REMOVAL_PENDING;
}

// A child is removed with its parent, also one that was marked before a phase which removes others.
void Structure::mark_child(Entity e) {
    mark_one(e);
    if (set_aside_ == nullptr) return;
    const auto at = std::find(set_aside_->begin(), set_aside_->end(), e);
    if (at == set_aside_->end()) return;
    pending_removals_.push_back(e);
    set_aside_->erase(at);
}

// The children of entities that are marked for removal are marked too, behind them (rule H2).
void Structure::mark_children() {
    next_parent_ = std::max(next_parent_, next_removal_);  // those before were removed: their indices may be used again
    if (tracking.hierarchy.empty()) return;
    for (; next_parent_ < pending_removals_.size(); ++next_parent_) mark_children(pending_removals_[next_parent_]);
}
void Structure::mark_children(Entity parent) {
    const Hierarchy& hierarchy = tracking.hierarchy;
    const Hierarchy::Index node = hierarchy.find(parent);
    if (node == Hierarchy::NO_NODE) return;
    for (Hierarchy::Index at = hierarchy[node].first; at != Hierarchy::NO_NODE; at = hierarchy[at].next)
        mark_child(hierarchy[at].entity);
}

// --- removing -------------------------------------------------------------------------------------

void Structure::remove_marked(FirstError& error) {
    Operation operation(tracking);
    // Callbacks and destructors may request more removals, which are performed in the same phase (rule E3), or clear the ECS.
    while (next_removal_ < pending_removals_.size()) {
        bool ready = false;
        std::span<const Entity> all;
        std::size_t silent = 0;
        error.guard([&] {
            tracking.drain_marks();  // marks contain slots, which change now
            mark_children();
            all = std::span(pending_removals_).subspan(next_removal_);
            silent = count_silent(all);
            ready = true;
        });
        if (!ready) return;  // without memory, the rest waits for the next update
        next_removal_ += silent;
        remove_silently(all.first(silent));
        if (silent < all.size() && !remove_one(pending_removals_[next_removal_], error)) return;
    }
    pending_removals_.clear();
    next_removal_ = next_parent_ = 0;
}

void Structure::remove_now(std::span<const Entity> entities, FirstError& error) {
    std::vector<Entity> others;
    for (const Entity e : entities) {
        if (alive(e)) others.push_back(e);
    }
    for (const Entity e : others) *tracking.pool.signature(e) |= EntityPool::REMOVAL_PENDING;
    const auto exchange = [&] {
        others.swap(pending_removals_);
        next_removal_ = next_parent_ = 0;
    };
    exchange();
    set_aside_ = &others;
    remove_marked(error);
    set_aside_ = nullptr;
    exchange();
    std::erase_if(pending_removals_, [&](Entity e) { return !alive(e); });
    // Without memory, some are left.
    for (const Entity e : others) {
        if (!alive(e) || std::find(pending_removals_.begin(), pending_removals_.end(), e) != pending_removals_.end())
            continue;
        if (!error.guard([&] { pending_removals_.push_back(e); }))
            *tracking.pool.signature(e) &= ~EntityPool::REMOVAL_PENDING;
    }
}

// How many of the first entities can be removed without a call of the user's functions, and without a signal of links, whose order
// would depend on whether there are callbacks.
std::size_t Structure::count_silent(std::span<const Entity> entities) {
    const bool calls = tracking.may_call_on_remove() || tracking.any_owns_memory();
    if (!calls && !tracking.any_links()) return entities.size();
    const auto stops = [&](Entity e) {
        return tracking.is_linked(e) || (calls && (tracking.owns_memory(e) || tracking.calls_on_remove(e)));
    };
    return static_cast<std::size_t>(std::find_if(entities.begin(), entities.end(), stops) - entities.begin());
}

// Removes such entities class by class. In each storage and each system, they are removed in the order of the list, as if they
// had been removed one after the other (rule E3). The mark queue must be empty.
void Structure::remove_silently(std::span<const Entity> entities) {
    EntityPool& pool = tracking.pool;
    std::uint32_t flags = (1u << EntityPool::FLAG_BITS) - 1;
    for (std::size_t w = 0; w < pool.words(); ++w) {
        std::uint32_t any = 0;
        for (const Entity e : entities) any |= pool.signature(e)[w];
        any &= ~std::exchange(flags, 0);
        for (; any != 0; any &= any - 1) {
            const ComponentId id = EntityPool::class_at(w, any);
            const auto has = [&, mask = EntityPool::ClassBit(id).mask](Entity e) {
                return (pool.signature(e)[w] & mask) != 0;
            };
            ComponentClass& cls = *tracking.find_class(id);
            erase(cls, entities, static_cast<std::size_t>(std::count_if(entities.begin(), entities.end(), has)));
            Tracking::stop_all(cls.leading, cls, entities);
        }
    }
    for (const Entity e : entities) destroy(e);
}

// Removes the next of the marked entities, with callbacks. Returns false if that must be repeated, because there is no memory.
bool Structure::remove_one(Entity e, FirstError& error) {
    tracking.being_removed = e;
    tracking.stop(e, error);
    tracking.being_removed = NONE;
    if (!alive(e)) return true;  // callbacks have cleared the ECS
    bool ready = false;
    error.guard([&] {
        tracking.drain_marks();
        mark_children(e);  // callbacks may have added some
        tracking.unlink(e);
        ready = true;
    });
    if (!ready) return false;
    ++next_removal_;
    // The values are destroyed when the entity does not exist any more (rule T5).
    std::size_t parked = 0;
    tracking.pool.each_class(e, [&](ComponentId id) {
        Storage& s = storage(id);
        const std::uint32_t slot = s.slot(e);
        if (s.owns_memory()) {
            error.guard([&] {
                reserve_parked(s);
                park(e, s, slot);
                ++parked;
            });
        }
        erase(s, e, slot);
    });
    destroy(e);
    for (; parked > 0; --parked) unpark();
    return true;
}

void Structure::destroy(Entity e) {
    if (!tracking.hierarchy.empty()) tracking.hierarchy.erase(e);
    if (tracking.host != nullptr && (*tracking.pool.signature(e) & EntityPool::NOTIFIES_REMOVAL) != 0)
        tracking.host->entity_destroyed(e);
    tracking.pool.destroy(e);
}

}  // namespace crateful::internal
