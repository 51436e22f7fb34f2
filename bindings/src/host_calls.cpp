#include "host_calls.hpp"

#include <emscripten/em_js.h>

// `cratefulHost` is defined in host.js. Entities arrive as signed numbers; `>>> 0` makes them unsigned.
// clang-format off
EM_JS(int, crateful_system_init, (int world, int system), { return cratefulHost.init(world, system); })
EM_JS(int, crateful_system_run, (int world, int system, double delta), { return cratefulHost.run(world, system, delta); })
EM_JS(int, crateful_system_on_add, (int world, int system, uint32_t entity), { return cratefulHost.onAdd(world, system, entity >>> 0); })
EM_JS(int, crateful_system_on_remove, (int world, int system, uint32_t entity), { return cratefulHost.onRemove(world, system, entity >>> 0); })
EM_JS(int, crateful_system_enabled, (int world, int system, int on), { return cratefulHost.enabled(world, system, on !== 0); })
EM_JS(int, crateful_system_on_clear, (int world, int system), { return cratefulHost.onClear(world, system); })
EM_JS(void, crateful_system_destroyed, (int world, int system), { cratefulHost.systemDestroyed(world, system); })
EM_JS(int, crateful_time_advanced, (int world, double game_time), { return cratefulHost.timeAdvanced(world, game_time); })
EM_JS(void, crateful_component_detached, (int world, uint32_t entity, uint32_t component, int final), { cratefulHost.componentDetached(world, entity >>> 0, component, final !== 0); })
EM_JS(void, crateful_component_destroyed, (int world, uint32_t entity, uint32_t component), { cratefulHost.componentDestroyed(world, entity >>> 0, component); })
EM_JS(void, crateful_storage_changed, (int world, uint32_t component), { cratefulHost.storageChanged(world, component); })
EM_JS(void, crateful_slots_change, (int world, uint32_t entity, uint32_t component), { cratefulHost.slotsChange(world, entity >>> 0, component); })
EM_JS(void, crateful_give_back, (int world, uintptr_t position), { cratefulHost.giveBack(world, position); })
EM_JS(void, crateful_entity_destroyed, (int world, uint32_t entity), { cratefulHost.entityDestroyed(world, entity >>> 0); })
EM_JS(void, crateful_cleared, (int world), { cratefulHost.cleared(world); })
// clang-format on
