#include "recordings.hpp"

#include <algorithm>
#include <set>

namespace crateful::internal::inspector {
namespace {

constexpr double MOST_BYTES = 2147483648;

[[nodiscard]] const char* name_of(HistoryKind kind) noexcept {
    switch (kind) {
        case HistoryKind::added: return "added";
        case HistoryKind::removed: return "removed";
        case HistoryKind::changed: return "changed";
        case HistoryKind::signaled: return "signaled";
        case HistoryKind::moved: return "moved";
    }
    return "";
}

[[nodiscard]] Json to_json(const HistoryEntry& entry) {
    using inspector::to_json;
    Json made{{"entity", to_json(entry.entity)}, {"frame", to_json(entry.frame)}, {"component", entry.component},
              {"kind", name_of(entry.kind)},     {"notified", entry.notified},    {"at", entry.at}};
    if (!entry.system.empty()) made["system"] = entry.system;
    if (!entry.field.empty()) made["field"] = entry.field;
    if (entry.before.is.index() != 0) made["before"] = to_json(entry.before);
    if (entry.after.is.index() != 0) made["after"] = to_json(entry.after);
    return made;
}

/// Entries as an answer, without those that the request leaves out.
[[nodiscard]] Json changes(const std::vector<HistoryEntry>& all, const Request& request, bool by_system) {
    const std::size_t count = request.count();
    const auto fits = [&](const char* member, const std::string& value) {
        const Json* const wanted = request.find(member);
        return wanted == nullptr || *wanted == value;
    };
    std::set<std::string> systems;
    std::set<std::string> components;
    std::set<std::string> fields;
    Json found = Json::array();
    std::size_t total = 0;
    for (const HistoryEntry& entry : all) {
        systems.insert(entry.system);
        components.insert(entry.component);
        if (!entry.field.empty()) fields.insert(entry.field);
        if (!fits("component", entry.component) || !fits("field", entry.field)) continue;
        if (!by_system && !fits("system", entry.system)) continue;
        if (total++ < count) found.push_back(to_json(entry));
    }
    return {{"total", total},
            {"changes", std::move(found)},
            {"systems", systems},
            {"components", components},
            {"fields", fields}};
}

/// The names of the classes of components and events that a rewind can't record.
[[nodiscard]] std::vector<std::string> unrecorded(const StateAccess& state) {
    std::vector<std::string> names;
    for (const auto& cls : state.tracking().classes()) {
        if (!cls) continue;
        const ComponentType& type = cls->storage->type();
        const bool recorded = is_opaque(type) ? type.kind != ComponentKind::object : is_copyable(*cls->storage);
        if (!recorded) names.push_back(type.name);
    }
    for (EventType type = 0; type < event_class_count(); ++type) {
        const EventClass cls = event_class(type);
        if (cls.codec == nullptr) names.emplace_back(cls.name);
    }
    return names;
}

}  // namespace

void Recordings::describe(Json& world) {
    world["records"] = {"history", "rewind"};
    world["recording"] = own_history_ || own_rewind_;
    world["history"] = history_ != nullptr;
    try {
        describe_rewind(world);
    } catch (const Error& error) {
        if (!own_rewind_ || unrecorded(StateAccess(ecs_)).size() == without_.size()) {
            world["problem"] = error.what();
            return;
        }
        end_rewind();  // a class that can't be recorded was used since
        start(std::nullopt);
    }
}
void Recordings::describe_rewind(Json& world) {
    if (rewind_ == nullptr) return;
    const double oldest = rewind_->oldest();
    world["rewind"] = {{"oldest", inspector::to_json(oldest)}, {"newest", inspector::to_json(rewind_->newest())}};
}

History& Recordings::require_history(const Request& request) {
    if (history_ == nullptr) refuse({request.name(), ": nothing was recorded; record first"});
    return *history_;
}
Json Recordings::why(const Request& request) {
    const Entity e = request.entity();
    return changes(require_history(request).why(e), request, false);
}
Json Recordings::by(const Request& request) {
    History& history = require_history(request);
    return changes(history.by_system(request.required_text("system")), request, true);
}

void Recordings::watch(const Request& request, ComponentId id) {
    require_history(request).watch(id);
    watched_.insert(id);
}

Json Recordings::record(const Request& request) {
    const std::optional<double> bytes = request.amount("bytes");
    if (request.required_flag("on")) {
        start(bytes);
    } else {
        end_rewind();
        if (own_history_) {
            history_ = nullptr;
            watched_.clear();
            own_history_.reset();
        }
    }
    Json done{{"done", true}};
    if (!without_.empty()) done["without"] = without_;
    return done;
}
void Recordings::start(std::optional<double> bytes) {
    if (bytes) bytes_ = (std::min)(*bytes, MOST_BYTES);
    if (rewind_ == nullptr) {
        RewindOptions options{.without = unrecorded(StateAccess(ecs_))};
        if (bytes_) options.bytes = static_cast<std::size_t>(*bytes_);
        rewind_ = &own_rewind_.emplace(ecs_, options);
        without_ = options.without;
    }
    if (history_ == nullptr) {
        HistoryOptions options;
        if (bytes_) options.bytes = static_cast<std::size_t>(*bytes_);
        history_ = &own_history_.emplace(ecs_, options);
    }
}
void Recordings::end_rewind() noexcept {
    if (!own_rewind_) return;  // that of the program stays
    rewind_ = nullptr;
    own_rewind_.reset();
    without_.clear();
}

Json Recordings::rewind(const Request& request) {
    if (rewind_ == nullptr) refuse({"rewind: nothing was recorded; record first"});
    rewind_->show(request.required_number("frame"));
    return {{"done", true}, {"frame", inspector::to_json(ecs_.clock().frame())}};
}

}  // namespace crateful::internal::inspector
