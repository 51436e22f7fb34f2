// Adding, removing and enabling systems (rules S1 to S4).
#include <algorithm>
#include <cmath>

#include "crateful/ecs.hpp"
#include "operation.hpp"

namespace crateful {

using Use = SystemBase::Use;

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
    system.priority_ = priority;
    system.sequence_ = next_sequence_;
    require_valid(system, priority);
    const std::vector<SystemBase*> order = running_order(system);
    Operation operation(*this);
    for (const auto& ids : system.ids_) {
        for (const ComponentId id : ids) component_class(id);
    }
    system.signature_ = signature_of(system.required());
    system.excluded_signature_ = signature_of(system.ids(Use::excluded));
    system.any_signature_ = signature_of(system.ids(Use::accepted));
    ++next_sequence_;
    system.ecs_ = this;
    system.state_ = SystemBase::State::added;
    system.dirty_.connect(*this);
    system.clock_name_ = system.name();
    const auto in_use = [&](const auto& other) { return other->clock_name_ == system.clock_name_; };
    for (int n = 2; std::any_of(systems_.begin(), systems_.end(), in_use); ++n) {
        system.clock_name_ = internal::join({system.name(), " #", internal::number_text(n)});
    }
    add_to_lists(system, true);
    systems_.reserve(systems_.size() + 1);
    untracking_.reserve(8 * (systems_.size() + 1));  // for removals in callbacks of removals, several levels deep
    // From here on, nothing is allocated until the system is in all lists.
    systems_.push_back(std::move(owned));
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i]->rank_ = i;
        const auto is_next = [&](const auto& other) { return other.get() == order[i]; };
        std::swap(systems_[i],
                  *std::find_if(systems_.begin() + static_cast<std::ptrdiff_t>(i), systems_.end(), is_next));
    }
    add_to_lists(system, false);

    FirstError error;
    error.guard([&] { system.init(); });
    if (system.requires_none_) return error.rethrow();
    // Iterate over the smallest storage of a required class: it contains every entity that matches.
    const ComponentId smallest = *std::min_element(
        system.required().begin(), system.required().end(),
        [&](ComponentId a, ComponentId b) { return classes_[a]->storage->count() < classes_[b]->storage->count(); });
    drain_marks();
    classes_[smallest]->storage->each([&](Entity e) {
        if (system.state_ == SystemBase::State::removed) return false;
        if (matches(system, e) && !system.tracks(e)) track(system, e, error);
        return true;
    });
    error.rethrow();
}

void ECS::require_valid(const SystemBase& system, double priority) {
    const auto fail = [&](std::string_view why, std::string_view what = {}) {
        internal::fail(ErrorCode::bad_system, {"add_system: system ", system.name(), why, what});
    };
    if (!std::isfinite(priority)) fail(": the priority must be a finite number, not ", internal::number_text(priority));
    if (!std::isfinite(system.interval_) || system.interval_ < 0)
        fail(": the interval must be a non-negative number of seconds, not ", internal::number_text(system.interval_));
    for (const ComponentId id : system.ids(Use::excluded)) {
        if (contains(system.required(), id) || contains(system.ids(Use::accepted), id))
            fail(" both requires and excludes ", registry::type(id).name);
    }
    std::size_t used = 0;
    for (const auto& ids : system.ids_) used += ids.size();
    if (system.requires_none_ && used > 0) fail(" requires no entities, so it cannot name component classes");
    if (!system.requires_none_ && system.required().empty()) fail(" must require at least one component class");
}

// All systems and the one that is being added, in the order in which they run: by priority, then so that constraints hold, then
// by addition (rule S10). Throws `bad_system` if that is impossible.
std::vector<SystemBase*> ECS::running_order(SystemBase& added) const {
    const auto fail = [&](std::string_view why, const std::string& what) {
        internal::fail(ErrorCode::bad_system, {"add_system: system ", added.name(), why, what});
    };
    std::vector<SystemBase*> order;
    const auto insert = [&](SystemBase* system) {
        order.push_back(system);
        for (std::size_t i = order.size() - 1; i > 0; --i) {
            const SystemBase& other = *order[i - 1];
            if (other.priority_ < system->priority_) break;
            if (other.priority_ == system->priority_ && other.sequence_ < system->sequence_) break;
            std::swap(order[i - 1], order[i]);
        }
    };
    for (const auto& system : systems_) insert(system.get());
    insert(&added);
    const auto is_free = [](const SystemBase* system) { return system->before_.empty() && system->after_.empty(); };
    if (std::all_of(order.begin(), order.end(), is_free)) return order;
    // Moves what must run before a system in front of it, until nothing must.
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::vector<SystemBase*> moved;
        for (std::size_t k = 0; k < order.size(); ++k) {
            SystemBase* const late = order[i];
            SystemBase* const early = order[k];
            if (!early->must_precede(*late) || (k < i && early->priority_ <= late->priority_)) continue;
            std::string text = internal::join({early->name(), " before ", late->name()});
            if (early->priority_ != late->priority_) {
                if (early->priority_ < late->priority_) continue;
                fail(": the priorities contradict the constraint ", text);
            }
            if (std::find(moved.begin(), moved.end(), early) != moved.end() || early == late) {
                const SystemBase* before = late;
                for (std::size_t m = moved.size(); before != early; before = moved[m])
                    text += internal::join({", ", before->name(), " before ", moved[--m]->name()});
                fail(": the constraints contradict each other: ", text);
            }
            moved.push_back(late);
            order.erase(order.begin() + static_cast<std::ptrdiff_t>(k));
            order.insert(order.begin() + static_cast<std::ptrdiff_t>(i), early);
            k = static_cast<std::size_t>(-1);  // from the beginning, for the system that is here now
        }
    }
    return order;
}

