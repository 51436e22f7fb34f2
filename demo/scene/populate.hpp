#pragma once
#include <cstdint>

#include "components.hpp"
#include "layout.hpp"

namespace crate_room {

/// Makes the entities of a room. Returns the player.
crateful::Entity populate_room(crateful::ECS& ecs, const Layout& plan, std::uint32_t seed);

}  // namespace crate_room
