// The class World of embind, with which functions of a user's module receive `ecs.raw`. The library module has no such
// functions and replaces this (module.cpp): without classes, embind's part of the glue is nearly half as large.
#include <emscripten/bind.h>

#include "crateful/world.hpp"

namespace crateful {

__attribute__((weak)) void World::declare() {
    using namespace emscripten;
    const auto at = +[](std::uintptr_t world) { return reinterpret_cast<World*>(world); };
    class_<World>("World").class_function("at(world)", at, allow_raw_pointers());
}

}  // namespace crateful
