#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "crateful/world.hpp"

// Reports: component classes, systems, profile, memory. A report is a table of names and numbers in memory, which adds a
// tenth of the code to the module that objects made through `emscripten::val` would. web/src/core/reports.ts reads it.
namespace crateful::reports {

/// Each of these fills the table and returns its number of rows. The definitions describe the rows.
int describe_native_class(const std::string& name);
int systems(World& w);
int memory(World& w);
int profile(World& w);
int spans(World& w);

/// The names of the table, row by row, each followed by END.
const char* names();
/// The numbers of the table, row by row.
const double* numbers();

/// In place of a FieldType: the row contains a name of the values of the field.
inline constexpr double ENUM_NAME = -1;

/// Registers a stored class with unnamed fields. `fields`: for each field one byte with its FieldType, with the bit CONTINUES if it
/// continues a vector, and the 8 bytes of its default value.
ComponentId add_stored_class(const std::string& name, int policy, const std::string& fields);
inline constexpr std::size_t FIELD_BYTES = 9;
inline constexpr unsigned CONTINUES = 128;
/// The fields of such a list.
std::vector<Field> parse_fields(std::string_view bytes);

}  // namespace crateful::reports
