#include "host_calls.hpp"

#include <emscripten/em_js.h>

// The package's `init` sets `Module["crateful"]` (web/src/world/host_calls.ts). Entities arrive as signed numbers; `>>> 0`
// makes them unsigned.
// clang-format off
EM_JS(int, crateful_system_init, (int world, int system), { return Module["crateful"]["init"](world, system); })
EM_JS(int, crateful_system_run, (int world, int system, double delta), { return Module["crateful"]["run"](world, system, delta); })
EM_JS(int, crateful_system_on_add, (int world, int system, uint32_t entity), { return Module["crateful"]["onAdd"](world, system, entity >>> 0); })
EM_JS(int, crateful_system_on_remove, (int world, int system, uint32_t entity), { return Module["crateful"]["onRemove"](world, system, entity >>> 0); })
EM_JS(int, crateful_system_enabled, (int world, int system, int on), { return Module["crateful"]["enabled"](world, system, on !== 0); })
EM_JS(int, crateful_system_on_clear, (int world, int system), { return Module["crateful"]["onClear"](world, system); })
EM_JS(void, crateful_system_destroyed, (int world, int system), { Module["crateful"]["systemDestroyed"](world, system); })
EM_JS(int, crateful_time_advanced, (int world, double game_time), { return Module["crateful"]["timeAdvanced"](world, game_time); })
EM_JS(void, crateful_component_detached, (int world, uint32_t entity, uint32_t component, int final), { Module["crateful"]["componentDetached"](world, entity >>> 0, component, final !== 0); })
EM_JS(void, crateful_component_destroyed, (int world, uint32_t entity, uint32_t component), { Module["crateful"]["componentDestroyed"](world, entity >>> 0, component); })
EM_JS(void, crateful_storage_changed, (int world, uint32_t component), { Module["crateful"]["storageChanged"](world, component); })
EM_JS(void, crateful_slots_change, (int world, uint32_t entity, uint32_t component), { Module["crateful"]["slotsChange"](world, entity >>> 0, component); })
EM_JS(void, crateful_give_back, (int world, uintptr_t position), { Module["crateful"]["giveBack"](world, position); })
EM_JS(void, crateful_entity_destroyed, (int world, uint32_t entity), { Module["crateful"]["entityDestroyed"](world, entity >>> 0); })
EM_JS(void, crateful_cleared, (int world), { Module["crateful"]["cleared"](world); })
// clang-format on
