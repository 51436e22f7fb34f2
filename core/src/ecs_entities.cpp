// Adding and removing entities (rules E1 to E7).
#include "crateful/ecs.hpp"

#include <algorithm>
#include <bit>

#include "operation.hpp"

namespace crateful {

ECS::ECS() = default;
ECS::~ECS() = default;

void ECS::throw_stale(Entity e, const char* call) const {
    internal::fail(ErrorCode::stale_entity, {call, ": ", describe(e), " is not alive"});
}

// --- adding ---------------------------------------------------------------------------------------

void ECS::reserve_signatures(std::size_t entities, std::size_t words) {
    if (words > signature_words_) {
        std::vector<std::uint64_t> wider(std::max(signatures_.size() / signature_words_, entities) * words);
        for (std::size_t i = 0; i < signatures_.size(); ++i) {
            wider[i / signature_words_ * words + i % signature_words_] = signatures_[i];
        }
        signatures_ = std::move(wider);
        signature_words_ = words;
    }
    const std::size_t need = entities * signature_words_;
    if (need > signatures_.size()) {
        if (need > signatures_.capacity()) signatures_.reserve(std::max(need, signatures_.capacity() * 2));
        signatures_.resize(need);
    }
}

// Linear storages refer to the table of handles, which may have moved.
void ECS::update_handles() noexcept {
    for (const auto& cls : classes_) {
        if (cls && cls->storage) cls->storage->set_handles(pool_.handles().data());
    }
}

Entity ECS::add_entity() {
    Entity e = NONE;
    add_entities(std::span(&e, 1));
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
    // The largest number of indices that may be needed; fewer if some are reused.
    reserve_signatures(pool_.handles().size() + out.size(), signature_words_);
    pool_.reserve(out.size());  // last, because nothing may throw after the table of handles has moved
    for (Entity& e : out) {
        e = pool_.create();
        if (signature_words_ == 1) *signature(e) = 0;
        else std::fill_n(signature(e), signature_words_, 0);
    }
    if (pool_.handles().data() != table_before) update_handles();
}

// --- removing -------------------------------------------------------------------------------------

void ECS::remove_entity(Entity e) { remove_entities(std::span(&e, 1)); }

void ECS::remove_entities(std::span<const Entity> entities) {
    for (const Entity e : entities) require_alive(e, "remove_entity");
    if (pending_removals_.size() + entities.size() > pending_removals_.capacity()) {
        pending_removals_.reserve(
            std::max(pending_removals_.size() + entities.size(), pending_removals_.capacity() * 2));
    }
    for (const Entity e : entities) {
        if (pool_.removal_pending(e)) continue;
        pool_.set_removal_pending(e);
        pending_removals_.push_back(e);
    }
}

// Calls `visit(id)` for each class that the entity has a component of.
template <class Visit>
void ECS::each_class(Entity e, Visit&& visit) {
    for (std::size_t w = 0; w < signature_words_; ++w) {
        for (std::uint64_t bits = signature(e)[w]; bits != 0; bits &= bits - 1) {
            visit(static_cast<ComponentId>(w * 64) + static_cast<ComponentId>(std::countr_zero(bits)));
        }
    }
}

// Stops the tracking of an entity by all systems, in running order.
void ECS::untrack_from_all(Entity e, FirstError& error) {
    bool notifies = !parked_.empty();
    each_class(e, [&](ComponentId id) {
        for (const SystemBase* system : classes_[id]->requiring)
            notifies = notifies || (system != nullptr && system->notifies_remove_ != 0);
    });
    if (!notifies) {  // without callbacks, the order of the systems has no effect
        each_class(e, [&](ComponentId id) {
            for (SystemBase* system : classes_[id]->requiring) {
                if (system != nullptr) system->stop_tracking(e);
            }
        });
        return;
    }

    const std::size_t base = untracking_.size();
    const auto gather = [&](ComponentId id) {
        for (SystemBase* system : classes_[id]->requiring) {
            if (system == nullptr || !system->tracks(e)) continue;
            // Insert in running order, each system once. Few systems track one entity, so this is fast enough.
            std::size_t at = untracking_.size();
            while (at > base && system->runs_before(*untracking_[at - 1])) --at;
            if (at > base && untracking_[at - 1] == system) continue;
            untracking_.insert(untracking_.begin() + static_cast<std::ptrdiff_t>(at), system);
        }
    };
    each_class(e, gather);
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

// Frees the components of an entity that no system tracks, and its handle.
void ECS::destroy_entity(Entity e) {
    each_class(e, [&](ComponentId id) {
        Storage& s = *classes_[id]->storage;
        const std::uint32_t slot = s.slot(e);
        if (host_ != nullptr && (s.flags(slot) & Storage::HAS_OBJECT) != 0) host_->component_detached(e, id, true);
        s.erase(e, slot);
    });
    if (host_ != nullptr && pool_.notifies_removal(e)) host_->entity_destroyed(e);
    pool_.destroy(e);
}

void ECS::run_removal_phase(FirstError& error) {
    // Callbacks may request more removals, which are performed in the same phase (rule E3), or clear the ECS.
    while (next_removal_ < pending_removals_.size()) {
        const Entity e = pending_removals_[next_removal_++];
        if (!alive(e)) continue;
        pool_.set_being_removed(e);
        untrack_from_all(e, error);
        if (!dirty_marks_.empty()) error.guard([&] { drain_queue(); });  // marks contain slots, which change now
        if (alive(e)) destroy_entity(e);
    }
    pending_removals_.clear();
    next_removal_ = 0;
}

}  // namespace crateful
