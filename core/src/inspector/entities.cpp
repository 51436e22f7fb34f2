#include "entities.hpp"

#include <iterator>
#include <utility>
#include <variant>
#include <vector>

#include "crateful/detail/dynamic_ecs.hpp"
#include "values.hpp"

namespace crateful::internal::inspector {
namespace {

[[nodiscard]] Json answer(std::size_t total, const Page& page, Json rows) {
    return {{"total", total}, {"from", to_json(page.from)}, {"entities", std::move(rows)}};
}

}  // namespace

std::string label_of(const ECS& ecs, const Classes& classes, Entity e) {
    for (const KnownClass& cls : classes.all()) {
        if (!cls.has(e)) continue;
        const FieldRun* const run = cls.label();
        if (run != nullptr) return std::get<std::string>(read_field(ecs, cls, *run, cls.storage->slot(e)).is);
    }
    return {};
}

Json Entities::row(Entity e, std::optional<std::size_t> depth) const {
    Json made{{"entity", to_json(e)}, {"index", index_of(e)}, {"generation", generation_of(e)}};
    if (std::string label = label_of(ecs_, classes_, e); !label.empty()) made["label"] = std::move(label);
    Json names = Json::array();
    for (const KnownClass& cls : classes_.all()) {
        if (cls.has(e)) names.push_back(cls.name);
    }
    made["components"] = std::move(names);
    std::size_t children = 0;
    for ([[maybe_unused]] const Entity child : ecs_.children(e)) ++children;
    made["children"] = children;
    if (depth) made["depth"] = *depth;
    return made;
}

Json Entities::list(const Page& page) const {
    std::vector<Entity> all;
    ecs_.by_id().pool().each([&](Entity e) { all.push_back(e); });
    return list(all, page);
}
Json Entities::list(const std::vector<Entity>& of, const Page& page) const {
    Json rows = Json::array();
    std::size_t total = 0;
    for (const Entity e : of) {
        if (!ecs_.alive(e)) continue;
        if (page.takes(total, rows.size())) rows.push_back(row(e));
        ++total;
    }
    return answer(total, page, std::move(rows));
}

Json Entities::column(const Request& request) const {
    ecs_.by_id().drain_marks();
    const KnownSystem* const system = request.find("system") == nullptr ? nullptr : &systems_.require(request);
    const KnownClass* const cls = request.find("component") == nullptr ? nullptr : &classes_.require(request);
    const Json* const path = request.find("path");
    if (path != nullptr && (!path->is_array() || path->empty()))
        refuse({"column: path must be a list of names, not ", show(path)});
    const FieldRun* const run =
        cls == nullptr || path == nullptr ? nullptr : &require_field(*cls, "column", &path->at(0));
    const bool labels = request.flag("labels").value_or(false) && cls == nullptr && system == nullptr;
    std::optional<std::size_t> element;
    if (run != nullptr && path->size() > 1) element = require_element(*cls, *run, "column", path->back());
    Json entities = Json::array();
    Json values = Json::array();
    ecs_.by_id().pool().each([&](Entity e) {
        if (system != nullptr ? !system->system->tracks(e) : cls != nullptr && !cls->has(e)) return;
        entities.push_back(to_json(e));
        if (run != nullptr) {
            const std::uint32_t slot = cls->storage->slot(e);
            values.push_back(
                to_json(element ? read_element(ecs_, *cls, *run, *element, slot) : read_field(ecs_, *cls, *run, slot)));
        } else if (labels) {
            std::string label = label_of(ecs_, classes_, e);
            values.push_back(label.empty() ? Json() : Json(std::move(label)));
        }
    });
    Json made{{"entities", std::move(entities)}};
    if (run != nullptr || labels) made["values"] = std::move(values);
    return made;
}

Json Entities::tree(const std::function<bool(Entity)>& expanded, const Page& page) const {
    std::vector<std::pair<Entity, std::size_t>> waiting;  // a list, because a hierarchy can be deep
    std::vector<Entity> children;
    Json rows = Json::array();
    std::size_t total = 0;
    ecs_.by_id().pool().each([&](Entity root) {
        if (ecs_.parent(root) != NONE) return;
        for (waiting.emplace_back(root, 0); !waiting.empty();) {
            const auto [e, depth] = waiting.back();
            waiting.pop_back();
            if (page.takes(total, rows.size())) rows.push_back(row(e, depth));
            ++total;
            if (!expanded(e)) continue;
            children.clear();
            for (const Entity child : ecs_.children(e)) children.push_back(child);
            for (auto child = children.rbegin(); child != children.rend(); ++child)
                waiting.emplace_back(*child, depth + 1);
        }
    });
    return answer(total, page, std::move(rows));
}

Json Entities::children(Entity e, const Page& page) const {
    Json rows = Json::array();
    std::size_t total = 0;
    for (const Entity child : ecs_.children(e)) {
        if (page.takes(total, rows.size())) rows.push_back(row(child));
        ++total;
    }
    return answer(total, page, std::move(rows));
}

Entity Entities::find(const Request& request) const {
    if (request.find("entity") != nullptr) return request.living(ecs_);
    const Json* const index = request.find("index");
    const std::optional<Entity> wanted = index == nullptr ? std::nullopt : handle_of(*index);
    const Entity e = wanted ? ecs_.by_id().pool().at(static_cast<std::uint32_t>(*wanted)) : NONE;
    if (e == NONE) refuse({"entity: no entity has the index ", show(index)});
    return e;
}

Json Entities::details(Entity e) const {
    Json made = row(e);
    if (const Entity parent = ecs_.parent(e); parent != NONE) {
        Json& above = made["parent"] = {{"entity", to_json(parent)}, {"index", index_of(parent)}};
        if (std::string label = label_of(ecs_, classes_, parent); !label.empty()) above["label"] = std::move(label);
    }
    Json components = Json::array();
    for (const KnownClass& cls : classes_.all()) {
        if (cls.has(e)) components.push_back(component(cls, e));
    }
    made["details"] = std::move(components);
    made["tracking"] = systems_.tracking(e);
    return made;
}

Json Entities::component(const KnownClass& cls, Entity e) const {
    Json fields = Json::array();
    for (const FieldRun& run : cls.runs) {
        const HistoryValue value = read_field(ecs_, cls, run, cls.storage->slot(e));
        Json described = describe_field(cls, run);
        described["value"] = to_json(value);
        if (const auto* const other = std::get_if<Entity>(&value.is); other != nullptr && ecs_.alive(*other)) {
            std::string label = label_of(ecs_, classes_, *other);
            if (!label.empty()) described["label"] = std::move(label);
        }
        fields.push_back(std::move(described));
    }
    return {{"name", cls.name}, {"kind", name_of(cls.type->kind)}, {"fields", std::move(fields)}};
}

}  // namespace crateful::internal::inspector
