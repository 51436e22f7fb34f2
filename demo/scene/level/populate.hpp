#pragma once
#include <cstdint>

#include "components.hpp"
#include "level/layout.hpp"

namespace crate_room {

/// Creates the entities of a room. Returns the player.
Entity populate_room(ECS& ecs, const Layout& plan, std::uint32_t seed);

}  // namespace crate_room
