// Adding and removing entities (rules E1 to E7).
#include "crateful/ecs.hpp"

#include <algorithm>
#include <utility>

#include "operation.hpp"

namespace crateful {

ECS::ECS() { add_entity(); }  // the world, which gets the handle 0
ECS::~ECS() = default;

void ECS::throw_stale(Entity e, const char* call) const {
    internal::fail(ErrorCode::stale_entity, {call, ": ", describe(e), " is not alive"});
}

// --- adding ---------------------------------------------------------------------------------------

// Linear storages refer to the table of handles, which may have moved.
void ECS::update_handles() noexcept {
    for (const auto& cls : classes_) {
        if (cls && cls->storage) cls->storage->set_handles(pool_.handles().data());
    }
}

Entity ECS::add_entity() {
    const Entity* const table_before = pool_.handles().data();
    const Entity e = pool_.create();
    if (pool_.handles().data() != table_before) update_handles();
    return e;
}

std::vector<Entity> ECS::add_entities(std::size_t n) {
    if (n > EntityPool::MAX_ENTITIES) pool_.reserve(n);  // throws before memory for `n` handles is allocated
    std::vector<Entity> all(n);
    add_entities(all);
    return all;
}

void ECS::add_entities(std::span<Entity> out) {
    const Entity* const table_before = pool_.handles().data();
    pool_.create(out);
    if (pool_.handles().data() != table_before) update_handles();
}

// --- removing -------------------------------------------------------------------------------------

void ECS::remove_entity(Entity e) { remove_entities(std::span(&e, 1)); }

void ECS::remove_entities(std::span<const Entity> entities) {
    for (const Entity e : entities) {
        require_alive(e, "remove_entity");
        if (e == world())
            internal::fail(ErrorCode::bad_argument, {"remove_entity: the world exists as long as its ECS"});
    }
    if (pending_removals_.size() + entities.size() > pending_removals_.capacity()) {
        pending_removals_.reserve(
            std::max(pending_removals_.size() + entities.size(), pending_removals_.capacity() * 2));
    }
    for (const Entity e : entities) mark_for_removal(e);
}

void ECS::mark_for_removal(Entity e) {
    std::uint32_t& flags = *pool_.signature(e);
    if ((flags & EntityPool::REMOVAL_PENDING) != 0) return;
    pending_removals_.push_back(e);
    flags |= EntityPool::REMOVAL_PENDING;
}

// Stops the tracking of an entity by all systems, in running order.
void ECS::untrack_from_all(Entity e, FirstError& error) {
    const std::size_t base = untracking_.size();
    const auto gather = [&](ComponentId id) {
        for (const Entry& r : classes_[id]->requiring) {
            SystemBase* system = r.system;
            if (system == nullptr || !system->tracks(e)) continue;
            // Insert in running order, each system once. Few systems track one entity, so this is fast enough.
            std::size_t at = untracking_.size();
            while (at > base && system->runs_before(*untracking_[at - 1])) --at;
            if (at > base && untracking_[at - 1] == system) continue;
            untracking_.insert(untracking_.begin() + static_cast<std::ptrdiff_t>(at), system);
        }
    };
    pool_.each_class(e, gather);
    // If `on_remove` calls clear() while a component is removed, the entity no longer has that component, but systems
    // that require it may still have to be notified.
    for (const Parked& parked : parked_) {
        if (parked.entity == e) gather(parked.id);
    }
    for (std::size_t i = base; i < untracking_.size(); ++i) {
        // The callback of an earlier system may have ended the tracking.
        if (untracking_[i]->tracks(e)) untrack(*untracking_[i], e, error);
    }
    untracking_.resize(base);
}

// Whether the removal of the entity calls `on_remove` of a system.
bool ECS::calls_on_remove(Entity e) const {
    bool calls = false;
    const auto ask = [&](const Entry& r) {
        calls = calls || (r.system != nullptr && r.system->notifies_remove_ != 0 && r.system->tracks(e));
    };
    pool_.each_class(e, [&](ComponentId id) {
        for (const Entry& r : classes_[id]->leading) {
            // Not `selects`: while its components change, a system can track an entity that it no longer selects.
            const std::uint32_t* bits = pool_.signature(e);
            if ((bits[0] & r.first_word) == r.first_word && r.system != nullptr && has_required(*r.system, bits))
                ask(r);
        }
    });
    // While a component is removed, the entity no longer has it, but systems that require it may still track the entity.
    for (const Parked& parked : parked_) {
        if (parked.entity == e)
            std::for_each(classes_[parked.id]->requiring.begin(), classes_[parked.id]->requiring.end(), ask);
    }
    return calls;
}

// Whether there can be an `on_remove` to call.
bool ECS::may_call_on_remove() const {
    const auto listens = [](const auto& system) { return system->notifies_remove_ != 0; };
    return !parked_.empty() || !removed_systems_.empty() || std::any_of(systems_.begin(), systems_.end(), listens);
}

// How many of the first entities can be removed without a call of `on_remove`.
std::size_t ECS::count_silent(std::span<const Entity> entities) const {
    if (!may_call_on_remove()) return entities.size();
    const auto calls = [&](Entity e) { return calls_on_remove(e); };
    return static_cast<std::size_t>(std::find_if(entities.begin(), entities.end(), calls) - entities.begin());
}

// Removes living entities whose removal calls no `on_remove`: class by class, because the order has no effect. The mark queue
// must be empty.
void ECS::remove_silently(std::span<const Entity> entities) {
    std::uint32_t flags = (1u << EntityPool::FLAG_BITS) - 1;
    for (std::size_t w = 0; w < pool_.words(); ++w) {
        std::uint32_t any = 0;
        for (const Entity e : entities) any |= pool_.signature(e)[w];
        any &= ~std::exchange(flags, 0);
        for (; any != 0; any &= any - 1) {
            const ComponentId id = EntityPool::class_at(w, any);
            const auto has = [&, mask = EntityPool::ClassBit(id).mask](Entity e) {
                return (pool_.signature(e)[w] & mask) != 0;
            };
            ComponentClass& cls = *classes_[id];
            erase_from(cls, entities, static_cast<std::size_t>(std::count_if(entities.begin(), entities.end(), has)));
            for (const Entry& r : cls.leading) stop_tracking(r, cls, entities);
        }
    }
    for (const Entity e : entities) destroy_handle(e);
}

void ECS::destroy_handle(Entity e) {
    if (!hierarchy_.empty()) hierarchy_.erase(e);
    if (host_ != nullptr && (*pool_.signature(e) & EntityPool::NOTIFIES_REMOVAL) != 0) host_->entity_destroyed(e);
    pool_.destroy(e);
}

// Erases the components of one class; `n` of the entities have one.
void ECS::erase_from(ComponentClass& cls, std::span<const Entity> entities, std::size_t n) {
    if (n == cls.storage->count()) return erase_all(*cls.storage);
    // Backwards: of entities that were created one after the other, each is then the last, so that no value moves.
    for (std::size_t i = entities.size(); i-- > 0;) erase_from(*cls.storage, entities[i]);
}

// A system requires a class, and these entities have no component of it any more: the system stops tracking them.
void ECS::stop_tracking(const Entry& r, const ComponentClass& cls, std::span<const Entity> entities) noexcept {
    if (r.system == nullptr) return;
    if (cls.storage->count() == 0) return r.system->stop_tracking_all();
    for (std::size_t i = entities.size(); i-- > 0;) r.system->stop_tracking(entities[i]);
}

void ECS::erase_all(Storage& s) {
    for (std::uint32_t slot = 0; host_ != nullptr && slot < s.extent(); ++slot) {
        if (s.has_object(slot) && s.filled(slot)) host_->component_detached(s.entities()[slot], s.type().id, true);
    }
    s.clear();
}

// Erases the component, if the entity has one.
void ECS::erase_from(Storage& s, Entity e) {
    if (const std::uint32_t slot = s.slot(e); slot != Storage::ABSENT) erase_from(s, e, slot);
}

// The children of entities that are marked for removal are marked too, behind them (rule H2).
void ECS::mark_children() {
    next_parent_ = std::max(next_parent_, next_removal_);  // those before were removed: their indices may be used again
    if (hierarchy_.empty()) return;
    for (; next_parent_ < pending_removals_.size(); ++next_parent_) mark_children(pending_removals_[next_parent_]);
}
void ECS::mark_children(Entity parent) {
    const Hierarchy::Index node = hierarchy_.find(parent);
    if (node == Hierarchy::NO_NODE) return;
    for (Hierarchy::Index at = hierarchy_[node].first; at != Hierarchy::NO_NODE; at = hierarchy_[at].next)
        mark_for_removal(hierarchy_[at].entity);
}

void ECS::run_removal_phase(FirstError& error) {
    // Callbacks may request more removals, which are performed in the same phase (rule E3), or clear the ECS.
    while (next_removal_ < pending_removals_.size()) {
        error.guard([&] { drain_marks(); });  // marks contain slots, which change now
        mark_children();
        const std::span<const Entity> all(pending_removals_);
        const std::size_t first = next_removal_;
        const std::size_t silent = count_silent(all.subspan(first));
        next_removal_ += silent;
        remove_silently(all.subspan(first, silent));
        if (next_removal_ == all.size()) break;
        const Entity e = pending_removals_[next_removal_++];
        being_removed_ = e;
        untrack_from_all(e, error);
        being_removed_ = NONE;
        error.guard([&] { drain_marks(); });
        if (!alive(e)) continue;
        mark_children(e);  // callbacks may have added some
        pool_.each_class(e, [&](ComponentId id) { erase_from(*classes_[id]->storage, e); });
        destroy_handle(e);
    }
    pending_removals_.clear();
    next_removal_ = next_parent_ = 0;
}

void ECS::remove_marked() {
    if (updating_ || depth_ > 0) {
        internal::fail(ErrorCode::reentrant_update,
                       {"remove_marked: it was called inside a callback; call it after the callback has returned"});
    }
    Operation operation(*this);
    FirstError error;
    run_removal_phase(error);
    error.rethrow();
}

}  // namespace crateful
