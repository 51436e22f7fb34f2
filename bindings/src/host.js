// What JavaScript provides to the core: a library for Emscripten's linker (--js-library), which executes this file.

// Reports settings without which the module would not work. Emscripten also executes this file to find the types of embind.
const findsTypes = JS_LIBRARIES.some((file) => file.includes("embind_gen"));
const requireSetting = (holds, option) => {
  if (!holds && !findsTypes)
    error(`crateful: link with ${option}; crateful_add_module in CMake and port/crateful.py do this`);
};
requireSetting(MODULARIZE && MODULARIZE !== "instance" && EXPORT_ES6, "-sMODULARIZE -sEXPORT_ES6");
requireSetting(EMBIND, "-lembind");
requireSetting(WASM_EXCEPTIONS, "-fwasm-exceptions");
requireSetting(ALLOW_MEMORY_GROWTH && GROWABLE_ARRAYBUFFERS === 0, "-sALLOW_MEMORY_GROWTH -sGROWABLE_ARRAYBUFFERS=0");
// The package computes with addresses as signed numbers of 32 bits.
requireSetting(MAXIMUM_MEMORY <= 2 ** 31, "-sMAXIMUM_MEMORY=2GB or less");
EXPORTED_RUNTIME_METHODS.add("HEAPU8"); // as an option of the command line, it would replace those of the user

// How `init` finds the binary of a module of the user. The library module needs no code for it.
const findsBinary = INCOMING_MODULE_JS_API.has("locateFile");

const cratefulLibrary = {
  // The calls that the TypeScript package provides (web/src/world/host_calls.ts).
  $cratefulHost: `Module['crateful'] = {${findsBinary ? "binary: () => findWasmBinary()" : ""}}`,

  // Entities arrive as signed numbers; `>>> 0` makes them unsigned.
  crateful_system_init: (world, system) => cratefulHost.init(world, system),
  crateful_system_run: (world, system, delta) => cratefulHost.run(world, system, delta),
  crateful_system_when: (world, system) => cratefulHost.when(world, system),
  crateful_system_on_add: (world, system, entity) => cratefulHost.onAdd(world, system, entity >>> 0),
  crateful_system_on_remove: (world, system, entity) => cratefulHost.onRemove(world, system, entity >>> 0),
  crateful_system_enabled: (world, system, on) => cratefulHost.enabled(world, system, on !== 0),
  crateful_system_skipped: (world, system) => cratefulHost.skipped(world, system),
  crateful_system_on_clear: (world, system) => cratefulHost.onClear(world, system),
  crateful_system_destroyed: (world, system) => cratefulHost.systemDestroyed(world, system),
  crateful_time_advanced: (world, gameTime) => cratefulHost.timeAdvanced(world, gameTime),
  crateful_component_detached: (world, entity, component, final) =>
    cratefulHost.componentDetached(world, entity >>> 0, component, final !== 0),
  crateful_component_destroyed: (world, entity, component) =>
    cratefulHost.componentDestroyed(world, entity >>> 0, component),
  crateful_storage_changed: (world, component) => cratefulHost.storageChanged(world, component),
  crateful_slots_change: (world, component) => cratefulHost.slotsChange(world, component),
  crateful_give_back: (world, position) => cratefulHost.giveBack(world, position),
  crateful_entity_destroyed: (world, entity) => cratefulHost.entityDestroyed(world, entity >>> 0),
  crateful_string_freed: (world, number) => cratefulHost.stringFreed(world, number),
  crateful_cleared: (world) => cratefulHost.cleared(world),
  // Those of `crateful/state` (web/src/state/rewind.ts).
  crateful_recording_ended: (recording) => cratefulHost.recordingEnded(recording),
  crateful_recording_events: (recording, call) => cratefulHost.recordingEvents(recording, call),
  crateful_recording_encode: (recording, call, component, entity) =>
    cratefulHost.recordingEncode(recording, call, component, entity >>> 0),
};
autoAddDeps(cratefulLibrary, "$cratefulHost");

addToLibrary({
  ...cratefulLibrary,
  crateful_throw__deps: ["$cratefulHost", "$UTF8ToString"],
  crateful_throw: (world, code, token, message) => cratefulHost.fail(world, code, token, UTF8ToString(message)),
  crateful_number_text: (value, to) => {
    const text = String(value);
    for (let i = 0; i < text.length; ++i) HEAPU8[to + i] = text.charCodeAt(i);
    return text.length;
  },
});
