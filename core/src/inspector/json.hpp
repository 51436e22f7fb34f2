// Values as JSON, and texts for messages.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#if __has_include(<nlohmann/json.hpp>)
#include <nlohmann/json.hpp>
#else
#error crateful::inspector needs nlohmann/json 3.9 or newer: apt-get install nlohmann-json3-dev, brew install nlohmann-json, or vcpkg install nlohmann-json
#endif

#include "crateful/entity.hpp"
#include "crateful/error.hpp"
#include "crateful/history.hpp"

namespace crateful::internal::inspector {

/// Members keep their order.
using Json = nlohmann::ordered_json;

/// A number; those that JSON does not have are strings.
[[nodiscard]] Json to_json(double value);
/// A handle; NONE is null.
[[nodiscard]] Json to_json(Entity e);
/// The value of a field or component. Bytes of a codec are shortened to their number.
[[nodiscard]] Json to_json(const HistoryValue& value);
/// The number for what `to_json(double)` returns.
[[nodiscard]] std::optional<double> to_number(const Json& value);

/// A value for an error message; nullptr is a member that is missing.
[[nodiscard]] std::string show(const Json* value);
[[nodiscard]] std::string in_quotes(std::string_view text);
/// As a text, with `\ufffd` for what is not UTF-8.
[[nodiscard]] std::string dump(const Json& value);

/// An entity for an error message.
[[nodiscard]] std::string entity_text(Entity e);
/// The name of a code, as in TypeScript.
[[nodiscard]] const char* name_of(ErrorCode code) noexcept;

}  // namespace crateful::internal::inspector
