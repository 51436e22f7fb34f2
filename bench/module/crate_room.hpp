#pragma once
#include <cstdint>
#include <memory>

#include "case.hpp"

namespace bench {

/// The crate room of the demo without a screen. It has `crates` crates, of which `moving`, spread over the room, move
/// in each step. Without `tracking`, every system processes all entities.
std::unique_ptr<Case> room(crateful::ECS& ecs, std::uint32_t crates, std::uint32_t moving, bool tracking);

}  // namespace bench
