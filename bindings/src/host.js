// The functions that the TypeScript package provides (web/src/world/host_calls.ts), for host_calls.cpp.
var cratefulHost = Module["crateful"] = {};
