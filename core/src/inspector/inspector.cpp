// What answers the requests of the inspector (rule I1).
#include "crateful/inspect.hpp"

#include <exception>
#include <new>
#include <unordered_set>
#include <utility>

#include "crateful/detail/rollback.hpp"
#include "entities.hpp"
#include "measurement.hpp"
#include "recordings.hpp"
#include "values.hpp"

#if !CRATEFUL_EXCEPTIONS
#error crateful::inspector needs exceptions: an error is an answer
#endif

namespace crateful {
namespace internal::inspector {

/// Answers the requests about one ECS.
class Inspection {
public:
    Inspection(ECS& ecs, InspectorOptions options)
        : ecs_(ecs), step_(std::move(options.step)), measurement_(ecs), recordings_(ecs, options) {}

    /// The answer to a request, or to a list of them.
    [[nodiscard]] Json answer(const Json& request) {
        if (!request.is_array()) return answer_one(request);
        Json answers = Json::array();
        for (const Json& each : request) answers.push_back(answer_one(each));
        return answers;
    }

private:
    [[nodiscard]] Json answer_one(const Json& json) {
        const auto failure = [](const char* code, const char* message) {
            return Json{{"error", {{"code", code}, {"message", message}}}};
        };
        try {
            const Request request(json);
            if (measurement_.on()) measurement_.touch();
            return find(request);
        } catch (const Error& error) {
            return failure(name_of(error.code()), error.what());
        } catch (const std::bad_alloc&) {
            return failure("OUT_OF_MEMORY", "there is no memory left");
        } catch (const std::exception& error) {
            return failure("FAILED", error.what());
        } catch (...) {
            return failure("FAILED", "a function of the program has thrown something that is no std::exception");
        }
    }

    [[nodiscard]] Json find(const Request& request) {
        const Classes classes(ecs_);
        const Systems systems(ecs_, classes);
        const Entities entities(ecs_, classes, systems);
        const std::string& name = request.name();
        if (request.find("do") != nullptr) return act(request, classes, systems);
        if (name == "world") return world(classes, systems);
        if (name == "systems") return systems.describe(measurement_.averages());
        if (name == "classes") return list_classes(classes);
        if (name == "entities") return list(request, entities);
        if (name == "children") return children(request, entities);
        if (name == "entity") return entities.details(entities.find(request));
        if (name == "column") return entities.column(request);
        if (name == "why") return recordings_.why(request);
        if (name == "by") return recordings_.by(request);
        if (name == "memory") return memory();
        if (name == "events") return measurement_.events(request.count());
        return measurement_.frames(request.number("since").value_or(-1), systems);
    }
    [[nodiscard]] Json act(const Request& request, const Classes& classes, const Systems& systems) {
        const std::string& name = request.name();
        if (name == "set") return set(request, classes);
        if (name == "add") add_component(ecs_, classes.require(request), request);
        else if (name == "remove") remove(request, classes);
        else if (name == "destroy") ecs_.remove_entity(request.living(ecs_));
        else if (name == "enable") ecs_.enable_system(*systems.require(request).system);
        else if (name == "disable") ecs_.disable_system(*systems.require(request).system);
        else if (name == "pause") ecs_.set_paused(true);
        else if (name == "resume") ecs_.set_paused(false);
        else if (name == "run") systems.run(request);
        else if (name == "step") return step(request);
        else if (name == "measure") request.required_flag("on") ? measurement_.start() : measurement_.stop();
        else if (name == "watch") recordings_.watch(request, classes.require(request).type->id);
        else if (name == "record") return recordings_.record(request);
        else return rewind(request);
        return {{"done", true}};
    }

    [[nodiscard]] Json world(const Classes& classes, const Systems& systems) {
        Json made{{"protocol", 2},
                  {"language", "C++"},
                  {"frame", to_json(ecs_.clock().frame())},
                  {"gameTime", to_json(ecs_.game_time())},
                  {"wallTime", to_json(ecs_.wall_time())},
                  {"paused", ecs_.paused()},
                  {"timeScale", to_json(ecs_.clock().time_scale())},
                  {"entities", ecs_.count()},
                  {"systems", systems.all().size()},
                  {"classes", classes.all().size()},
                  {"measures", measurement_.on()}};
        recordings_.describe(made);
        return made;
    }
    [[nodiscard]] Json list_classes(const Classes& classes) const {
        Json list = Json::array();
        for (const KnownClass& cls : classes.all()) {
            Json fields = Json::array();
            for (const FieldRun& run : cls.runs) fields.push_back(describe_field(cls, run));
            list.push_back({{"name", cls.name},
                            {"kind", name_of(cls.type->kind)},
                            {"fields", std::move(fields)},
                            {"count", cls.storage == nullptr ? 0 : cls.storage->count()}});
            if (recordings_.watches(cls.type->id)) list.back()["recorded"] = true;
        }
        return {{"classes", std::move(list)}};
    }
    [[nodiscard]] Json memory() const {
        Json list = Json::array();
        for (const StorageReport& report : ecs_.memory_report()) {
            list.push_back({{"name", report.name},
                            {"policy", report.policy == Policy::linear ? "linear" : "sparse"},
                            {"count", report.count},
                            {"utilisation", to_json(report.utilisation)},
                            {"bytes", report.bytes},
                            {"otherBytes", report.other_bytes},
                            {"advice", report.advice}});
        }
        return {{"classes", std::move(list)}};
    }

