#include "crateful/system.hpp"

#include <algorithm>

#include "crateful/detail/message.hpp"

namespace crateful {

void SystemBase::mark_with_(std::span<const Entity> entities, std::uint32_t cause) {
    for (const Entity e : entities) {
        if (tracked_.contains(e)) dirty_.mark(e, cause);
    }
}

void SystemBase::use_ids_(internal::ComponentUse use, std::span<const ComponentId> ids) {
    std::vector<ComponentId>& to = ids_[static_cast<std::size_t>(use)];
    for (const ComponentId id : ids) {
        if (std::find(to.begin(), to.end(), id) == to.end()) to.push_back(id);
    }
}

void SystemBase::check_class_(std::string_view class_name) {
    class_name_ = class_name;
    const auto fail = [&](std::string_view why) {
        internal::fail(ErrorCode::bad_system, {"add_system: system ", name(), why});
    };
    if (!requires_none_ && required().empty())
        fail(" must require at least one component class; if it uses no entities, call require_none()");
    if (only_when_dirty_ && !watches_any() && receptions_ == nullptr)
        fail(" is only_when_dirty, but it watches no class and has no Inbox, so it would never run; call watch<…>()");
}

bool SystemBase::must_precede_(const SystemBase& other) const {
    const auto names = [](const std::vector<internal::SystemConstraint>& list, const SystemBase& system) {
        return std::any_of(list.begin(), list.end(), [&](const internal::SystemConstraint& c) {
            return c.id == nullptr ? c.name == system.name() : c.id == system.class_id_ || c.id == &system;
        });
    };
    return names(before_, other) || names(other.after_, *this);
}

template class System<>;

}  // namespace crateful
