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

addToLibrary({
  // The functions that the TypeScript package provides (web/src/world/host_calls.ts); EM_JS in C++ declares how each is called.
  $cratefulHost: `Module['crateful'] = {${findsBinary ? "binary: () => findWasmBinary()" : ""}}`,
});
