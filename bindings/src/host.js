// The functions that the TypeScript package provides (web/src/world/host_calls.ts), for host_calls.cpp.
// biome-ignore lint/correctness/noUnusedVariables: used by the functions in host_calls.cpp
var cratefulHost = (Module["crateful"] = {});
