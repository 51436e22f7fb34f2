// Which systems track which entities (rules S8, S9, D5, D6, A1 to A3).
#include "crateful/detail/tracking.hpp"

#include <algorithm>

#include "crateful/detail/insertion_sort.hpp"
#include "crateful/detail/rollback.hpp"

namespace crateful::internal {

using Use = SystemBase::Use;

// --- classes --------------------------------------------------------------------------------------

ComponentClass& Tracking::make_class(ComponentId id) {
    const ComponentType& type = registry::type(id);  // throws if there is no such class
    if (id >= classes_.size()) classes_.resize(id + 1);
    pool.widen(id);
    auto cls = std::make_unique<ComponentClass>(type.make_storage(type), id);
    cls->storage->set_handles(pool.handles().data());
    cls->storage->set_host(host);
    if (cls->storage->owns_memory()) {
        if (owning_.size() <= cls->bit.word) owning_.resize(cls->bit.word + 1);
        owning_[cls->bit.word] |= cls->bit.mask;
    }
    classes_[id] = std::move(cls);
    return *classes_[id];
}

void Tracking::set_host(Host* listener) noexcept {
    host = listener;
    for (const auto& cls : classes_) {
        if (cls) cls->storage->set_host(listener);
    }
}

void Tracking::handles_moved() noexcept {
    for (const auto& cls : classes_) {
        if (cls) cls->storage->set_handles(pool.handles().data());
    }
}

// --- the condition --------------------------------------------------------------------------------

bool Tracking::has_required(const SystemBase& system, const std::uint32_t* bits) noexcept {
    for (std::size_t w = 0; w < system.signature_.size(); ++w) {
        if ((bits[w] & system.signature_[w]) != system.signature_[w]) return false;
    }
    return true;
}

bool Tracking::selects(const SystemBase& system, const std::uint32_t* bits) noexcept {
    if (!has_required(system, bits)) return false;
    if (!system.selects_more()) return true;
    for (std::size_t w = 0; w < system.excluded_signature_.size(); ++w) {
        if ((bits[w] & system.excluded_signature_[w]) != 0) return false;
    }
    std::uint32_t found = system.any_signature_.empty() ? 1 : 0;
    for (std::size_t w = 0; w < system.any_signature_.size(); ++w) found |= bits[w] & system.any_signature_[w];
    return found != 0;
}

bool Tracking::may_track(const SystemBase& system, Entity e) const noexcept {
    return can_be_tracked(e) && system.is_added() && selects(system, pool.signature(e));
}

// --- starting and stopping ------------------------------------------------------------------------

void Tracking::start(SystemBase& system, Entity e, FirstError& error) {
    error.guard([&] {
        Rollback rollback([&] { missed(system); });
        drain_marks();
        const bool started = system.start_tracking(e);
        rollback.cancel();
        if (started && system.notifies_add_ != 0) system.notify_add(e);
    });
}

void Tracking::stop(SystemBase& system, Entity e, FirstError& error) {
    if (!system.stop_tracking(e) || system.notifies_remove_ == 0) return;
    error.guard([&] { system.notify_remove(e); });
}

// There was no memory: what the systems track is compared with what they select in the next update (rule X4).
void Tracking::missed(SystemBase& system) noexcept { any_missed_ = system.missed_ = true; }
void Tracking::missed(const ComponentClass& cls) noexcept {
    for (const SystemList* list : {&cls.requiring, &cls.filtering}) {
        for (const ListedSystem& r : *list) {
            if (r.system != nullptr) missed(*r.system);
        }
    }
}

void Tracking::repeat_missed(FirstError& error) {
    const std::vector<SystemBase*> systems = systems_;
    any_missed_ = false;
    for (SystemBase* system : systems) {
        if (!std::exchange(system->missed_, false)) continue;
        auto iteration = system->tracked().each();
        for (Entity e; iteration.next(e);) {
            if (!may_track(*system, e)) stop(*system, e, error);
        }
        start_all(*system, error);
    }
}

void Tracking::start_all(const ListedSystem& r, std::span<const Entity> entities, const ComponentClass& cls) {
    if (r.system == nullptr) return;
    Rollback rollback([&] { missed(*r.system); });
    const auto fits = [&](Entity e) { return may_track(r, e); };
    // Some may be tracked already; but each tracked entity has a component of the class.
    const auto n = static_cast<std::size_t>(std::count_if(entities.begin(), entities.end(), fits));
    r.system->reserve(std::min(r.system->tracked_.size() + n, std::size_t{cls.storage->count()}));
    for (const Entity e : entities) {
        if (fits(e)) r.system->start_tracking(e);
    }
    rollback.cancel();
}

void Tracking::stop_all(const SystemList& systems, const ComponentClass& cls,
                        std::span<const Entity> entities) noexcept {
    for (const ListedSystem& r : systems) {
        if (r.system == nullptr) continue;
        if (cls.storage->count() == 0) {
            r.system->stop_tracking_all();
            continue;
        }
        r.system->stop_tracking(entities);
    }
}

// --- components were added ------------------------------------------------------------------------

void Tracking::added_one(Entity e, ComponentClass& cls) {
    Rollback rollback([&] { missed(cls); });
    if (!cls.watching.empty()) mark(cls, e);
    // Until a callback is called, nothing but memory can fail. A component of a required class never ends the tracking.
    std::size_t i = 0;
    for (; i < cls.requiring.size(); ++i) {
        const ListedSystem& r = cls.requiring[i];
        if (!may_track(r, e)) continue;
        if (r.system->notifies_add_ != 0) break;
        r.system->start_tracking(e);
    }
    rollback.cancel();
    if (i == cls.requiring.size() && cls.filtering.empty()) return;
    FirstError error;
    {
        Operation operation(*this);
        update_all(e, cls, i, error);
    }
    error.rethrow();
}

// The systems that require the class, from number `first` on, and those that filter by it.
void Tracking::update_all(Entity e, ComponentClass& cls, std::size_t first, FirstError& error) {
    for (std::size_t i = first; i < cls.requiring.size(); ++i) update(cls.requiring[i], e, error);
    for (std::size_t i = 0; i < cls.filtering.size(); ++i) update(cls.filtering[i], e, error);
}

void Tracking::added(std::span<const Entity> entities, ComponentClass& cls) {
    FirstError error;
    Operation operation(*this);
    if (!cls.watching.empty()) {
        error.guard([&] {
            for (const ListedSystem& w : cls.watching) mark(w, entities);
        });
    }
    const auto notifies = [](const ListedSystem& r) { return r.system != nullptr && r.system->notifies_add_ != 0; };
    if (!cls.filtering.empty() || std::any_of(cls.requiring.begin(), cls.requiring.end(), notifies)) {
        for (const Entity e : entities) update_all(e, cls, 0, error);
    } else {
        // Without callbacks the order has no effect, and each system processes all entities at once.
        for (const ListedSystem& r : cls.requiring) error.guard([&] { start_all(r, entities, cls); });
    }
    error.rethrow();
}

void Tracking::find_systems(PrefabClasses& prefab) {
    if (prefab.systems_version == systems_version_) return;
    std::vector<std::uint32_t> bits(pool.words());
    for (const ComponentId id : prefab.ids) {
        const EntityPool::ClassBit bit(id);
        bits[bit.word] |= bit.mask;
    }
    prefab.systems.clear();
    for (SystemBase* system : systems_) {
        if (!system->required().empty() && selects(*system, bits.data())) prefab.systems.push_back(system);
    }
    insertion_sort(prefab.systems, [](const SystemBase* a, const SystemBase* b) { return a->runs_before(*b); });
    prefab.systems_version = systems_version_;
}

bool Tracking::creates_silently(const PrefabClasses& prefab) noexcept {
    return std::none_of(prefab.systems.begin(), prefab.systems.end(),
                        [](const SystemBase* system) { return system->notifies_add_ != 0; });
}

void Tracking::created(std::span<SystemBase* const> systems, std::span<const Entity> entities) {
    FirstError error;
    if (entities.empty() || !can_be_tracked(entities.front())) return;
    for (SystemBase* system : systems) {
        error.guard([&] {
            Rollback rollback([&] { missed(*system); });
            if (entities.size() == 1) system->start_tracking(entities.front());
            else system->start_tracking(entities);
            rollback.cancel();
        });
    }
    error.rethrow();
}

void Tracking::created_one_by_one(std::span<SystemBase* const> systems, std::span<const Entity> entities) {
    FirstError error;
    Operation operation(*this);
    for (const Entity e : entities) {
        for (SystemBase* system : systems) {
            if (may_track(*system, e)) start(*system, e, error);
        }
    }
    error.rethrow();
}

// --- components and entities are removed ----------------------------------------------------------

void Tracking::removed(Entity e, ComponentClass& cls, FirstError& error) {
    // The removal signals for the systems that track the entity still afterwards (rule D2).
    for (const ListedSystem& w : cls.watching) {
        if (w.system == nullptr) continue;
        const bool itself = w.itself && w.system->tracks(e) && may_track(*w.system, e);
        if (w.descendants) error.guard([&] { mark_down(*w.system, e, itself); });
        else if (itself) error.guard([&] { w.system->dirty_set().mark(e); });
    }
    update_all(e, cls, 0, error);
}

bool Tracking::reads_removed(Entity e, const ComponentClass& cls) noexcept {
    for (const SystemList* list : {&cls.requiring, &cls.filtering}) {
        for (const ListedSystem& r : *list) {
            if (r.system != nullptr && r.system->notifies_remove_ != 0 && r.system->tracks(e)) return true;
        }
    }
    return false;
}

void Tracking::stop(Entity e, FirstError& error) {
    Operation operation(*this);
    const std::size_t base = stopping_.size();
    const auto gather = [&](ComponentId id) {
        for (const ListedSystem& r : classes_[id]->requiring) {
            SystemBase* system = r.system;
            if (system == nullptr || !system->tracks(e)) continue;
            // Insert in running order, each system once. Few systems track one entity, so this is fast enough.
            std::size_t at = stopping_.size();
            while (at > base && system->runs_before(*stopping_[at - 1])) --at;
            if (at > base && stopping_[at - 1] == system) continue;
            stopping_.insert(stopping_.begin() + static_cast<std::ptrdiff_t>(at), system);
        }
    };
    pool.each_class(e, gather);
    // If `on_remove` calls clear() while a component is removed, the entity no longer has that component, but systems
    // that require it may still have to be notified.
    for (const Parked& removal : parked) {
        if (removal.entity == e) gather(removal.id);
    }
    for (std::size_t i = base; i < stopping_.size(); ++i) stop(*stopping_[i], e, error);
    stopping_.resize(base);
}

bool Tracking::calls_on_remove(Entity e) const {
    bool calls = false;
    const auto ask = [&](const ListedSystem& r) {
        calls = calls || (r.system != nullptr && r.system->notifies_remove_ != 0 && r.system->tracks(e));
    };
    pool.each_class(e, [&](ComponentId id) {
        for (const ListedSystem& r : classes_[id]->leading) {
            // Not `selects`: while its components change, a system can track an entity that it no longer selects.
            const std::uint32_t* bits = pool.signature(e);
            if ((bits[0] & r.first_word) == r.first_word && r.system != nullptr && has_required(*r.system, bits))
                ask(r);
        }
    });
    // While a component is removed, the entity no longer has it, but systems that require it may still track the entity.
    for (const Parked& removal : parked) {
        if (removal.entity == e)
            std::for_each(classes_[removal.id]->requiring.begin(), classes_[removal.id]->requiring.end(), ask);
    }
    return calls;
}

bool Tracking::may_call_on_remove() const noexcept {
    const auto notifies = [](const auto& system) { return system->notifies_remove_ != 0; };
    return !parked.empty() || !removed_.empty() || std::any_of(systems_.begin(), systems_.end(), notifies);
}

int Tracking::parked_count(Entity e, ComponentId id) const noexcept {
    return static_cast<int>(std::count_if(
        parked.begin(), parked.end(), [&](const Parked& removal) { return removal.entity == e && removal.id == id; }));
}

int Tracking::find_parked(Entity e, ComponentId id) const noexcept {
    int found = -1;
    int of_class = 0;
    for (const Parked& removal : parked) {
        if (removal.id != id) continue;
        if (removal.entity == e) found = of_class;
        ++of_class;
    }
    return found;
}

// --- systems --------------------------------------------------------------------------------------

namespace {

std::vector<std::uint32_t> signature_of(const std::vector<ComponentId>& ids) {
    std::vector<std::uint32_t> bits;
    for (const ComponentId id : ids) {
        const EntityPool::ClassBit bit(id);
        if (bits.size() <= bit.word) bits.resize(bit.word + 1);
        bits[bit.word] |= bit.mask;
    }
    return bits;
}

bool contains(const std::vector<ComponentId>& list, ComponentId id) {
    return std::find(list.begin(), list.end(), id) != list.end();
}

bool runs_before(const ListedSystem& a, const ListedSystem& b) {
    return a.system != nullptr && b.system != nullptr && a.system->runs_before(*b.system);
}

}  // namespace

// Calls `visit(list, entry, cls)` for each list in which the system is: with its entry there, and the class if it watches that.
template <class Visit>
void Tracking::each_list(SystemBase& system, Visit&& visit) {
    if (system.requires_none_) return;
    ListedSystem entry{&system, system.signature_.front(), system.signature_.size() > 1 || system.selects_more(), true,
                       true};
    for (const ComponentId id : system.required()) visit(classes_[id]->requiring, entry, nullptr);
    visit(classes_[system.required().front()]->leading, entry, nullptr);
    for (const Use use : {Use::excluded, Use::accepted}) {
        for (const ComponentId id : system.ids(use)) visit(classes_[id]->filtering, entry, nullptr);
    }
    const auto& ancestors = system.ids(Use::ancestors);
    if (!ancestors.empty()) visit(inheriting_, entry, nullptr);
    for (const ComponentId id : system.watched()) {
        entry.descendants = contains(ancestors, id);
        visit(classes_[id]->watching, entry, classes_[id].get());
    }
    entry.itself = false;
    entry.descendants = true;
    for (const ComponentId id : ancestors) {
        if (!contains(system.watched(), id)) visit(classes_[id]->watching, entry, classes_[id].get());
    }
}

void Tracking::prepare(SystemBase& system) {
    for (const auto& ids : system.ids_) {
        for (const ComponentId id : ids) static_cast<void>(component_class(id));
    }
    system.watches_ = system.watches_any();
    system.signature_ = signature_of(system.required());
    system.excluded_signature_ = signature_of(system.ids(Use::excluded));
    system.any_signature_ = signature_of(system.ids(Use::accepted));
    const auto make_room = [](auto& list) {
        if (list.size() == list.capacity()) list.reserve(list.size() + list.size() / 2 + 1);
    };
    each_list(system, [&](SystemList& list, const ListedSystem&, ComponentClass*) { make_room(list); });
    make_room(systems_);
    removed_.reserve(systems_.size() + removed_.size() + 1);
    stopping_.reserve(8 * (systems_.size() + 1));  // for removals in callbacks of removals, several levels deep
}

void Tracking::connect(SystemBase& system) noexcept {
    ++systems_version_;
    system.dirty_set().connect(*this);
    system.operations_ = this;
    systems_.push_back(&system);
    each_list(system, [](SystemList& list, const ListedSystem& entry, ComponentClass* watched) {
        const auto later = [&](const ListedSystem& other) { return runs_before(entry, other); };
        list.insert(std::find_if(list.begin(), list.end(), later), entry);
        if (watched != nullptr) watched->storage->add_watchers(1);
    });
}

void Tracking::stop_all_except(Entity kept) noexcept {
    for (SystemBase* system : systems_) system->stop_tracking_all_except(kept);
}

void Tracking::order_changed() noexcept {
    ++systems_version_;
    request_cleanup();
}

void Tracking::start_all(SystemBase& system, FirstError& error) {
    if (system.requires_none_) return;
    Operation operation(*this);
    // Iterate over the smallest storage of a required class: it contains every entity that matches.
    const auto smaller = [&](ComponentId a, ComponentId b) {
        return classes_[a]->storage->count() < classes_[b]->storage->count();
    };
    const ComponentId smallest = *std::min_element(system.required().begin(), system.required().end(), smaller);
    drain_marks();
    classes_[smallest]->storage->each([&](Entity e) {
        if (!system.is_added()) return false;
        if (may_track(system, e)) start(system, e, error);
        return true;
    });
}

void Tracking::disconnect(std::unique_ptr<SystemBase> owned, FirstError& error) {
    SystemBase& system = *owned;
    error.guard([&] { drain_marks(); });
    Operation operation(*this);
    system.state_ = SystemBase::State::removed;  // from now on it does not start to track entities
    std::erase(systems_, &system);
    removed_.push_back(std::move(owned));  // there is room
    auto iteration = system.tracked().each();
    for (Entity e; iteration.next(e);) stop(system, e, error);
    // Last: if a callback removes a component meanwhile, the value is parked only if this system is in the lists (rule A2).
    // Callers may be iterating over the lists. So entries become null, and clean_up() erases them.
    ++systems_version_;
    each_list(system, [&](SystemList& list, const ListedSystem&, ComponentClass* watched) {
        for (ListedSystem& entry : list) {
            if (entry.system == &system) entry.system = nullptr;
        }
        if (watched != nullptr) watched->storage->add_watchers(-1);
    });
    request_cleanup();
}

void Tracking::clean_up() noexcept {
    // The destructor of a system may call the ECS, so each system is taken from the list before it is destroyed, and this
    // function may be called again meanwhile.
    while (cleanup_requested()) {
        const auto tidy = [](SystemList& list) {
            std::erase_if(list, [](const ListedSystem& entry) { return entry.system == nullptr; });
            insertion_sort(list, runs_before);
        };
        for (const auto& cls : classes_) {
            if (!cls) continue;
            for (SystemList* list : {&cls->requiring, &cls->filtering, &cls->leading, &cls->watching}) tidy(*list);
        }
        tidy(inheriting_);
        while (!removed_.empty()) {
            begin();
            {
                const auto system = std::move(removed_.back());
                removed_.pop_back();
            }
            end();
        }
    }
}

}  // namespace crateful::internal
