#pragma once
#include <memory>

#include "case.hpp"

namespace bench {

/// How the world positions of moved trees are computed again.
enum class Propagation {
    signal,   ///< the system has the trees in its dirty set, because their roots signalled (rule D13)
    by_hand,  ///< the mover visits them, with lists of children of its own
    arrays    ///< the same over plain arrays, without an ECS: the lower limit
};

/// 1,176 trees of depth 4 with 85 entities each, of which 100 roots move in each step; as ../../cases/hierarchy.mjs.
std::unique_ptr<Case> hierarchy(crateful::ECS& ecs, Propagation how);

}  // namespace bench
