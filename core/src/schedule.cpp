// Adding, removing, ordering and enabling systems (rules S1 to S4, S9 to S12, S14).
#include "crateful/detail/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "crateful/detail/insertion_sort.hpp"
#include "crateful/detail/message.hpp"
#include "crateful/ecs.hpp"

namespace crateful::internal {

using Use = ComponentUse;

void Schedule::destroy_all() {
    FirstError error;
    while (!systems_.empty()) {
        SystemBase& system = *systems_.back();
        system.set_notifications_(false, false);
        remove_now(system, error);
    }
}

// --- finding --------------------------------------------------------------------------------------

std::vector<SystemBase*> Schedule::systems() const {
    std::vector<SystemBase*> all;
    all.reserve(systems_.size());
    for (const auto& system : systems_) all.push_back(system.get());
    return all;
}

template <class Fits>
SystemBase* Schedule::first_added(Fits&& fits) const {
    SystemBase* first = nullptr;
    for (const auto& system : systems_) {
        if (!fits(*system)) continue;
        if (first == nullptr || system->sequence_ < first->sequence_) first = system.get();
    }
    return first;
}

SystemBase& Schedule::find(const void* class_id, std::string_view class_name) const {
    SystemBase* found = first_added([&](const SystemBase& system) { return system.class_id_ == class_id; });
    if (found != nullptr) return *found;
    fail(ErrorCode::bad_system, {"get_system: no system of class ", class_name, " was added to this ECS"});
}

SystemBase& Schedule::find(std::string_view name) const {
    SystemBase* found = first_added([&](const SystemBase& system) { return system.name() == name; });
    if (found != nullptr) return *found;
    fail(ErrorCode::bad_system, {"get_system: no system with the name ", name, " was added to this ECS"});
}

void Schedule::require_added(const SystemBase& system, const char* call) const {
    if (system.operations_ == &tracking_ && system.is_added_()) return;
    fail(ErrorCode::bad_system, {call, ": system ", system.name(), " was not added to this ECS, or was removed"});
}

// --- adding ---------------------------------------------------------------------------------------

void Schedule::add(ECS& ecs, double priority, std::unique_ptr<SystemBase> owned, const SystemClass& cls) {
    if (!owned) fail(ErrorCode::bad_system, {"add_system: the pointer to the system is null"});
    SystemBase& system = *owned;
    system.class_name_ = cls.name;
    system.class_id_ = cls.id;
    system.update_parameters_ = cls.update_parameters;
    if (cls.has_condition) system.set_condition_(true);
    system.default_aspects_ = cls.default_aspects;
    if (cls.default_hooks) {
        system.default_hooks_ = true;
        system.set_notifications_(false, false);
    }
    system.priority_ = priority;
    system.sequence_ = next_sequence_;
    require_valid(system, priority);
    const std::vector<SystemBase*> order = order_with(&system);
    tracking_.require_possible("add_system");
    Operation operation(tracking_);
    name_clock(system);
    tracking_.prepare(system);
    systems_.reserve(systems_.size() + 1);
    if (system.receptions_) system.receptions_->begin(ecs.events);  // its destructor ends what has begun
    system.events_ = &ecs.events;
    // From here on, nothing throws until the system is in all lists.
    ++next_sequence_;
    system.ecs_ = &ecs;
    system.state_ = SystemState::added;
    systems_.push_back(std::move(owned));
    frame_is_old_ = true;
    arrange(order);
    tracking_.connect(system);

    FirstError error;
    tracking_.calls("init", &system);
    error.guard([&] {
        const Observed observed(tracking_, system.observer_ ? &system : nullptr);
        system.init();
    });
    tracking_.start_all(system, error);
    error.rethrow();
}

void Schedule::require_valid(const SystemBase& system, double priority) {
    const auto fail = [&](std::string_view why, std::string_view what = {}) {
        crateful::internal::fail(ErrorCode::bad_system, {"add_system: system ", system.name(), why, what});
    };
    if (!std::isfinite(priority)) fail(": the priority must be a finite number, not ", number_text(priority));
    if (!std::isfinite(system.interval_) || system.interval_ < 0)
        fail(": the interval must be a non-negative number of seconds, not ", number_text(system.interval_));
    if (system.observer_ && system.exact_) fail(" is an observer, which no snapshot contains, so it cannot be exact");
    const auto uses = [&](Use use, ComponentId id) {
        return std::find(system.used_(use).begin(), system.used_(use).end(), id) != system.used_(use).end();
    };
    for (const ComponentId id : system.used_(Use::excluded)) {
        if (uses(Use::required, id) || uses(Use::accepted, id))
            fail(" both requires and excludes ", registry::type(id).name);
    }
    std::size_t used = 0;
    for (const auto& ids : system.ids_) used += ids.size();
    if (system.requires_none_ && used > 0) fail(" requires no entities, so it cannot name component classes");
    if (!system.requires_none_ && system.required().empty()) fail(" must require at least one component class");
}

// The order of systems of one priority without constraints: that of addition, or a random one, which depends on no other system.
std::uint64_t Schedule::turn_of(const SystemBase& system) const noexcept {
    std::uint64_t turn = system.sequence_;
    if (!seed_) return turn;
    turn += std::uint64_t{*seed_} << 32U;
    for (int i = 0; i < 3; ++i) {  // each step is reversible, so that two systems have two numbers
        turn = (turn + 1) * 0x9E3779B97F4A7C15;
        turn ^= turn >> 32U;
    }
    return turn;
}

// All systems, and the one that is being added, in the order in which they run: by priority, then so that constraints hold, then
// by addition (rule S10). Throws `bad_system` if that is impossible.
std::vector<SystemBase*> Schedule::order_with(SystemBase* added) const {
    const auto fail = [&](std::string_view why, const std::string& what) {
        crateful::internal::fail(ErrorCode::bad_system, {"add_system: system ", added->name(), why, what});
    };
    std::vector<SystemBase*> order = systems();
    if (added != nullptr) order.push_back(added);
    insertion_sort(order, [this](const SystemBase* a, const SystemBase* b) {
        return a->priority_ != b->priority_ ? a->priority_ < b->priority_ : turn_of(*a) < turn_of(*b);
    });
    const auto is_free = [](const SystemBase* system) { return system->before_.empty() && system->after_.empty(); };
    if (std::all_of(order.begin(), order.end(), is_free)) return order;
    // Moves what must run before a system in front of it, until nothing must.
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::vector<SystemBase*> moved;
        for (std::size_t k = 0; k < order.size(); ++k) {
            SystemBase* const late = order[i];
            SystemBase* const early = order[k];
            if (!early->must_precede_(*late) || (k < i && early->priority_ <= late->priority_)) continue;
            std::string text = join({early->name(), " before ", late->name()});
            if (early->priority_ != late->priority_) {
                if (early->priority_ < late->priority_) continue;
                fail(": the priorities contradict the constraint ", text);
            }
            if (std::find(moved.begin(), moved.end(), early) != moved.end() || early == late) {
                const SystemBase* before = late;
                for (std::size_t m = moved.size(); before != early; before = moved[m])
                    text += join({", ", before->name(), " before ", moved[--m]->name()});
                fail(": the constraints contradict each other: ", text);
            }
            moved.push_back(late);
            for (; k > i; --k) std::swap(order[k], order[k - 1]);
            for (; k < i; ++k) std::swap(order[k], order[k + 1]);
            k = static_cast<std::size_t>(-1);  // from the beginning, for the system that is here now
        }
    }
    return order;
}

