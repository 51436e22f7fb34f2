// Conditions that compare the value of a field with a text.
#pragma once
#include <string_view>
#include <vector>

#include "entities.hpp"

namespace crateful::internal::inspector {

/// The text without its quotation marks, if it has any.
[[nodiscard]] std::string_view unquoted(std::string_view text) noexcept;
/// The condition that the value at a path of names, `at.x`, compares so with a value. Throws `bad_argument`.
[[nodiscard]] Condition compare_field(const ECS& ecs, const KnownClass& cls, const std::vector<std::string_view>& path,
                                      std::string_view operation, std::string_view value);

}  // namespace crateful::internal::inspector
