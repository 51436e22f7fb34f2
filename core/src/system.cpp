#include "crateful/system.hpp"

#include <algorithm>

namespace crateful {

void SystemBase::use_ids(Use use, std::span<const ComponentId> ids) {
    std::vector<ComponentId>& to = ids_[static_cast<std::size_t>(use)];
    for (const ComponentId id : ids) {
        if (std::find(to.begin(), to.end(), id) == to.end()) to.push_back(id);
    }
}

bool SystemBase::must_precede(const SystemBase& other) const {
    const auto names = [](const std::vector<Constraint>& list, const SystemBase& system) {
        return std::any_of(list.begin(), list.end(), [&](const Constraint& c) {
            return c.id == nullptr ? c.name == system.name() : c.id == system.class_id_ || c.id == &system;
        });
    };
    return names(before_, other) || names(other.after_, *this);
}

template class System<>;

}  // namespace crateful
