// Values of fields whose type has changed (rule N4).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "field_values.hpp"
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
    /// What is damaged in the description; empty if nothing is.
    [[nodiscard]] std::string_view damage() const noexcept;
};

/// Throws `bad_argument`: an entity has a value that is not to be written.
[[noreturn]] void fail_unwritable(const char* call, const ComponentType& type, const FieldRun& run,
                                  const std::byte* value, Entity e);
/// Reads the description of a field. Throws `bad_data`.
[[nodiscard]] StoredField read_field(Reader& from);
/// The first of `n` values that the format does not allow: a bool above 1, or a number of an enum that has no name; `n` if there is none.
[[nodiscard]] std::size_t find_damage(const StoredField& stored, Values values, std::size_t n) noexcept;
/// Whether all values of the one are values of the other with the same bytes, so that nothing needs to be converted.
[[nodiscard]] bool same_values(const StoredField& stored, const FieldRun& run, const Field& field);
/// Converts `n` values, in which there is no damage, to the type of a field. Throws `bad_argument` for one that does not fit: `owner` is the
/// name of the class. With `ignore_unknown`, a value that has no name in the field's enum is the field's default.
[[nodiscard]] std::vector<std::byte> convert(const StoredField& stored, Values values, std::size_t n,
                                             std::string_view owner, const FieldRun& run, const Field& field,
                                             const char* call = "restore", bool ignore_unknown = false);
/// Throws `bad_argument` if two fields have one name: those of a class that another language has added are not checked before.
void require_different_names(const ComponentType& type, std::span<const FieldRun> runs);
/// How many names the values of a field have: of an enum.
[[nodiscard]] std::size_t count_names(const Field& field) noexcept;
/// Throws `bad_argument` if one of `n` values is not to be written, because no reader accepts it. `entity(i)` has value number i.
template <class EntityAt>
void require_writable(const char* call, const ComponentType& type, const FieldRun& run, Values values, std::size_t n,
                      EntityAt&& entity) {
    const std::size_t count = count_values(run.type, count_names(type.fields[run.first]));
    for (std::size_t i = 0; (i += find_wrong_value(run.type, count, {values.at(i), values.stride}, n - i)) < n; ++i) {
        if (const Entity e = entity(i); e != NONE) fail_unwritable(call, type, run, values.at(i), e);
    }
}

}  // namespace crateful::internal
