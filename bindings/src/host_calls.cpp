#include "host_calls.hpp"

#include <emscripten/em_js.h>

// `Module["crateful"]` is set by the package's `init`. Handles arrive signed; `>>> 0` makes them
// entities again.
// clang-format off
EM_JS(int, crateful_system_init, (int world, int system), { return Module["crateful"]["init"](world, system); })
EM_JS(int, crateful_system_run, (int world, int system, double delta), { return Module["crateful"]["run"](world, system, delta); })
EM_JS(int, crateful_system_entered, (int world, int system, uint32_t entity), { return Module["crateful"]["entered"](world, system, entity >>> 0); })
EM_JS(int, crateful_system_left, (int world, int system, uint32_t entity), { return Module["crateful"]["left"](world, system, entity >>> 0); })
EM_JS(int, crateful_system_enabled, (int world, int system, int on), { return Module["crateful"]["enabled"](world, system, on !== 0); })
EM_JS(int, crateful_system_clear, (int world, int system), { return Module["crateful"]["onClear"](world, system); })
EM_JS(void, crateful_system_destroyed, (int world, int system), { Module["crateful"]["destroyed"](world, system); })
EM_JS(int, crateful_time_advanced, (int world, double game_time), { return Module["crateful"]["timeAdvanced"](world, game_time); })
EM_JS(void, crateful_component_leaves, (int world, uint32_t entity, uint32_t component, int final), { Module["crateful"]["componentLeaves"](world, entity >>> 0, component, final !== 0); })
EM_JS(void, crateful_component_gone, (int world, uint32_t entity, uint32_t component), { Module["crateful"]["componentGone"](world, entity >>> 0, component); })
EM_JS(void, crateful_entity_gone, (int world, uint32_t entity), { Module["crateful"]["entityGone"](world, entity >>> 0); })
EM_JS(void, crateful_cleared, (int world), { Module["crateful"]["cleared"](world); })
// clang-format on
