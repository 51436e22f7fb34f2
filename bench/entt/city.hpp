#pragma once
#include <memory>

#include "structure.hpp"

namespace bench {

namespace city {
struct Result;
}

/// A city of 50,000 citizens who go to work, walk, wait for buses and ride in them: 24 systems with a hierarchy, links, strings,
/// events, filters, callbacks and dirty sets. Both sides must have the same result.
Pair city_simulation();

/// The side of EnTT.
std::unique_ptr<Workload> entt_city(std::shared_ptr<city::Result> result);

}  // namespace bench