    [[nodiscard]] static Json list(const Request& request, const Entities& entities) {
        const Page page = request.page();
        if (request.find("where") != nullptr)
            refuse({"entities: where is evaluated by who asks: by `inspect`, or with the question `column`"});
        if (const std::optional<std::vector<Entity>> of = request.handles("of")) return entities.list(*of, page);
        const std::optional<std::vector<Entity>> expanded = request.handles("expanded");
        if (!expanded) return entities.list(page);
        const std::unordered_set<Entity> open(expanded->begin(), expanded->end());
        return entities.tree([&](Entity e) { return open.contains(e); }, page);
    }
    [[nodiscard]] Json children(const Request& request, const Entities& entities) const {
        const Page page = request.page();
        if (request.find("entity") == nullptr) return entities.tree([](Entity) { return false; }, page);
        return entities.children(request.living(ecs_), page);
    }

    [[nodiscard]] Json set(const Request& request, const Classes& classes) {
        const Entity e = request.living(ecs_);
        const KnownClass& cls = classes.require(request);
        static_cast<void>(request.number("element"));
        const Json* const value = request.find("value");
        if (value == nullptr) refuse({"set: the value is missing"});
        if (cls.type->id != PARENT_ID) return {{"done", true}, {"value", assign(ecs_, cls, e, request)}};
        const Entity parent = value->is_null() ? NONE : request.living(ecs_, "value");
        ecs_.set_parent(e, parent);
        return {{"done", true}, {"value", to_json(parent)}};
    }
    void remove(const Request& request, const Classes& classes) {
        const KnownClass& cls = classes.require(request);
        const Entity e = request.living(ecs_);
        if (!cls.has(e)) fail(ErrorCode::missing_component, {"remove: ", entity_text(e), " has no ", cls.name});
        if (cls.type->id == PARENT_ID) ecs_.set_parent(e, NONE);
        else ecs_.by_id().remove(e, cls.type->id);
    }
    [[nodiscard]] Json step(const Request& request) {
        const double delta = request.delta();
        const bool was_paused = ecs_.paused();
        const double frame = ecs_.clock().frame();
        {
            // A step that was refused changes nothing.
            const AtEnd pause([&] { ecs_.set_paused(was_paused || ecs_.clock().frame() != frame); });
            ecs_.set_paused(false);
            if (step_) step_(delta);
            else ecs_.update(delta);
        }
        return {{"done", true}, {"frame", to_json(ecs_.clock().frame())}};
    }
    [[nodiscard]] Json rewind(const Request& request) {
        Json done = recordings_.rewind(request);
        measurement_.went_to(ecs_.clock().frame());
        return done;
    }

    ECS& ecs_;
    std::function<void(double)> step_;
    Measurement measurement_;
    Recordings recordings_;
};

}  // namespace internal::inspector

using internal::inspector::dump;
using internal::inspector::Inspection;
using internal::inspector::Json;

namespace {
/// The message, unless it is no JSON.
[[nodiscard]] Json parse(std::string_view text) { return Json::parse(text, nullptr, false); }
}  // namespace

Inspector::Inspector(ECS& ecs, InspectorOptions options)
    : made_(std::make_unique<Inspection>(ecs, std::move(options))) {}
Inspector::Inspector(Inspector&&) noexcept = default;
Inspector& Inspector::operator=(Inspector&&) noexcept = default;
Inspector::~Inspector() = default;

std::string Inspector::answer(std::string_view request) {
    const Json json = parse(request);
    if (!json.is_discarded()) return dump(made_->answer(json));
    return R"({"error":{"code":"BAD_ARGUMENT","message":"inspect: the request is no JSON"}})";
}

std::optional<std::string> Inspector::receive(std::string_view message) {
    const Json json = parse(message);
    if (!json.is_object()) return std::nullopt;
    const auto number = json.find("crateful");
    const auto request = json.find("request");
    if (number == json.end() || !number->is_number() || request == json.end()) return std::nullopt;
    return dump({{"crateful", *number}, {"answer", made_->answer(*request)}});
}

}  // namespace crateful
