// Adding and removing components, and the tracking that follows from it (rules C1 to C6, A1 to A3).
#include <algorithm>

#include "crateful/ecs.hpp"
#include "operation.hpp"

namespace crateful {

void ECS::throw_missing(Entity e, ComponentId id, const char* call) const {
    require_alive(e, call);
    internal::fail(ErrorCode::missing_component, {call, ": ", describe(e), " has no ", registry::type(id).name});
}

ECS::ComponentClass& ECS::component_class(ComponentId id) {
    if (id >= classes_.size()) {
        static_cast<void>(registry::type(id));  // throws if there is no such class
        classes_.resize(id + 1);
    }
    if (!classes_[id]) {
        const std::size_t words = id / 64 + 1;
        reserve_signatures(pool_.handles().size(), std::max(words, signature_words_));
        auto cls = std::make_unique<ComponentClass>();
        cls->storage = registry::type(id).make_storage(registry::type(id));
        cls->storage->set_handles(pool_.handles().data());
        cls->storage->set_host(host_);
        classes_[id] = std::move(cls);
    }
    return *classes_[id];
}

void ECS::set_host(Host* host) noexcept {
    host_ = host;
    for (const auto& cls : classes_) {
        if (cls) cls->storage->set_host(host);
    }
}

bool ECS::has_component(Entity e, ComponentId id) const {
    require_alive(e, "has");
    const Storage* s = find_storage(id);
    return s != nullptr && s->has(e);
}

bool ECS::matches(const SystemBase& system, Entity e) const noexcept {
    if (!alive(e) || pool_.being_removed(e) || clearing_ == Clearing::removing) return false;
    if (system.state_ == SystemBase::State::removed) return false;
    const std::uint64_t* bits = &signatures_[index_of(e) * signature_words_];
    for (std::size_t w = 0; w < system.signature_.size(); ++w) {
        if ((bits[w] & system.signature_[w]) != system.signature_[w]) return false;
    }
    return true;
}

// --- tracking -------------------------------------------------------------------------------------

void ECS::track(SystemBase& system, Entity e, FirstError& error) {
    error.guard([&] {
        drain_marks();
        system.tracked_.insert(e);
        if (system.watches_any()) system.dirty_.mark(e);  // rule D5
        if (system.notifies_add_ != 0) system.notify_add(e);
    });
}

void ECS::untrack(SystemBase& system, Entity e, FirstError& error) {
    system.stop_tracking(e);
    if (system.notifies_remove_ != 0) error.guard([&] { system.notify_remove(e); });
}

// Starts or stops the tracking of `e` by the systems that require the class, according to the components that `e` has
// now. Each step checks the current state, so callbacks may change anything.
void ECS::update_tracking(Entity e, ComponentClass& cls, FirstError& error) {
    for (std::size_t i = 0; i < cls.requiring.size(); ++i) {
        SystemBase* system = cls.requiring[i];
        if (system == nullptr) continue;
        const bool should = matches(*system, e);
        if (should == system->tracks(e)) continue;
        if (should) track(*system, e, error);
        else untrack(*system, e, error);
    }
}

// The same for many entities to which a component of the class was added. If no system has to be notified of each
// entity, the order has no effect, and each system processes all entities at once.
void ECS::update_tracking(std::span<const Entity> entities, ComponentClass& cls, FirstError& error) {
    const auto notifies = [](const SystemBase* system) { return system != nullptr && system->notifies_add_ != 0; };
    if (entities.size() == 1 || std::any_of(cls.requiring.begin(), cls.requiring.end(), notifies)) {
        for (const Entity e : entities) update_tracking(e, cls, error);
        return;
    }
    for (SystemBase* system : cls.requiring) {
        if (system == nullptr) continue;
        error.guard([&] {
            for (const Entity e : entities) {
                if (!matches(*system, e) || system->tracks(e)) continue;
                system->tracked_.insert(e);
                if (system->watches_any()) system->dirty_.mark(e);
            }
        });
    }
}

// --- adding ---------------------------------------------------------------------------------------

void ECS::add_component(Entity e, ComponentId id, const std::byte* packed, std::uint8_t flags) {
    add_components(std::span(&e, 1), id, [&](std::size_t, Storage& s, std::uint32_t slot) {
        s.write_packed(slot, packed);
        s.flags(slot) |= flags;
    });
}

void ECS::add_filled(std::span<const Entity> entities, ComponentId id, FillSlots fill, void* context) {
    // A copy, because `entities` may refer to a list that changes during the call.
    std::vector<Entity> copy;
    Entity one = NONE;
    if (entities.size() == 1) {
        one = entities.front();
        entities = std::span(&one, 1);
    } else {
        copy.assign(entities.begin(), entities.end());
        entities = copy;
    }
    for (const Entity e : entities) require_alive(e, "add");
    ComponentClass& cls = component_class(id);
    Storage& s = *cls.storage;
    for (const Entity e : entities) s.reserve(e, s.count() + entities.size());
    drain_marks();

    Operation operation(*this);
    FirstError error;
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    std::size_t first = 0;  // of the entities with contiguous slots, which are filled with one call
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < entities.size(); ++i) {
        const Entity e = entities[i];
        std::uint32_t slot = s.slot(e);
        const bool replaced = slot != Storage::ABSENT;
        if (!replaced) slot = s.insert(e);
        if (i > first && slot != next) {
            fill(context, first, s, next - static_cast<std::uint32_t>(i - first), i - first);
            first = i;
        }
        next = slot + 1;
        if (replaced && (s.flags(slot) & Storage::HAS_OBJECT) != 0) {
            if (host_ != nullptr) host_->component_detached(e, id, true);  // rule C1
            s.flags(slot) &= static_cast<std::uint8_t>(~Storage::HAS_OBJECT);
        }
        signature(e)[id / 64] |= bit;
    }
    if (!entities.empty())
        fill(context, first, s, next - static_cast<std::uint32_t>(entities.size() - first), entities.size() - first);

