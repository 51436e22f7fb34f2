#pragma once
#include <cstdint>

// Calls from C++ to the TypeScript package (host.js). They are plain imports, which cost several times less than `val`. `world`
// and `system` are tokens of the package. A function that returns an int returns 0, or the token of what JavaScript threw.
extern "C" {
int crateful_system_init(int world, int system);
int crateful_system_run(int world, int system, double delta);
int crateful_system_when(int world, int system);  // 0 or 1, or the negative token
int crateful_system_on_add(int world, int system, std::uint32_t entity);
int crateful_system_on_remove(int world, int system, std::uint32_t entity);
int crateful_system_enabled(int world, int system, int on);
int crateful_system_skipped(int world, int system);
int crateful_system_on_clear(int world, int system);
void crateful_system_destroyed(int world, int system);
int crateful_time_advanced(int world, double game_time);
void crateful_component_detached(int world, std::uint32_t entity, std::uint32_t component, int final);
void crateful_component_destroyed(int world, std::uint32_t entity, std::uint32_t component);
void crateful_storage_changed(int world, std::uint32_t component);
void crateful_slots_change(int world, std::uint32_t component);
void crateful_give_back(int world, std::uintptr_t position);
void crateful_entity_destroyed(int world, std::uint32_t entity);
void crateful_string_freed(int world, std::uint32_t number);
void crateful_cleared(int world);
// Of `crateful/state` (rewind.cpp). The second one returns 0, the third one an address, unless JavaScript threw.
void crateful_recording_ended(int recording);
int crateful_recording_events(int recording, std::uintptr_t call);
std::uintptr_t crateful_recording_encode(int recording, std::uintptr_t call, std::uint32_t component,
                                         std::uint32_t entity);
void crateful_throw(int world, int code, int token, const char* message);
}
