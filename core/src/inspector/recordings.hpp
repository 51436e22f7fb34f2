// The history and the rewind of an ECS: those of the program, or those that the request `record` creates.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "../state/state_access.hpp"
#include "crateful/history.hpp"
#include "crateful/inspect.hpp"
#include "request.hpp"

namespace crateful::internal::inspector {

class Recordings {
public:
    Recordings(ECS& ecs, const InspectorOptions& options)
        : ecs_(ecs), history_(options.history), rewind_(options.rewind) {}
    Recordings(const Recordings&) = delete;
    Recordings& operator=(const Recordings&) = delete;

    /// Adds its members to the answer to `world`.
    void describe(Json& world);
    /// The answers to `why`, `by`, `watch`, `record` and `rewind`.
    [[nodiscard]] Json why(const Request& request);
    [[nodiscard]] Json by(const Request& request);
    void watch(const Request& request, ComponentId id);
    [[nodiscard]] Json record(const Request& request);
    [[nodiscard]] Json rewind(const Request& request);
    /// Whether `watch` has named the class.
    [[nodiscard]] bool watches(ComponentId id) const noexcept { return watched_.contains(id); }

private:
    [[nodiscard]] History& require_history(const Request& request);
    void describe_rewind(Json& world);
    void start(std::optional<double> bytes);
    void end_rewind() noexcept;

    ECS& ecs_;
    History* history_;
    Rewind* rewind_;
    std::optional<History> own_history_;
    std::optional<Rewind> own_rewind_;
    std::optional<double> bytes_;
    std::set<ComponentId> watched_;     // the classes that the history watches
    std::vector<std::string> without_;  // what the own rewind does not record
};

}  // namespace crateful::internal::inspector
