// Adding and removing components, and the tracking that follows from it (rules C1 to C6, A1 to A3).
#include <algorithm>

#include "crateful/ecs.hpp"
#include "operation.hpp"

namespace crateful {

void ECS::throw_missing(Entity e, ComponentId id, const char* call) const {
    require_alive(e, call);
    internal::fail(ErrorCode::missing_component, {call, ": ", describe(e), " has no ", registry::type(id).name});
}

ECS::ComponentClass& ECS::make_component_class(ComponentId id) {
    const ComponentType& type = registry::type(id);  // throws if there is no such class
    if (id >= classes_.size()) classes_.resize(id + 1);
    pool_.widen(id);
    auto cls = std::make_unique<ComponentClass>(type.make_storage(type), id);
    cls->storage->set_handles(pool_.handles().data());
    cls->storage->set_host(host_);
    classes_[id] = std::move(cls);
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

bool ECS::has_required(const SystemBase& system, const std::uint32_t* bits) noexcept {
    for (std::size_t w = 0; w < system.signature_.size(); ++w) {
        if ((bits[w] & system.signature_[w]) != system.signature_[w]) return false;
    }
    return true;
}

bool ECS::selects(const SystemBase& system, const std::uint32_t* bits) noexcept {
    if (!has_required(system, bits)) return false;
    if (!system.selects_more()) return true;
    for (std::size_t w = 0; w < system.excluded_signature_.size(); ++w) {
        if ((bits[w] & system.excluded_signature_[w]) != 0) return false;
    }
    std::uint32_t found = system.any_signature_.empty() ? 1 : 0;
    for (std::size_t w = 0; w < system.any_signature_.size(); ++w) found |= bits[w] & system.any_signature_[w];
    return found != 0;
}

bool ECS::matches(const SystemBase& system, Entity e) const noexcept {
    return can_be_tracked(e) && system.state_ != SystemBase::State::removed && selects(system, pool_.signature(e));
}

// --- tracking -------------------------------------------------------------------------------------

void ECS::track(SystemBase& system, Entity e, FirstError& error) {
    error.guard([&] {
        drain_marks();
        system.start_tracking(e);
        if (system.notifies_add_ != 0) system.notify_add(e);
    });
}

void ECS::untrack(SystemBase& system, Entity e, FirstError& error) {
    system.stop_tracking(e);
    if (system.notifies_remove_ != 0) error.guard([&] { system.notify_remove(e); });
}

// Starts or stops the tracking of `e` by the systems that a component of the class concerns, according to the components that
// `e` has now. Each step checks the current state, so callbacks may change anything.
void ECS::update_tracking(Entity e, ComponentClass& cls, FirstError& error, std::size_t first) {
    for (std::size_t i = first; i < cls.requiring.size(); ++i) update_tracking(cls.requiring[i].system, e, error);
    for (std::size_t i = 0; i < cls.filtering.size(); ++i) update_tracking(cls.filtering[i].system, e, error);
}
void ECS::update_tracking(SystemBase* system, Entity e, FirstError& error) {
    if (system == nullptr) return;
    const bool should = matches(*system, e);
    if (should == system->tracks(e)) return;
    if (should) track(*system, e, error);
    else untrack(*system, e, error);
}

// The same for many entities to which a component of the class was added. If no system has to be notified of each
// entity, the order has no effect, and each system processes all entities at once.
void ECS::update_tracking(std::span<const Entity> entities, ComponentClass& cls, FirstError& error) {
    const auto notifies = [](const Entry& r) { return r.system != nullptr && r.system->notifies_add_ != 0; };
    if (entities.size() == 1 || !cls.filtering.empty() ||
        std::any_of(cls.requiring.begin(), cls.requiring.end(), notifies)) {
        for (const Entity e : entities) update_tracking(e, cls, error);
        return;
    }
    for (const Entry& r : cls.requiring) {
        if (r.system == nullptr || r.system->state_ == SystemBase::State::removed) continue;
        const auto fits = [&](Entity e) { return selects(r, e) && can_be_tracked(e); };
        error.guard([&] {
            // Some may be tracked already; but each tracked entity has a component of the class.
            const auto n = static_cast<std::size_t>(std::count_if(entities.begin(), entities.end(), fits));
            r.system->reserve(std::min(r.system->tracked_.size() + n, std::size_t{cls.storage->count()}));
            for (const Entity e : entities) {
                if (fits(e)) r.system->start_tracking(e);
            }
        });
    }
}

// --- adding ---------------------------------------------------------------------------------------

ECS::Added ECS::begin_add(Entity e, ComponentId id) {
    require_alive(e, "add");
    require_free(id, "add");
    ComponentClass& cls = component_class(id);
    Storage& s = *cls.storage;
    drain_marks();
    const auto [slot, is_new] = s.place(e);
    if (is_new) set_class(e, cls);
    else if (s.has_object(slot)) detach_object(e, id, s.flags(slot));
    return {cls, slot};
}

// The component was replaced (rule C1).
void ECS::detach_object(Entity e, ComponentId id, std::uint8_t& flags) {
    if (host_ != nullptr) host_->component_detached(e, id, true);
    flags &= static_cast<std::uint8_t>(~Storage::HAS_OBJECT);
}

void ECS::notify_added(Entity e, ComponentClass& cls) {
    FirstError error;
    if (!cls.watching.empty()) error.guard([&] { mark(cls, e); });
    if (!cls.filtering.empty()) {
        Operation operation(*this);
        update_tracking(e, cls, error);
    } else if (!cls.requiring.empty() && can_be_tracked(e)) {
        // Until a callback is called, only systems that now have all they require start to track the entity.
        for (std::size_t i = 0; i < cls.requiring.size(); ++i) {
            const Entry& r = cls.requiring[i];
            if (!selects(r, e) || r.system == nullptr || r.system->state_ == SystemBase::State::removed) continue;
            if (r.system->notifies_add_ == 0) {
                error.guard([&] { r.system->start_tracking(e); });
            } else if (!r.system->tracks(e)) {
                Operation operation(*this);
                track(*r.system, e, error);
                update_tracking(e, cls, error, i + 1);
                break;
            }
        }
    }
    error.rethrow();
}

void ECS::add_component(Entity e, ComponentId id, const std::byte* packed, std::uint8_t flags) {
    if (flags != 0) storage(id).keep_flags();
    const auto [cls, slot] = begin_add(e, id);
    cls.storage->write_packed(slot, packed);
    if (flags != 0) cls.storage->flags(slot) |= flags;
    added(e, cls);
}

void ECS::add_filled(std::span<const Entity> entities, ComponentId id, internal::Fill fill, void* context) {
    // A copy, because `entities` may refer to a list that changes during the call.
    const std::vector<Entity> copy(entities.begin(), entities.end());
    for (const Entity e : copy) require_alive(e, "add");
    require_free(id, "add");
    ComponentClass& cls = component_class(id);
    for (const Entity e : copy) cls.storage->reserve(e, cls.storage->count() + copy.size());
    drain_marks();

    Operation operation(*this);
    FirstError error;
    place(cls, copy, fill, context);
    if (!cls.watching.empty()) error.guard([&] { mark(cls, copy); });
    update_tracking(copy, cls, error);
    error.rethrow();
}

// Adds components of one class to entities, or replaces those that they have. There is room for all.
void ECS::place(ComponentClass& cls, std::span<const Entity> entities, internal::Fill fill, void* context) {
    Storage& s = *cls.storage;
    const ComponentId id = s.type().id;
    std::size_t first = 0;  // of the entities with contiguous slots, which are filled with one call
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < entities.size(); ++i) {
        const Entity e = entities[i];
        const auto [slot, is_new] = s.place_reserved(e);
        if (i > first && slot != next) {
            fill(context, 0, first, s, next - static_cast<std::uint32_t>(i - first), i - first);
            first = i;
        }
        next = slot + 1;
        if (is_new) set_class(e, cls);
        else if (s.has_object(slot)) detach_object(e, id, s.flags(slot));
    }
    const std::size_t rest = entities.size() - first;
    if (rest > 0) fill(context, 0, first, s, next - static_cast<std::uint32_t>(rest), rest);
}

// --- removing -------------------------------------------------------------------------------------

bool ECS::remove_component(Entity e, ComponentId id) {
    ComponentClass* cls = find_class(id);
    const std::uint32_t slot = cls == nullptr ? Storage::ABSENT : cls->storage->slot(e);
    if (slot == Storage::ABSENT) {
        require_alive(e, "remove");  // what has a component is alive
        return false;
    }
    require_free(id, "remove");
    FirstError error;
    drain_marks();
    if (cls->filtering.empty() && calls_no_on_remove(*cls)) {
        const std::uint32_t before = *pool_.signature(e);
        erase_from(*cls->storage, e, slot);
        reset_class(e, *cls);
        for (const Entry& r : cls->requiring) {
            if ((before & r.first_word) == r.first_word && r.system != nullptr) r.system->stop_tracking(e);
        }
        if (!cls->watching.empty()) error.guard([&] { mark(*cls, e); });
    } else {
        Operation operation(*this);
        remove_and_notify(e, *cls, slot, error);
    }
    error.rethrow();
    return true;
}

std::size_t ECS::remove_components(std::span<const Entity> entities, ComponentId id) {
    // A copy, because `entities` may refer to the list of entities that have the component.
    const std::vector<Entity> copy(entities.begin(), entities.end());
    for (const Entity e : copy) require_alive(e, "remove");
    ComponentClass* cls = find_class(id);
    if (cls == nullptr) return 0;
    require_free(id, "remove");
    Operation operation(*this);
    FirstError error;
    std::size_t removed = 0;
    if (cls->watching.empty() && cls->filtering.empty() && calls_no_on_remove(*cls)) {
        // Without callbacks, the order has no effect, and each system processes all entities at once.
        drain_marks();
        for (const Entity e : copy) {
            std::uint32_t& bits = pool_.signature(e)[cls->bit.word];
            removed += (bits & cls->bit.mask) != 0 ? 1 : 0;
            bits &= ~cls->bit.mask;
        }
        erase_from(*cls, copy, removed);
        for (const Entry& r : cls->requiring) stop_tracking(r, *cls, copy);
        return removed;
    }
    for (const Entity e : copy) {
        error.guard([&] {
            const std::uint32_t slot = cls->storage->slot(e);  // a callback may have removed it
            if (slot == Storage::ABSENT) return;
            drain_marks();
            remove_and_notify(e, *cls, slot, error);
            ++removed;
        });
    }
    error.rethrow();
    return removed;
}

// Whether the removal of a component of the class calls no `on_remove`.
bool ECS::calls_no_on_remove(const ComponentClass& cls) noexcept {
    return std::none_of(cls.requiring.begin(), cls.requiring.end(),
                        [](const Entry& r) { return r.system != nullptr && r.system->notifies_remove_ != 0; });
}

// Removes the component in a slot, and updates the tracking by systems. The mark queue must be empty.
void ECS::remove_and_notify(Entity e, ComponentClass& cls, std::uint32_t slot, FirstError& error) {
    Storage* s = cls.storage.get();
    const ComponentId id = s->type().id;
    // The component is removed before callbacks are called, so that they find the final state. If a system is notified
    // that it no longer tracks the entity, the value is parked: `on_remove` reads it through the aspect (rule A2).
    const auto reads = [&](const SystemBase* system) {
        return system != nullptr && system->notifies_remove_ != 0 && system->tracks(e);
    };
    const bool park =
        std::any_of(cls.requiring.begin(), cls.requiring.end(), [&](const auto& r) { return reads(r.system); }) ||
        std::any_of(cls.filtering.begin(), cls.filtering.end(), [&](const auto& r) { return reads(r.system); });
    const bool object = host_ != nullptr && s->has_object(slot);
    if (object) host_->component_detached(e, id, !park);  // before the value moves
    if (park) {
        parked_.reserve(parked_.size() + 1);
        s->park(slot);
        parked_.push_back({e, id});
    }
    s->erase(e, slot);
    reset_class(e, cls);
    for (const Entry& w : cls.watching) {
        if (w.system == nullptr) continue;
        const bool itself = w.itself && w.system->tracks(e) && matches(*w.system, e);
        if (w.descendants) error.guard([&] { mark_down(*w.system, e, itself); });
        else if (itself) error.guard([&] { w.system->dirty_.mark(e); });
    }
    update_tracking(e, cls, error);
    if (park) {
        parked_.pop_back();
        s->unpark();
        if (object) host_->component_destroyed(e, id);
    }
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