void Schedule::arrange(const std::vector<SystemBase*>& order) noexcept {
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i]->rank_ = i;
        const auto is_next = [&](const auto& other) { return other.get() == order[i]; };
        std::swap(systems_[i],
                  *std::find_if(systems_.begin() + static_cast<std::ptrdiff_t>(i), systems_.end(), is_next));
    }
    tracking_.order_changed();
}

// Gives the system a name that no other one has in the profiler.
void Schedule::name_clock(SystemBase& system) {
    system.clock_name_ = system.name();
    const auto in_use = [&](const auto& other) { return other->clock_name_ == system.clock_name_; };
    for (int n = 2; std::any_of(systems_.begin(), systems_.end(), in_use); ++n) {
        system.clock_name_ = join({system.name(), " #", number_text(n)});
    }
}

// --- removing -------------------------------------------------------------------------------------

void Schedule::remove(SystemBase& system) {
    tracking_.require_unlocked("remove_system");
    require_added(system, "remove_system");
    if (updating_) {
        system.state_ = SystemState::removal_pending;  // until the end of the update (rule S3)
        removals_pending_ = true;
        return;
    }
    tracking_.require_possible("remove_system");
    FirstError error;
    remove_now(system, error);
    error.rethrow();
}

void Schedule::remove_now(SystemBase& system, FirstError& error) {
    Operation operation(tracking_);
    const auto at = std::find_if(systems_.begin(), systems_.end(), [&](const auto& s) { return s.get() == &system; });
    std::unique_ptr<SystemBase> owned = std::move(*at);
    systems_.erase(at);
    frame_is_old_ = true;
    if (owned->receptions_) owned->receptions_->end();
    for (const auto& other : systems_) {
        const auto names = [&](const SystemConstraint& c) { return c.id == &system; };
        std::erase_if(other->before_, names);
        std::erase_if(other->after_, names);
    }
    // Without memory for it, the order stays as it is, in which all constraints hold.
    error.guard([&] { arrange(order_with(nullptr)); });
    tracking_.disconnect(std::move(owned), error);
}

// --- updates --------------------------------------------------------------------------------------

const std::vector<SystemBase*>& Schedule::begin_update() {
    if (frame_is_old_) {
        frame_ = systems();
        frame_is_old_ = false;
    }
    updating_ = true;
    return frame_;
}

void Schedule::end_update(FirstError& error) {
    updating_ = false;
    if (!std::exchange(removals_pending_, false)) return;
    for (;;) {
        const auto is_next = [](const auto& system) { return system->state_ == SystemState::removal_pending; };
        const auto at = std::find_if(systems_.begin(), systems_.end(), is_next);
        if (at == systems_.end()) return;
        remove_now(**at, error);
    }
}

// --- enabling -------------------------------------------------------------------------------------

void Schedule::set_enabled(SystemBase& system, bool on, const char* call) {
    require_added(system, call);
    if (system.enabled_ == on) return;
    tracking_.require_possible(call);
    Operation operation(tracking_);
    tracking_.calls(on ? "on_enabled" : "on_disabled", &system);
    system.enabled_ = on;
    FirstError error;
    error.guard([&] {
        const Observed observed(tracking_, system.observer_ ? &system : nullptr);
        on ? system.notify_enabled_() : system.notify_disabled_();
    });
    error.rethrow();
}

}  // namespace crateful::internal
