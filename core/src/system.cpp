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

template class System<>;

}  // namespace crateful
