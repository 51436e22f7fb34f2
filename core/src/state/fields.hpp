// Values of fields whose type has changed (rule N4).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "format.hpp"
#include "state_access.hpp"

namespace crateful::internal {

/// A field as the bytes describe it.
struct StoredField {
    std::string_view name;
    FieldType type{};
    std::size_t length = 1;
    std::size_t offset = 0;               ///< in a record
    std::vector<std::string_view> names;  ///< of an enum
    [[nodiscard]] std::size_t bytes() const noexcept { return length * size_of(type); }
};

/// Reads the description of a field. Throws `bad_data`.
[[nodiscard]] StoredField read_field(Reader& from);
/// Whether all values of the one are values of the other with the same bytes, so that nothing needs to be checked.
[[nodiscard]] bool same_values(const StoredField& stored, const FieldRun& run, const Field& field);
/// Converts `n` values to the type of a field. Throws `bad_argument` for one that does not fit: `owner` is the name of the class.
[[nodiscard]] std::vector<std::byte> convert(const StoredField& stored, Values values, std::size_t n,
                                             std::string_view owner, const FieldRun& run, const Field& field,
                                             const char* call = "restore");

}  // namespace crateful::internal
