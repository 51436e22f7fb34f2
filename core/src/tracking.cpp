// Which systems track which entities (rules S8, S9, D5, D6, A1 to A3).
#include "crateful/detail/tracking.hpp"

#include <algorithm>

#include "crateful/detail/message.hpp"
#include "crateful/detail/rollback.hpp"

namespace crateful::internal {

// --- operations -----------------------------------------------------------------------------------

// Not inlined, because every public call contains one.
Operation::~Operation() {
    all_.control_.depth = depth_;
    all_.caller_ = caller_;
    all_.ended();
}

void Operations::settle() noexcept {
    if (control_.depth < LEAST && limit_ != LOCKED) limit_ = LIMIT;
    if (control_.depth == 0 && cleanup_needed_) clean_up();
}

void Operations::refuse_observer(const char* call) const {
    fail(ErrorCode::bad_system,
         {call, ": ", observer_->name(), " is an observer, which must not change the world; let another system do it"});
}

void Operations::refuse(const char* call) {
    require_unobserved(call);
    if (limit_ != LOCKED) refuse_depth();
    fail(ErrorCode::bad_argument,
         {call, ": the state of the ECS is being encoded or restored; callbacks must not change it"});
}

void Operations::require_room(bool in_call) {
    if (control_.depth >= (in_call ? LIMIT + 1 : limit_ == LOCKED ? LIMIT : limit_)) refuse_depth();
}

void Operations::refuse_depth() {
    limit_ =
        LEAST;  // otherwise, of callbacks that cause several of their own calls, exponentially many would be called
    fail(ErrorCode::too_deep, {caller_.callback, ": this callback of ",
                               caller_.system != nullptr ? caller_.system->name() : "an event or component",
                               " runs inside ", number_text(LIMIT),
                               " others; if they cause each other without end, check a condition first, "
                               "otherwise make the change in update"});
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
    if (!system.selects_more_()) return true;
    for (std::size_t w = 0; w < system.excluded_signature_.size(); ++w) {
        if ((bits[w] & system.excluded_signature_[w]) != 0) return false;
    }
    std::uint32_t found = system.any_signature_.empty() ? 1 : 0;
    for (std::size_t w = 0; w < system.any_signature_.size(); ++w) found |= bits[w] & system.any_signature_[w];
    return found != 0;
}

bool Tracking::may_track(const SystemBase& system, Entity e) const noexcept {
    return can_be_tracked(e) && system.is_added_() && selects(system, pool.signature(e));
}

// --- starting and stopping ------------------------------------------------------------------------

void Tracking::start(SystemBase& system, Entity e, FirstError& error) {
    bool done = false;
    error.guard([&] {
        drain_marks();
        const bool started = system.start_tracking_(e);
        done = true;
        if (!started || system.notifies_add_ == 0) return;
        calls("on_add", &system);
        const Observed observed(*this, system.observer_ ? &system : nullptr);
        system.notify_add_(e);
    });
    if (!done) missed(system);
}

void Tracking::stop(SystemBase& system, Entity e, FirstError& error) {
    if (!system.stop_tracking_(e) || system.notifies_remove_ == 0) return;
    calls("on_remove", &system);
    error.guard([&] {
        const Observed observed(*this, system.observer_ ? &system : nullptr);
        system.notify_remove_(e);
    });
}

void Tracking::postpone(SystemBase& system, Entity e, FirstError& error) {
    if (!error.guard([&] { postponed_.push_back({e, &system}); })) missed(system);
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

void Tracking::start_all(const ListedSystem& r, std::span<const Entity> entities, const ComponentClass& cls) {
    if (r.system == nullptr) return;
    Rollback rollback([&] { missed(*r.system); });
    const auto fits = [&](Entity e) { return may_track(r, e); };
    // Some may be tracked already; but each tracked entity has a component of the class.
    const auto n = static_cast<std::size_t>(std::count_if(entities.begin(), entities.end(), fits));
    r.system->reserve_(std::min(r.system->tracked_.size() + n, std::size_t{cls.storage->count()}));
    for (const Entity e : entities) {
        if (fits(e)) r.system->start_tracking_(e);
    }
    rollback.cancel();
}

void Tracking::stop_all(const SystemList& systems, const ComponentClass& cls,
                        std::span<const Entity> entities) noexcept {
    for (const ListedSystem& r : systems) {
        if (r.system == nullptr) continue;
        // A system with callbacks can still track an entity whose component is being removed.
        if (cls.storage->count() == 0 && r.system->notifies_remove_ == 0) {
            r.system->stop_tracking_all_();
            continue;
        }
        r.system->stop_tracking_(entities);
    }
}

// --- components were added ------------------------------------------------------------------------

void Tracking::added_one(Entity e, ComponentClass& cls, bool is_new) {
    Rollback rollback([&] { missed(cls); });
    if (!cls.watching.empty()) mark(cls, e);
    if (is_new && !cls.reading_parents.empty()) presence_changed(e, cls);
    // Until a callback is called, nothing but memory can fail. A component of a required class never ends the tracking.
    std::size_t i = 0;
    for (; i < cls.requiring.size(); ++i) {
        const ListedSystem& r = cls.requiring[i];
        if (!may_track(r, e)) continue;
        if (r.system->notifies_add_ != 0) break;
        r.system->start_tracking_(e);
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

std::vector<Entity> Tracking::without(const ComponentClass& cls, std::span<const Entity> entities) {
    std::vector<Entity> found;
    if (cls.reading_parents.empty()) return found;
    std::copy_if(entities.begin(), entities.end(), std::back_inserter(found),
                 [&](Entity e) { return !cls.storage->has(e); });
    return found;
}

void Tracking::added(std::span<const Entity> entities, ComponentClass& cls, std::span<const Entity> first) {
    FirstError error;
    Operation operation(*this);
    if (!cls.watching.empty()) {
        error.guard([&] {
            for (const ListedSystem& w : cls.watching) mark(w, entities);
        });
    }
    error.guard([&] {
        for (const Entity e : first) presence_changed(e, cls);
    });
    const auto notifies = [](const ListedSystem& r) { return r.system != nullptr && r.system->notifies_add_ != 0; };
    if (!cls.filtering.empty() || std::any_of(cls.requiring.begin(), cls.requiring.end(), notifies)) {
        for (const Entity e : entities) update_all(e, cls, 0, error);
    } else {
        // Without callbacks the order has no effect, and each system processes all entities at once.
        for (const ListedSystem& r : cls.requiring) error.guard([&] { start_all(r, entities, cls); });
    }
    error.rethrow();
}

bool Tracking::creates_silently(const PrefabClasses& prefab) noexcept {
    return std::none_of(prefab.systems.begin(), prefab.systems.end(),
                        [](const SystemBase* system) { return system->notifies_add_ != 0; });
}

void Tracking::created(std::span<SystemBase* const> systems, std::span<const Entity> entities) {
    if (entities.empty() || !can_be_tracked(entities.front())) return;
    FirstError error;
    for (SystemBase* system : systems) {
        const bool done = error.guard([&] {
            if (entities.size() == 1) system->start_tracking_(entities.front());
            else system->start_tracking_(entities);
        });
        if (!done) missed(*system);
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

// The removal signals for the systems that track the entity still afterwards (rule D2).
void Tracking::signal_removal(Entity e, const ComponentClass& cls) {
    FirstError error;
    for (const ListedSystem& w : cls.watching) {
        if (w.system == nullptr) continue;
        const bool itself = w.itself && w.system->tracks(e) && may_track(*w.system, e);
        if (w.descendants) error.guard([&] { mark_down(w, e, itself); });
        else if (itself) error.guard([&] { w.system->dirty_set().mark(e, w.cause); });
    }
    error.rethrow();
}

void Tracking::removed(Entity e, ComponentClass& cls, FirstError& error) {
    if (!cls.watching.empty()) error.guard([&] { signal_removal(e, cls); });
    error.guard([&] { presence_changed(e, cls); });
    update_all(e, cls, 0, error);
    // A callback may have given the entity what another system needs to track it still.
    if (!cls.watching.empty() && pool.alive(e)) error.guard([&] { signal_removal(e, cls); });
}

bool Tracking::reads_removed(Entity e, const ComponentClass& cls) noexcept {
    for (const SystemList* list : {&cls.requiring, &cls.filtering}) {
        for (const ListedSystem& r : *list) {
            if (r.system != nullptr && r.system->notifies_remove_ != 0 && r.system->tracks(e)) return true;
        }
    }
    return false;
}

// Few systems track one entity, so this is fast enough.
void Tracking::insert_in_order(std::vector<SystemBase*>& systems, std::size_t first, SystemBase& system) {
    std::size_t at = systems.size();
    for (std::size_t i = first; i < systems.size(); ++i) {
        if (systems[i] == &system) return;
        if (at == systems.size() && system.runs_before(*systems[i])) at = i;
    }
    systems.insert(systems.begin() + static_cast<std::ptrdiff_t>(at), &system);
}

void Tracking::stop(Entity e, FirstError& error) {
    Operation operation(*this);
    const std::size_t base = stopping_.size();
    const auto gather = [&](ComponentId id) {
        for (const ListedSystem& r : classes_[id]->requiring) {
            if (r.system != nullptr && r.system->tracks(e)) insert_in_order(stopping_, base, *r.system);
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

}  // namespace crateful::internal
