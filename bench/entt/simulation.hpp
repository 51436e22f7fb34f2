#pragma once
#include "structure.hpp"

namespace bench {

/// Ten systems over 108,000 entities: agents walk, projectiles hit crates, and the sprites of what changed are updated. Both
/// sides must have the same result.
Pair simulation();

}  // namespace bench
