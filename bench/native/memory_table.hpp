#pragma once
#include <iosfwd>

namespace bench {

/// Seed 3's table of memory from `ECS::memory_report()`, as JSON: for 1,000 entities, for each size of a
/// component and each share of the entities that have one, bytes by the seed's formulas and as allocated.
void print_memory_table(std::ostream& out);

}  // namespace bench
