// The component classes of the process by name, as one ECS uses them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "../state/state_access.hpp"
#include "request.hpp"

namespace crateful::internal::inspector {

/// A component class.
struct KnownClass {
    std::string name;  ///< different for each class: other classes of the same name have a number behind it
    const ComponentType* type;
    Storage* storage;            ///< nullptr if the ECS has not used the class
    std::vector<FieldRun> runs;  ///< the described fields

    [[nodiscard]] bool has(Entity e) const noexcept { return storage != nullptr && storage->has(e); }
    [[nodiscard]] const Field& field(const FieldRun& run) const noexcept { return type->fields[run.first]; }
    /// The field with this name, or nullptr.
    [[nodiscard]] const FieldRun* find(std::string_view field_name) const noexcept;
    /// The names of the fields, for a message.
    [[nodiscard]] std::string field_names() const;
    /// The string field that is the label of an entity, or nullptr.
    [[nodiscard]] const FieldRun* label() const noexcept;
};

/// All classes, by their ids.
class Classes {
public:
    explicit Classes(ECS& ecs);
    [[nodiscard]] const std::vector<KnownClass>& all() const noexcept { return all_; }
    /// The class with this name, or nullptr.
    [[nodiscard]] const KnownClass* find(std::string_view name) const noexcept;
    /// The same for the member `component` of a request. Throws `bad_argument`.
    [[nodiscard]] const KnownClass& require(const Request& request) const;
    /// The names of classes.
    [[nodiscard]] std::vector<std::string> names(const std::vector<ComponentId>& ids) const;

private:
    std::vector<KnownClass> all_;
};

}  // namespace crateful::internal::inspector
