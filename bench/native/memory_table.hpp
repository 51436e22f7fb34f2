#pragma once
#include <iosfwd>

namespace bench {

/// Prints the memory of each policy from `ECS::memory_report()` (rule T3) as JSON: for 1,000 entities, for each size of
/// a component and each share of the entities that have one, the bytes by the formulas and the allocated bytes.
void print_memory_table(std::ostream& out);

}  // namespace bench
