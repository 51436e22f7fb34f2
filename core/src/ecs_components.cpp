// Components: adding, removing, and who hears of it.
#include <algorithm>

#include "crateful/ecs.hpp"
#include "operation.hpp"

namespace crateful {

void ECS::throw_missing(Entity e, ComponentId id, const char* call) const {
    require_alive(e, call);
    throw Error(ErrorCode::missing_component,
                std::string(call) + ": " + describe(e) + " has no " + registry::type(id).name);
}

ECS::ComponentClass& ECS::component_class(ComponentId id) {
    if (id >= classes_.size()) {
        static_cast<void>(registry::type(id));  // throws if there is none
        classes_.resize(id + 1);
    }
    if (!classes_[id]) {
        const std::size_t words = id / 64 + 1;
        reserve_signatures(pool_.handles().size(), std::max(words, signature_words_));
        auto cls = std::make_unique<ComponentClass>();
        cls->storage = registry::type(id).make_storage(registry::type(id));
        cls->storage->set_handles(pool_.handles());
        classes_[id] = std::move(cls);
    }
    return *classes_[id];
}

Storage& ECS::storage(ComponentId id) { return *component_class(id).storage; }

bool ECS::has_component(Entity e, ComponentId id) const {
    require_alive(e, "has");
    const Storage* s = find_storage(id);
    return s != nullptr && s->has(e);
}

bool ECS::matches(const SystemBase& system, Entity e) const noexcept {
    if (!alive(e) || pool_.leaving(e) || clearing_ == Clearing::removing) return false;
    if (system.state_ == SystemBase::State::removed) return false;
    const std::uint64_t* has = &signatures_[index_of(e) * signature_words_];
    for (std::size_t w = 0; w < system.signature_.size(); ++w) {
        if ((has[w] & system.signature_[w]) != system.signature_[w]) return false;
    }
    return true;
}

// --- dirt -----------------------------------------------------------------------------------------

void ECS::mark(ComponentClass& cls, Entity e) {
    for (SystemBase* system : cls.watching) {
        if (system != nullptr) system->mark(e);
    }
}

void ECS::mark_present(Entity e, ComponentId id) {
    if (!marks_.empty()) drain_marks();
    mark(*classes_[id], e);
}

void ECS::drain_marks() {
    if (marks_.empty()) return;
    for (const Mark& m : marks_.take()) {
        // The component is still there, and in that slot: whatever removes one drains first.
        ComponentClass& cls = *classes_[m.component];
        cls.storage->flags(m.slot) &= static_cast<std::uint8_t>(~Storage::QUEUED);
        mark(cls, m.entity);
    }
}

void ECS::mark_dirty(Entity e, ComponentId id) {
    if (const Storage* s = find_storage(id); s == nullptr || !s->has(e)) throw_missing(e, id, "dirty");
    mark_present(e, id);
}

void ECS::mark_dirty(std::span<const Entity> entities, ComponentId id) {
    const Storage* s = find_storage(id);
    for (const Entity e : entities) {
        if (s == nullptr || !s->has(e)) throw_missing(e, id, "dirty");
    }
    if (s == nullptr) return;                                          // and there are no entities
    const std::vector<Entity> kept(entities.begin(), entities.end());  // perhaps from a dirty set, which may grow now
    drain_marks();
    for (SystemBase* system : classes_[id]->watching) {
        for (std::size_t i = 0; system != nullptr && i < kept.size(); ++i) system->mark(kept[i]);
    }
}

// --- membership -----------------------------------------------------------------------------------

void ECS::track(SystemBase& system, Entity e, FirstError& error) {
    error.guard([&] {
        if (!marks_.empty()) drain_marks();
        system.tracked_.insert(e);
        if (system.watches_any()) system.dirty_.mark(e);  // the first update sees everything (rule D5)
        if (system.hears_entered_ != 0) system.entered(e);
    });
}

void ECS::untrack(SystemBase& system, Entity e, FirstError& error) {
    system.drop(e);
    if (system.hears_left_ != 0) error.guard([&] { system.left(e); });
}

// Brings the systems that require the class in line with what `e` has now. Whatever callbacks change,
// each step looks afresh, so nested calls and this one agree.
void ECS::reconcile(Entity e, ComponentClass& cls, FirstError& error) {
    for (std::size_t i = 0; i < cls.requiring.size(); ++i) {
        SystemBase* system = cls.requiring[i];
        if (system == nullptr) continue;
        const bool should = matches(*system, e);
        if (should == system->tracks(e)) continue;
        if (should) track(*system, e, error);
        else untrack(*system, e, error);
    }
}

// The same for many that have just got a component. Where nobody hears of them one by one it does not matter
// who comes first, and each system can take them all at once.
void ECS::reconcile(std::span<const Entity> entities, ComponentClass& cls, FirstError& error) {
    const auto hears = [](const SystemBase* system) { return system != nullptr && system->hears_entered_ != 0; };
    if (entities.size() == 1 || std::any_of(cls.requiring.begin(), cls.requiring.end(), hears)) {
        for (const Entity e : entities) reconcile(e, cls, error);
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

void ECS::add_component(Entity e, ComponentId id, const std::byte* row, std::uint8_t flags) {
    add_components(std::span(&e, 1), id, [&](std::size_t, Storage& s, std::uint32_t slot) {
        s.write_row(slot, row);
        s.flags(slot) |= flags;
    });
}

void ECS::add_filled(std::span<const Entity> entities, ComponentId id, FillSlots fill, void* context) {
    // They may come from a list that marks, the additions or callbacks change.
    std::vector<Entity> kept;
    Entity one = NONE;
    if (entities.size() == 1) {
        one = entities.front();
        entities = std::span(&one, 1);
    } else {
        kept.assign(entities.begin(), entities.end());
        entities = kept;
    }
    for (const Entity e : entities) require_alive(e, "add");
    ComponentClass& cls = component_class(id);
    Storage& s = *cls.storage;
    for (const Entity e : entities) s.reserve(e, s.count() + entities.size());
    drain_marks();

    Operation operation(*this);
    FirstError error;
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    std::size_t first = 0;  // of the entities whose slots follow one another, and are filled together
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
        if (replaced && (s.flags(slot) & Storage::OBJECT) != 0) {
            if (host_ != nullptr) host_->component_leaves(e, id, true);  // rule C1
            s.flags(slot) &= static_cast<std::uint8_t>(~Storage::OBJECT);
        }
        signature(e)[id / 64] |= bit;
    }
    if (!entities.empty())
        fill(context, first, s, next - static_cast<std::uint32_t>(entities.size() - first), entities.size() - first);

    if (!cls.watching.empty()) {
        for (const Entity e : entities) error.guard([&] { mark(cls, e); });
    }
    reconcile(entities, cls, error);
    error.rethrow();
}

// --- removing -------------------------------------------------------------------------------------

bool ECS::remove_component(Entity e, ComponentId id) {
    require_alive(e, "remove");
    Operation operation(*this);
    FirstError error;
    const bool removed = take(e, id, error);
    error.rethrow();
    return removed;
}

std::size_t ECS::remove_components(std::span<const Entity> entities, ComponentId id) {
    const std::vector<Entity> kept(entities.begin(), entities.end());  // perhaps from the very list that shrinks
    for (const Entity e : kept) require_alive(e, "remove");
    Operation operation(*this);
    FirstError error;
    std::size_t removed = 0;
    if (id < classes_.size() && classes_[id] && unheard(*classes_[id])) {
        // Nobody hears of them one by one: each system can drop them all at once.
        drain_marks();
        for (const Entity e : kept) removed += take_out(e, id) ? 1 : 0;
        for (SystemBase* system : classes_[id]->requiring) {
            if (system == nullptr) continue;
            for (const Entity e : kept) system->drop(e);
        }
        return removed;
    }
    for (const Entity e : kept) {
        error.guard([&] {
            if (alive(e) && take(e, id, error)) ++removed;  // not alive: a callback cleared the world
        });
    }
    error.rethrow();
    return removed;
}

// Whether a component of the class can go without anybody hearing of it.
bool ECS::unheard(const ComponentClass& cls) noexcept {
    return cls.watching.empty() &&
           std::none_of(cls.requiring.begin(), cls.requiring.end(),
                        [](const SystemBase* system) { return system != nullptr && system->hears_left_ != 0; });
}

// Takes the value and the bit, if there is one; systems are the caller's.
bool ECS::take_out(Entity e, ComponentId id) {
    Storage& s = *classes_[id]->storage;
    const std::uint32_t slot = s.slot(e);
    if (slot == Storage::ABSENT) return false;
    if (host_ != nullptr && (s.flags(slot) & Storage::OBJECT) != 0) host_->component_leaves(e, id, true);
    s.erase(e, slot);
    signature(e)[id / 64] &= ~(std::uint64_t{1} << (id % 64));
    return true;
}

// Takes a component from a living entity, if it has one.
bool ECS::take(Entity e, ComponentId id, FirstError& error) {
    Storage* s = find_storage(id);
    const std::uint32_t slot = s == nullptr ? Storage::ABSENT : s->slot(e);
    if (slot == Storage::ABSENT) return false;
    drain_marks();
    ComponentClass& cls = *classes_[id];

    // The component goes first, so that callbacks find the world as it will be; those of the systems
    // that lose the entity and want to know read the parked value through their aspect (rule A2).
    const bool read = std::any_of(cls.requiring.begin(), cls.requiring.end(), [&](SystemBase* system) {
        return system != nullptr && system->hears_left_ != 0 && system->tracks(e);
    });
    const bool object = host_ != nullptr && (s->flags(slot) & Storage::OBJECT) != 0;
    if (object) host_->component_leaves(e, id, !read);  // before the value moves
    if (read) {
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
    reconcile(e, cls, error);
    if (read) {
        parked_.pop_back();
        s->unpark();
        if (object) host_->component_gone(e, id);
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

}  // namespace crateful
