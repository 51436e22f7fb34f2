#include "classes.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "crateful/detail/message.hpp"

namespace crateful::internal::inspector {

const FieldRun* KnownClass::find(std::string_view field_name) const noexcept {
    const auto at =
        std::find_if(runs.begin(), runs.end(), [&](const auto& run) { return field(run).name == field_name; });
    return at == runs.end() ? nullptr : &*at;
}
std::string KnownClass::field_names() const {
    std::string all;
    for (const FieldRun& run : runs) all.append(all.empty() ? "" : ", ").append(field(run).name);
    return all.empty() ? "none" : all;
}
const FieldRun* KnownClass::label() const noexcept {
    for (const std::string_view each : {"name", "label", "title"}) {
        const FieldRun* const run = find(each);
        if (run != nullptr && run->type == FieldType::string) return run;
    }
    return nullptr;
}

Classes::Classes(ECS& ecs) {
    const std::size_t count = registry::count();
    all_.reserve(count);
    std::unordered_set<std::string> names;
    for (ComponentId id = 0; id < count; ++id) {
        const ComponentType& type = registry::type(id);
        std::string name = type.name;
        for (int n = 2; !names.insert(name).second; ++n) name = join({type.name, " (", std::to_string(n), ")"});
        all_.push_back({std::move(name), &type, ecs.by_id().find_storage(id), field_runs(type)});
    }
}

const KnownClass* Classes::find(std::string_view name) const noexcept {
    const auto at = std::find_if(all_.begin(), all_.end(), [&](const KnownClass& cls) { return cls.name == name; });
    return at == all_.end() ? nullptr : &*at;
}
const KnownClass& Classes::require(const Request& request) const {
    const std::string name = request.required_text("component");
    const KnownClass* const found = find(name);
    if (found == nullptr) refuse({request.name(), ": there is no component class ", in_quotes(name)});
    return *found;
}
std::vector<std::string> Classes::names(const std::vector<ComponentId>& ids) const {
    std::vector<std::string> names;
    names.reserve(ids.size());
    for (const ComponentId id : ids) names.push_back(all_[id].name);
    return names;
}

}  // namespace crateful::internal::inspector
