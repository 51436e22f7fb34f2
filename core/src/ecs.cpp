// Entities: coming, going, and clearing the world.
#include "crateful/ecs.hpp"

#include <algorithm>
#include <bit>

#include "operation.hpp"

namespace crateful {

ECS::ECS() = default;
ECS::~ECS() = default;

void ECS::throw_stale(Entity e, const char* call) const {
    throw Error(ErrorCode::stale_entity, std::string(call) + ": " + describe(e) + " is not alive");
}

// --- coming ---------------------------------------------------------------------------------------

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

// The table of handles may have moved; linear storages show it as theirs.
void ECS::pool_grown() noexcept {
    for (const auto& cls : classes_) {
        if (cls && cls->storage) cls->storage->set_handles(pool_.handles());
    }
}

Entity ECS::add_entity() {
    Entity e = NONE;
    add_entities(std::span(&e, 1));
    return e;
}

std::vector<Entity> ECS::add_entities(std::size_t n) {
    if (n > EntityPool::MAX_ENTITIES) pool_.reserve(n);  // throws, before anybody asks for the memory
    std::vector<Entity> all(n);
    add_entities(all);
    return all;
}

void ECS::add_entities(std::span<Entity> out) {
    const std::size_t known = pool_.handles().size();
    // At most so many indices; those that are reused need no more than they have.
    reserve_signatures(known + out.size(), signature_words_);
    pool_.reserve(out.size());  // last: once the table has moved, nothing may fail any more
    for (Entity& e : out) {
        e = pool_.create();
        if (signature_words_ == 1) *signature(e) = 0;
        else std::fill_n(signature(e), signature_words_, 0);
    }
    if (pool_.handles().size() != known) pool_grown();
}

// --- going ----------------------------------------------------------------------------------------

void ECS::remove_entity(Entity e) { remove_entities(std::span(&e, 1)); }

void ECS::remove_entities(std::span<const Entity> entities) {
    for (const Entity e : entities) require_alive(e, "remove_entity");
    if (marked_.size() + entities.size() > marked_.capacity()) {
        marked_.reserve(std::max(marked_.size() + entities.size(), marked_.capacity() * 2));
    }
    for (const Entity e : entities) {
        if (pool_.marked(e)) continue;
        pool_.set_marked(e, true);
        marked_.push_back(e);
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

void ECS::leave_all_systems(Entity e, FirstError& error) {
    bool heard = !parked_.empty();
    each_class(e, [&](ComponentId id) {
        for (const SystemBase* system : classes_[id]->requiring)
            heard = heard || (system != nullptr && system->hears_left_ != 0);
    });
    if (!heard) {  // then it does not matter which system is the first
        each_class(e, [&](ComponentId id) {
            for (SystemBase* system : classes_[id]->requiring) {
                if (system != nullptr) system->drop(e);
            }
        });
        return;
    }

    const std::size_t base = leavers_.size();
    const auto gather = [&](ComponentId id) {
        for (SystemBase* system : classes_[id]->requiring) {
            if (system == nullptr || !system->tracks(e)) continue;
            // Few systems track one entity: a sorted insertion, in running order and each once.
            std::size_t at = leavers_.size();
            while (at > base && system->runs_before(*leavers_[at - 1])) --at;
            if (at > base && leavers_[at - 1] == system) continue;
            leavers_.insert(leavers_.begin() + static_cast<std::ptrdiff_t>(at), system);
        }
    };
    each_class(e, gather);
    // When a callback of a removal clears the world, systems still to be told of it have only that class.
    for (const Parked& parked : parked_) {
        if (parked.entity == e) gather(parked.id);
    }
    for (std::size_t i = base; i < leavers_.size(); ++i) {
        // An earlier callback may have made it leave already.
        if (leavers_[i]->tracks(e)) untrack(*leavers_[i], e, error);
    }
    leavers_.resize(base);
}

// Frees what a dying entity that no system tracks still holds.
void ECS::bury(Entity e) {
    each_class(e, [&](ComponentId id) {
        Storage& s = *classes_[id]->storage;
        const std::uint32_t slot = s.slot(e);
        if (host_ != nullptr && (s.flags(slot) & Storage::OBJECT) != 0) host_->component_leaves(e, id, true);
        s.erase(e, slot);
    });
    if (host_ != nullptr && pool_.shown(e)) host_->entity_gone(e);
    pool_.destroy(e);
}

void ECS::sweep(FirstError& error) {
    // Callbacks may mark more, which go in the same sweep (rule E3), or clear the world.
    while (marked_head_ < marked_.size()) {
        const Entity e = marked_[marked_head_++];
        if (!alive(e)) continue;
        pool_.set_leaving(e);
        leave_all_systems(e, error);
        if (!marks_.empty()) error.guard([&] { drain_marks(); });  // marks name slots, which change now
        if (alive(e)) bury(e);
    }
    marked_.clear();
    marked_head_ = 0;
}

void ECS::clear() {
    if (clearing_ != Clearing::no) return;  // everything is going already
    Operation operation(*this);
    FirstError error;
    drain_marks();

    // All stay alive until every `on_remove` has run, so that callbacks may speak of one another's
    // entities. What they create is never tracked, and goes too.
    clearing_ = Clearing::removing;
    for (std::size_t i = 0; i < pool_.handles().size(); ++i) {
        if (const Entity e = pool_.handles()[i]; e != NONE) leave_all_systems(e, error);
    }
    drain_marks();
    for (std::size_t i = 0; i < pool_.handles().size(); ++i) {
        if (const Entity e = pool_.handles()[i]; e != NONE) bury(e);
    }
    marked_.clear();
    marked_head_ = 0;

    clearing_ = Clearing::telling;
    for (SystemBase* system : systems()) {
        if (system->state_ != SystemBase::State::removed) error.guard([&] { system->on_clear(); });
    }
    events.clear();
    if (host_ != nullptr) error.guard([&] { host_->cleared(); });
    clearing_ = Clearing::no;
    error.rethrow();
}

std::vector<StorageReport> ECS::memory_report() const {
    std::vector<StorageReport> reports;
    for (const auto& cls : classes_) {
        if (cls && cls->storage) reports.push_back(report(*cls->storage, count()));
    }
    return reports;
}

}  // namespace crateful
