#pragma once
#include <cstdint>
#include <memory>

#include "case.hpp"

namespace bench {

/// The demo's crate room without a screen, with so many crates of which `moving`, spread over the room,
/// shake in each step. With `tracking` off every system goes through everything.
std::unique_ptr<Case> room(crateful::ECS& ecs, std::uint32_t crates, std::uint32_t moving, bool tracking);

}  // namespace bench
