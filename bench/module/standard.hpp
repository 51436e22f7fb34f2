#pragma once
#include <memory>

#include "case.hpp"

// The five cases of https://github.com/noctjs/ecs-benchmark, as in ../cases/standard.mjs: with the same numbers of
// entities, but adding 1 instead of doubling, so that the result depends on the number of steps.
namespace bench {

/// 1,000 entities with five components; five systems, each adding 1 to one.
std::unique_ptr<Case> packed_5(crateful::ECS& ecs);
/// 1,000 entities each with AB, ABC, ABCD and ABCE; three systems swapping A and B, C and D, C and E.
std::unique_ptr<Case> simple_iter(crateful::ECS& ecs);
/// 100 entities for each of 26 classes, all with Data; one system adds 1 to Data, one to the last class.
std::unique_ptr<Case> frag_iter(crateful::ECS& ecs);
/// 1,000 entities with A. One system adds an entity with B of the same value for each; another sums up the values of B
/// and removes the entities with B; by calls for many entities.
std::unique_ptr<Case> entity_cycle(crateful::ECS& ecs);
/// 1,000 entities with A; one system adds a tag to all of them, another removes it, in the same way.
std::unique_ptr<Case> add_remove(crateful::ECS& ecs);

}  // namespace bench
