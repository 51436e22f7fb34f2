#pragma once
#include <memory>
#include <vector>

#include "workload.hpp"

namespace bench {

/// The same workload with Crateful and with EnTT.
struct Pair {
    const char* name;
    std::unique_ptr<Workload> crateful;
    std::unique_ptr<Workload> entt;
};

/// Creating, removing and composing 100,000 entities.
std::vector<Pair> structure();

}  // namespace bench
