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
/// The value of a field, whose elements are one behind the other.
[[nodiscard]] HistoryValue field_value(const Strings& strings, const Field& field, const FieldRun& run,
                                       const std::byte* from);

}  // namespace crateful::internal
