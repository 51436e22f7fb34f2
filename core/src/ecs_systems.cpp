// Systems: coming, going, enabling.
#include <algorithm>
#include <cmath>

#include "crateful/ecs.hpp"
#include "operation.hpp"

namespace crateful {
namespace {

void hole(std::vector<SystemBase*>& list, SystemBase* system) {
    std::replace(list.begin(), list.end(), system, static_cast<SystemBase*>(nullptr));
}

}  // namespace

std::vector<SystemBase*> ECS::systems() const {
    std::vector<SystemBase*> all;
    for (const auto& system : systems_) all.push_back(system.get());
    return all;
}

SystemBase& ECS::find_system(const void* class_id, std::string_view class_name) const {
    SystemBase* first = nullptr;
    for (const auto& system : systems_) {
        if (system->class_id_ != class_id) continue;
        if (first == nullptr || system->sequence_ < first->sequence_) first = system.get();
    }
    if (first == nullptr) {
        throw Error(ErrorCode::bad_system,
                    "get_system: no system of class " + std::string(class_name) + " was added to this ECS");
    }
    return *first;
}

void ECS::require_mine(const SystemBase& system, const char* call) const {
    if (system.ecs_ != this || system.state_ == SystemBase::State::removed) {
        throw Error(ErrorCode::bad_system, std::string(call) + ": " + system.name() + " was not added to this world");
    }
}

// --- coming ---------------------------------------------------------------------------------------

void ECS::insert_system(double priority, std::unique_ptr<SystemBase> owned, const internal::SystemClass& cls) {
    if (!owned) throw Error(ErrorCode::bad_system, "add_system: the pointer to the system is null");
    SystemBase& system = *owned;
    system.class_name_ = cls.name;
    system.class_id_ = cls.id;
    if (cls.default_hooks) {
        system.default_hooks_ = true;
        system.hear(false, false);
    }
    if (!std::isfinite(priority)) {
        throw Error(ErrorCode::bad_system, "add_system: the priority of " + system.name() + " is not a finite number");
    }
    if (system.required_.empty()) {
        throw Error(ErrorCode::bad_system, "add_system: " + system.name() + " requires no component");
    }
    Operation operation(*this);
    for (const ComponentId id : system.required_) component_class(id);
    for (const ComponentId id : system.watched_) component_class(id);
    std::vector<std::uint64_t> bits;
    for (const ComponentId id : system.required_) {
        if (bits.size() <= id / 64) bits.resize(id / 64 + 1);
        bits[id / 64] |= std::uint64_t{1} << (id % 64);
    }
    system.signature_ = std::move(bits);
    system.priority_ = priority;
    system.sequence_ = next_sequence_++;
    system.ecs_ = this;
    system.state_ = SystemBase::State::added;
    system.dirty_.connect(*this);
    system.clock_name_ = system.name();
    const auto taken = [&](const auto& other) { return other->clock_name_ == system.clock_name_; };
    for (int n = 2; std::any_of(systems_.begin(), systems_.end(), taken); ++n) {
        system.clock_name_ = system.name() + " #" + std::to_string(n);
    }
    enter_lists(system);
    systems_.insert(std::upper_bound(systems_.begin(), systems_.end(), priority,
                                     [](double p, const auto& other) { return p < other->priority_; }),
                    std::move(owned));

    FirstError error;
    error.guard([&] { system.init(); });
    // Everything that matches has every required class, so the smallest storage tells them all.
    const ComponentId rarest = *std::min_element(
        system.required_.begin(), system.required_.end(),
        [&](ComponentId a, ComponentId b) { return classes_[a]->storage->count() < classes_[b]->storage->count(); });
    drain_marks();
    classes_[rarest]->storage->each([&](Entity e) {
        if (system.state_ == SystemBase::State::removed) return false;
        if (matches(system, e) && !system.tracks(e)) track(system, e, error);
        return true;
    });
    error.rethrow();
}

void ECS::enter_lists(SystemBase& system) {
    const auto enter = [&](std::vector<SystemBase*>& list) {
        list.insert(std::find_if(list.begin(), list.end(),
                                 [&](SystemBase* other) { return other != nullptr && system.runs_before(*other); }),
                    &system);
    };
    for (const ComponentId id : system.required_) enter(classes_[id]->requiring);
    for (const ComponentId id : system.watched_) {
        enter(classes_[id]->watching);
        classes_[id]->storage->add_watchers(1);
    }
}

// --- going ----------------------------------------------------------------------------------------

void ECS::remove_system(SystemBase& system) {
    require_mine(system, "remove_system");
    if (updating_) {
        system.state_ = SystemBase::State::leaving;  // it takes effect from the next update (rule S3)
        systems_leave_ = true;
        return;
    }
    Operation operation(*this);
    FirstError error;
    detach(system, error);
    error.rethrow();
}

void ECS::leave_lists(SystemBase& system) {
    // Lists may be in use further up the stack: leave holes, compact() closes them.
    for (const ComponentId id : system.required_) hole(classes_[id]->requiring, &system);
    for (const ComponentId id : system.watched_) {
        hole(classes_[id]->watching, &system);
        classes_[id]->storage->add_watchers(-1);
    }
    holes_ = true;
}

void ECS::detach(SystemBase& system, FirstError& error) {
    drain_marks();
    system.state_ = SystemBase::State::removed;  // it begins to track nothing more
    const auto at = std::find_if(systems_.begin(), systems_.end(), [&](const auto& s) { return s.get() == &system; });
    graveyard_.push_back(std::move(*at));
    systems_.erase(at);
    auto iteration = system.tracked_.each();
    for (Entity e; iteration.next(e);) untrack(system, e, error);
    leave_lists(system);  // last: what callbacks take away meanwhile it has to be able to read (rule A2)
}

void ECS::compact() {
    if (holes_) {
        holes_ = false;
        for (const auto& cls : classes_) {
            if (!cls) continue;
            std::erase(cls->requiring, nullptr);
            std::erase(cls->watching, nullptr);
        }
    }
    // A system's destructor may be anybody's code: let go of each before it runs.
    while (!graveyard_.empty()) {
        const auto dead = std::move(graveyard_.back());
        graveyard_.pop_back();
    }
}

// --- enabling -------------------------------------------------------------------------------------

void ECS::enable_system(SystemBase& system) {
    require_mine(system, "enable_system");
    if (system.enabled_) return;
    Operation operation(*this);
    system.enabled_ = true;
    system.was_enabled();
}

void ECS::disable_system(SystemBase& system) {
    require_mine(system, "disable_system");
    if (!system.enabled_) return;
    Operation operation(*this);
    system.enabled_ = false;
    system.was_disabled();
}

void ECS::toggle_system(SystemBase& system) {
    if (system.enabled_) disable_system(system);
    else enable_system(system);
}

}  // namespace crateful
