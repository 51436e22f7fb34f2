#pragma once
#include "crateful/ecs.hpp"

// The names of the library that the game uses. Inside a system, `Entities` and `Dirty` are the types of its own sets.
namespace crate_room {

using crateful::Aspect;
using crateful::ECS;
using crateful::Entity;
using crateful::NONE;
using crateful::Parent;
using crateful::System;
using crateful::SystemBase;

}  // namespace crate_room
