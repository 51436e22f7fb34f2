#include "systems.hpp"

#include <algorithm>
#include <cmath>

#include "crateful/detail/message.hpp"

namespace crateful::internal::inspector {
namespace {

using Use = ComponentUse;

[[nodiscard]] std::vector<std::string> names(const std::vector<SystemConstraint>& constraints) {
    std::vector<std::string> all;
    all.reserve(constraints.size());
    for (const SystemConstraint& each : constraints) all.emplace_back(each.name);
    return all;
}

}  // namespace

double rounded(double milliseconds) noexcept { return std::round(milliseconds * 10'000) / 10'000; }

Systems::Systems(ECS& ecs, const Classes& classes) : ecs_(ecs), classes_(classes) {
    std::map<std::string, int> count;
    for (SystemBase* system : ecs.systems()) {
        std::string name = system->name();
        const int n = ++count[name];
        if (n > 1) name.append(" (").append(std::to_string(n)).append(")");
        all_.push_back({std::move(name), system});
    }
}

const KnownSystem* Systems::find(std::string_view name) const noexcept {
    const auto at =
        std::find_if(all_.begin(), all_.end(), [&](const KnownSystem& known) { return known.name == name; });
    return at == all_.end() ? nullptr : &*at;
}
const KnownSystem& Systems::require(const Request& request) const {
    const Json* const name = request.find("system");
    const bool is_text = name != nullptr && name->is_string();
    const std::string text = is_text ? name->get<std::string>() : show(name);
    const KnownSystem* const found = is_text ? find(text) : nullptr;
    if (found == nullptr) fail(ErrorCode::bad_system, {request.name(), ": there is no system ", text});
    return *found;
}
const std::string& Systems::of_clock(const std::string& clock) const noexcept {
    for (const KnownSystem& known : all_) {
        if (StateAccess::clock_name(*known.system) == clock) return known.name;
    }
    return clock;
}

Json Systems::describe(const std::optional<std::map<std::string, double>>& averages) const {
    Json list = Json::array();
    for (const auto& [name, system] : all_) {
        Json described{{"name", name},
                       {"language", "C++"},
                       {"priority", to_json(system->priority())},
                       {"enabled", system->enabled()},
                       {"debug", system->debug()},
                       {"tracked", system->tracked().size()},
                       {"dirty", system->dirty_set().last_visited()},
                       {"interval", to_json(system->interval())}};
        if (averages) {
            const auto average = averages->find(StateAccess::clock_name(*system));
            described["average"] = to_json(average == averages->end() ? 0 : rounded(average->second));
        }
        if (StateAccess::only_when_dirty(*system)) described["onlyWhenDirty"] = true;
        if (StateAccess::has_condition(*system)) described["conditional"] = true;
        if (StateAccess::requires_none(*system)) described["usesNone"] = true;
        described["required"] = classes_.names(system->used_(Use::required));
        described["watched"] = classes_.names(system->used_(Use::watched));
        described["ancestors"] = classes_.names(system->used_(Use::ancestors));
        described["excluded"] = classes_.names(system->used_(Use::excluded));
        described["any"] = classes_.names(system->used_(Use::accepted));
        described["before"] = names(system->before_others());
        described["after"] = names(system->after_others());
        list.push_back(std::move(described));
    }
    return {{"systems", std::move(list)}};
}

Json Systems::tracking(Entity e) const {
    ecs_.by_id().drain_marks();
    Json list = Json::array();
    for (const KnownSystem& known : all_) {
        list.push_back({{"system", known.name}, {"tracked", known.system->tracks(e)}});
        if (known.system->tracks(e)) list.back()["dirty"] = known.system->dirty_set().set().contains(e);
    }
    return list;
}

void Systems::run(const Request& request) const {
    const double delta = request.delta();
    const auto& [name, system] = require(request);
    if (!ecs_.paused()) refuse({"run: pause the game first"});
    if (!system->enabled()) refuse({"run: ", name, " is disabled; enable it first"});
    ecs_.run(*system, (std::max)(delta, system->interval()));
}

}  // namespace crateful::internal::inspector
