#include "crateful/system.hpp"

#include <algorithm>

namespace crateful {
namespace {

void add_unique(std::vector<ComponentId>& to, const std::vector<ComponentId>& ids) {
    for (const ComponentId id : ids) {
        if (std::find(to.begin(), to.end(), id) == to.end()) to.push_back(id);
    }
}

}  // namespace

void SystemBase::require_ids(std::vector<ComponentId> ids) { add_unique(required_, ids); }
void SystemBase::watch_ids(std::vector<ComponentId> ids) { add_unique(watched_, ids); }
void SystemBase::exclude_ids(std::vector<ComponentId> ids) { add_unique(excluded_, ids); }
void SystemBase::any_ids(std::vector<ComponentId> ids) { add_unique(any_, ids); }
void SystemBase::watch_ancestors_ids(std::vector<ComponentId> ids) { add_unique(watched_ancestors_, ids); }

bool SystemBase::must_precede(const SystemBase& other) const noexcept {
    const auto names = [](const std::vector<Constraint>& list, const SystemBase& system) {
        return std::any_of(list.begin(), list.end(),
                           [&](const Constraint& c) { return c.id == system.class_id_ || c.id == &system; });
    };
    return names(before_, other) || names(other.after_, *this);
}

template class System<>;

}  // namespace crateful
