#pragma once
#include <cstdint>
#include <string>

#include "crateful/world.hpp"

// What is read now and then: component classes, lists of systems, the profile, memory. A report is a
// table of names and numbers in memory, which costs a tenth of what objects made through
// `emscripten::val` would in downloaded bytes. web/src/reports.ts reads them.
namespace crateful::reports {

/// Each fills the table and returns its rows; what a row holds stands beside its definition.
int describe_native_class(const std::string& name);
int systems(World& w);
int memory(World& w);
int profile(World& w);
int spans(World& w);

/// The table's names, each followed by a NUL; and the address of its numbers (doubles).
std::string names();
std::uintptr_t numbers();

/// `types`: a field each, the digit FieldType's number.
ComponentId add_stored_class(const std::string& name, int policy, const std::string& types);

}  // namespace crateful::reports