    if (!cls.watching.empty()) {
        error.guard([&] { mark(cls, entities); });
    }
    update_tracking(entities, cls, error);
    error.rethrow();
}

// --- removing -------------------------------------------------------------------------------------

bool ECS::remove_component(Entity e, ComponentId id) {
    require_alive(e, "remove");
    Operation operation(*this);
    FirstError error;
    const bool removed = remove_and_notify(e, id, error);
    error.rethrow();
    return removed;
}

std::size_t ECS::remove_components(std::span<const Entity> entities, ComponentId id) {
    // A copy, because `entities` may refer to the list of entities that have the component.
    const std::vector<Entity> copy(entities.begin(), entities.end());
    for (const Entity e : copy) require_alive(e, "remove");
    Operation operation(*this);
    FirstError error;
    std::size_t removed = 0;
    if (id < classes_.size() && classes_[id] && has_no_listeners(*classes_[id])) {
        // Without listeners, the order has no effect, and each system processes all entities at once.
        drain_marks();
        for (const Entity e : copy) removed += erase_component(e, id) ? 1 : 0;
        for (SystemBase* system : classes_[id]->requiring) {
            if (system == nullptr) continue;
            for (const Entity e : copy) system->stop_tracking(e);
        }
        return removed;
    }
    for (const Entity e : copy) {
        error.guard([&] {
            if (alive(e) && remove_and_notify(e, id, error)) ++removed;  // a callback may have cleared the ECS
        });
    }
    error.rethrow();
    return removed;
}

// Whether no system has to be notified of the removal of a component of the class.
bool ECS::has_no_listeners(const ComponentClass& cls) noexcept {
    return cls.watching.empty() &&
           std::none_of(cls.requiring.begin(), cls.requiring.end(),
                        [](const SystemBase* system) { return system != nullptr && system->notifies_remove_ != 0; });
}

// Removes a component, if the entity has one, without updating the tracking by systems.
bool ECS::erase_component(Entity e, ComponentId id) {
    Storage& s = *classes_[id]->storage;
    const std::uint32_t slot = s.slot(e);
    if (slot == Storage::ABSENT) return false;
    if (host_ != nullptr && (s.flags(slot) & Storage::HAS_OBJECT) != 0) host_->component_detached(e, id, true);
    s.erase(e, slot);
    signature(e)[id / 64] &= ~(std::uint64_t{1} << (id % 64));
    return true;
}

// Removes a component, if the entity has one, and updates the tracking by systems. The entity must be alive.
bool ECS::remove_and_notify(Entity e, ComponentId id, FirstError& error) {
    Storage* s = find_storage(id);
    const std::uint32_t slot = s == nullptr ? Storage::ABSENT : s->slot(e);
    if (slot == Storage::ABSENT) return false;
    drain_marks();
    ComponentClass& cls = *classes_[id];

    // The component is removed before callbacks are called, so that they find the final state. If a system is notified
    // that it no longer tracks the entity, the value is parked: `on_remove` reads it through the aspect (rule A2).
    const bool park = std::any_of(cls.requiring.begin(), cls.requiring.end(), [&](SystemBase* system) {
        return system != nullptr && system->notifies_remove_ != 0 && system->tracks(e);
    });
    const bool object = host_ != nullptr && (s->flags(slot) & Storage::HAS_OBJECT) != 0;
    if (object) host_->component_detached(e, id, !park);  // before the value moves
    if (park) {
        parked_.reserve(parked_.size() + 1);
        s->park(slot);
        parked_.push_back({e, id});
    }
    s->erase(e, slot);
    signature(e)[id / 64] &= ~(std::uint64_t{1} << (id % 64));
    for (SystemBase* system : cls.watching) {
        if (system == nullptr || !system->tracks(e) || !matches(*system, e)) continue;
        error.guard([&] { system->dirty_.mark(e); });
    }
    update_tracking(e, cls, error);
    if (park) {
        parked_.pop_back();
        s->unpark();
        if (object) host_->component_destroyed(e, id);
    }
    return true;
}

int ECS::parked_count(Entity e, ComponentId id) const noexcept {
    return static_cast<int>(std::count_if(parked_.begin(), parked_.end(),
                                          [&](const Parked& parked) { return parked.entity == e && parked.id == id; }));
}

int ECS::find_parked(Entity e, ComponentId id) const noexcept {
    int found = -1;
    int of_class = 0;
    for (const Parked& parked : parked_) {
        if (parked.id != id) continue;
        if (parked.entity == e) found = of_class;
        ++of_class;
    }
    return found;
}

std::vector<StorageReport> ECS::memory_report() const {
    std::vector<StorageReport> reports;
    for (const auto& cls : classes_) {
        if (cls && cls->storage) reports.push_back(report(*cls->storage, count()));
    }
    return reports;
}

}  // namespace crateful
