// Adding, removing and enabling systems (rules S1 to S4).
#include <algorithm>
#include <cmath>

#include "crateful/ecs.hpp"
#include "operation.hpp"

namespace crateful {
namespace {

template <class List>
void replace_with_null(List& list, const SystemBase* system) {
    for (auto& entry : list) {
        if (entry.system == system) entry.system = nullptr;
    }
}
template <class List>
void erase_nulls(List& list) {
    std::erase_if(list, [](const auto& entry) { return entry.system == nullptr; });
}

}  // namespace

std::vector<SystemBase*> ECS::systems() const {
    std::vector<SystemBase*> all;
    for (const auto& system : systems_) all.push_back(system.get());
    return all;
}

template <class Fits>
SystemBase* ECS::first_added(Fits&& fits) const {
    SystemBase* first = nullptr;
    for (const auto& system : systems_) {
        if (!fits(*system)) continue;
        if (first == nullptr || system->sequence_ < first->sequence_) first = system.get();
    }
    return first;
}

SystemBase& ECS::find_system(const void* class_id, std::string_view class_name) const {
    SystemBase* found = first_added([&](const SystemBase& system) { return system.class_id_ == class_id; });
    if (found != nullptr) return *found;
    internal::fail(ErrorCode::bad_system, {"get_system: no system of class ", class_name, " was added to this ECS"});
}

SystemBase& ECS::get_system(std::string_view name) const {
    SystemBase* found = first_added([&](const SystemBase& system) { return system.name() == name; });
    if (found != nullptr) return *found;
    internal::fail(ErrorCode::bad_system, {"get_system: no system with the name ", name, " was added to this ECS"});
}

void ECS::require_added(const SystemBase& system, const char* call) const {
    if (system.ecs_ != this || system.state_ == SystemBase::State::removed) {
        internal::fail(ErrorCode::bad_system,
                       {call, ": system ", system.name(), " was not added to this ECS, or was removed"});
    }
}

// --- adding ---------------------------------------------------------------------------------------

void ECS::insert_system(double priority, std::unique_ptr<SystemBase> owned, const internal::SystemClass& cls) {
    if (!owned) internal::fail(ErrorCode::bad_system, {"add_system: the pointer to the system is null"});
    SystemBase& system = *owned;
    system.class_name_ = cls.name;
    system.class_id_ = cls.id;
    system.update_parameters_ = cls.update_parameters;
    if (cls.default_hooks) {
        system.default_hooks_ = true;
        system.set_notifications(false, false);
    }
    if (!std::isfinite(priority)) {
        internal::fail(ErrorCode::bad_system, {"add_system: the priority of system ", system.name(),
                                               " must be a finite number, not ", internal::number_text(priority)});
    }
    if (system.required_.empty()) {
        internal::fail(ErrorCode::bad_system,
                       {"add_system: system ", system.name(), " must require at least one component class"});
    }
    Operation operation(*this);
    for (const ComponentId id : system.required_) component_class(id);
    for (const ComponentId id : system.watched_) component_class(id);
    std::vector<std::uint32_t> bits;
    for (const ComponentId id : system.required_) {
        const EntityPool::ClassBit bit(id);
        if (bits.size() <= bit.word) bits.resize(bit.word + 1);
        bits[bit.word] |= bit.mask;
    }
    system.signature_ = std::move(bits);
    system.priority_ = priority;
    system.sequence_ = next_sequence_++;
    system.ecs_ = this;
    system.state_ = SystemBase::State::added;
    system.dirty_.connect(*this);
    system.clock_name_ = system.name();
    const auto in_use = [&](const auto& other) { return other->clock_name_ == system.clock_name_; };
    for (int n = 2; std::any_of(systems_.begin(), systems_.end(), in_use); ++n) {
        system.clock_name_ = internal::join({system.name(), " #", internal::number_text(n)});
    }
    add_to_lists(system);
    systems_.insert(std::upper_bound(systems_.begin(), systems_.end(), priority,
                                     [](double p, const auto& other) { return p < other->priority_; }),
                    std::move(owned));

    FirstError error;
    error.guard([&] { system.init(); });
    // Iterate over the smallest storage of a required class: it contains every entity that matches.
    const ComponentId smallest = *std::min_element(
        system.required_.begin(), system.required_.end(),
        [&](ComponentId a, ComponentId b) { return classes_[a]->storage->count() < classes_[b]->storage->count(); });
    drain_marks();
    classes_[smallest]->storage->each([&](Entity e) {
        if (system.state_ == SystemBase::State::removed) return false;
        if (matches(system, e) && !system.tracks(e)) track(system, e, error);
        return true;
    });
    error.rethrow();
}

void ECS::add_to_lists(SystemBase& system) {
    const Requirement entry{&system, system.signature_.front(), system.signature_.size() > 1};
    const auto insert = [&](std::vector<Requirement>& list) {
        const auto runs_later = [&](const Requirement& r) {
            return r.system != nullptr && system.runs_before(*r.system);
        };
        list.insert(std::find_if(list.begin(), list.end(), runs_later), entry);
    };
    ++systems_version_;
    for (const ComponentId id : system.required_) insert(classes_[id]->requiring);
    insert(classes_[system.required_.front()]->leading);
    for (const ComponentId id : system.watched_) {
        insert(classes_[id]->watching);
        classes_[id]->storage->add_watchers(1);
    }
}

// --- removing -------------------------------------------------------------------------------------

void ECS::remove_system(SystemBase& system) {
    require_added(system, "remove_system");
    if (updating_) {
        system.state_ = SystemBase::State::removal_pending;  // until the end of the update (rule S3)
        system_removals_pending_ = true;
        return;
    }
    Operation operation(*this);
    FirstError error;
    remove_now(system, error);
    error.rethrow();
}

void ECS::remove_from_lists(SystemBase& system) {
    ++systems_version_;
    // Callers may be iterating over the lists. So entries become null, and compact() erases them later.
    for (const ComponentId id : system.required_) replace_with_null(classes_[id]->requiring, &system);
    replace_with_null(classes_[system.required_.front()]->leading, &system);
    for (const ComponentId id : system.watched_) {
        replace_with_null(classes_[id]->watching, &system);
        classes_[id]->storage->add_watchers(-1);
    }
    lists_have_gaps_ = true;
}

// Ends the tracking by a system and removes it from the ECS. It is destroyed by compact().
void ECS::remove_now(SystemBase& system, FirstError& error) {
    drain_marks();
    system.state_ = SystemBase::State::removed;  // from now on it does not start to track entities
    const auto at = std::find_if(systems_.begin(), systems_.end(), [&](const auto& s) { return s.get() == &system; });
    removed_systems_.push_back(std::move(*at));
    systems_.erase(at);
    auto iteration = system.tracked_.each();
    for (Entity e; iteration.next(e);) untrack(system, e, error);
    // Last: if a callback removes a component meanwhile, the value is parked only if this system is in the lists (rule
    // A2).
    remove_from_lists(system);
}

// Called when no operation is in progress: erases null entries from the lists and destroys removed systems.
void ECS::compact() {
    if (lists_have_gaps_) {
        lists_have_gaps_ = false;
        for (const auto& cls : classes_) {
            if (!cls) continue;
            erase_nulls(cls->requiring);
            erase_nulls(cls->leading);
            erase_nulls(cls->watching);
        }
    }
    // The destructor of a system may call the ECS, so each system is taken from the list before it is destroyed.
    while (!removed_systems_.empty()) {
        const auto system = std::move(removed_systems_.back());
        removed_systems_.pop_back();
    }
}

// --- enabling -------------------------------------------------------------------------------------

void ECS::enable_system(SystemBase& system) {
    require_added(system, "enable_system");
    if (system.enabled_) return;
    Operation operation(*this);
    system.enabled_ = true;
    system.notify_enabled();
}

void ECS::disable_system(SystemBase& system) {
    require_added(system, "disable_system");
    if (!system.enabled_) return;
    Operation operation(*this);
    system.enabled_ = false;
    system.notify_disabled();
}

void ECS::toggle_system(SystemBase& system) {
    if (system.enabled_) disable_system(system);
    else enable_system(system);
}

}  // namespace crateful
