// The values of described fields.
#pragma once
#include <cstddef>

#include "crateful/detail/strings.hpp"
#include "crateful/history.hpp"
#include "state_access.hpp"

namespace crateful::internal {

/// A value of this type, as a number: an entity its handle, a string its number.
[[nodiscard]] double load_number(FieldType type, const std::byte* from) noexcept;
/// Stores a number. Returns false, and stores nothing, if the type has no such value: it is no integer, or too large.
[[nodiscard]] bool store_number(FieldType type, double value, std::byte* to) noexcept;
/// How many values a bool or an enum with `names` names has, which are the numbers from 0 on; 0 if any bits are a value of the field.
[[nodiscard]] inline std::size_t count_values(FieldType type, std::size_t names) noexcept {
    return type == FieldType::boolean ? 2 : names;
}
/// The first of `n` values that is not below `count`, which is that of a bool or of an enum; `n` if there is none, or `count` is 0.
[[nodiscard]] std::size_t find_wrong_value(FieldType type, std::size_t count, Values values, std::size_t n) noexcept;
/// The value of a field, whose elements are one behind the other.
[[nodiscard]] HistoryValue field_value(const Strings& strings, const Field& field, const FieldRun& run,
                                       const std::byte* from);

}  // namespace crateful::internal
