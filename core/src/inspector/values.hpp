// The values of components as JSON, and back.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "classes.hpp"

namespace crateful::internal::inspector {

/// "stored", "native" or "object".
[[nodiscard]] const char* name_of(ComponentKind kind) noexcept;
/// How a field is declared.
[[nodiscard]] Json describe_field(const KnownClass& cls, const FieldRun& run);
/// The value of a field in a slot.
[[nodiscard]] HistoryValue read_field(const ECS& ecs, const KnownClass& cls, const FieldRun& run, std::uint32_t slot);
/// The same of one element.
[[nodiscard]] HistoryValue read_element(const ECS& ecs, const KnownClass& cls, const FieldRun& run, std::size_t element,
                                        std::uint32_t slot);
/// The field with a name. `call` is for messages. Throws `bad_argument`.
[[nodiscard]] const FieldRun& require_field(const KnownClass& cls, std::string_view call, const Json* name);
/// The position of an element of a vector. Throws `bad_argument`.
[[nodiscard]] std::size_t require_element(const KnownClass& cls, const FieldRun& run, std::string_view call,
                                          const Json& element);
/// Assigns a field, or an element of a vector, as the request `set` says; signals if the value differs, and returns that which is stored
/// then.
[[nodiscard]] Json assign(ECS& ecs, const KnownClass& cls, Entity e, const Request& request);
/// Adds a component, as the request `add` says.
void add_component(ECS& ecs, const KnownClass& cls, const Request& request);

}  // namespace crateful::internal::inspector