// Calls `visit(ComponentId, itself)` once for each class that the system watches in either way.
template <class Visit>
void ECS::each_watched(const SystemBase& system, Visit&& visit) {
    for (const ComponentId id : system.watched()) visit(id, true);
    for (const ComponentId id : system.ids(Use::ancestors)) {
        if (!contains(system.watched(), id)) visit(id, false);
    }
}

// Adds the system to the lists of its classes or, if `only_room`, makes room for it.
void ECS::add_to_lists(SystemBase& system, bool only_room) {
    if (system.requires_none_) return;
    Entry entry{&system, system.signature_.front(), system.signature_.size() > 1 || system.selects_more(), true, true};
    const auto insert = [&](Entries& list) {
        if (only_room) return list.reserve(list.size() + 1);
        const auto runs_later = [&](const Entry& other) {
            return other.system != nullptr && system.runs_before(*other.system);
        };
        list.insert(std::find_if(list.begin(), list.end(), runs_later), entry);
    };
    ++systems_version_;
    for (const ComponentId id : system.required()) insert(classes_[id]->requiring);
    insert(classes_[system.required().front()]->leading);
    for (const auto* ids : {&system.ids(Use::excluded), &system.ids(Use::accepted)}) {
        for (const ComponentId id : *ids) insert(classes_[id]->filtering);
    }
    if (!system.ids(Use::ancestors).empty()) insert(inheriting_);
    each_watched(system, [&](ComponentId id, bool itself) {
        entry.itself = itself;
        entry.descendants = contains(system.ids(Use::ancestors), id);
        insert(classes_[id]->watching);
        if (!only_room) classes_[id]->storage->add_watchers(1);
    });
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
    if (system.requires_none_) return;
    // Callers may be iterating over the lists. So entries become null, and compact() erases them later.
    for (const auto* ids : {&system.ids(Use::excluded), &system.ids(Use::accepted)}) {
        for (const ComponentId id : *ids) replace_with_null(classes_[id]->filtering, &system);
    }
    for (const ComponentId id : system.required()) replace_with_null(classes_[id]->requiring, &system);
    replace_with_null(classes_[system.required().front()]->leading, &system);
    each_watched(system, [&](ComponentId id, bool) {
        replace_with_null(classes_[id]->watching, &system);
        classes_[id]->storage->add_watchers(-1);
    });
    replace_with_null(inheriting_, &system);
    lists_have_gaps_ = true;
}

// Ends the tracking by a system and removes it from the ECS. It is destroyed by compact().
void ECS::remove_now(SystemBase& system, FirstError& error) {
    drain_marks();
    system.state_ = SystemBase::State::removed;  // from now on it does not start to track entities
    const auto at = std::find_if(systems_.begin(), systems_.end(), [&](const auto& s) { return s.get() == &system; });
    removed_systems_.push_back(std::move(*at));
    systems_.erase(at);
    for (const auto& other : systems_) {
        const auto names = [&](const SystemBase::Constraint& c) { return c.id == &system; };
        std::erase_if(other->before_, names);
        std::erase_if(other->after_, names);
    }
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
            erase_nulls(cls->filtering);
            erase_nulls(cls->watching);
        }
        erase_nulls(inheriting_);
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
    FirstError error;
    error.guard([&] { system.notify_enabled(); });
    error.rethrow();
}

void ECS::disable_system(SystemBase& system) {
    require_added(system, "disable_system");
    if (!system.enabled_) return;
    Operation operation(*this);
    system.enabled_ = false;
    FirstError error;
    error.guard([&] { system.notify_disabled(); });
    error.rethrow();
}

void ECS::toggle_system(SystemBase& system) {
    if (system.enabled_) disable_system(system);
    else enable_system(system);
}

}  // namespace crateful
