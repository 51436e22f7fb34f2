// The functions that `crateful/inspector` calls (web/src/inspector/systems.ts), as those in exports.cpp.
#include <emscripten/em_macros.h>

#include <cstdint>

#include "crateful/system.hpp"
#include "crateful/world.hpp"

using namespace crateful;

extern "C" {

/// Systems run in a random order where nothing decides (`Schedule::shuffle`).
EMSCRIPTEN_KEEPALIVE void crateful_shuffle(World& w, std::uint32_t seed) { w.ecs().by_id().shuffle(seed); }

/// How many classes a system uses in this way; with `i`, the id of one of them.
EMSCRIPTEN_KEEPALIVE std::uint32_t crateful_system_classes(const SystemBase& system, std::uint32_t use) {
    return static_cast<std::uint32_t>(system.used_(static_cast<internal::ComponentUse>(use)).size());
}
EMSCRIPTEN_KEEPALIVE ComponentId crateful_system_class(const SystemBase& system, std::uint32_t use, std::uint32_t i) {
    return system.used_(static_cast<internal::ComponentUse>(use))[i];
}

/// 1 if the system tracks the entity, plus 2 if the entity is in its dirty set.
EMSCRIPTEN_KEEPALIVE std::uint32_t crateful_system_has(SystemBase& system, Entity e) {
    return (system.tracks(e) ? 1U : 0U) | (system.dirty_set().set().contains(e) ? 2U : 0U);
}
}
