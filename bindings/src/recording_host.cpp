#include "recording_host.hpp"

#include <emscripten/em_js.h>
#include <emscripten/em_macros.h>

#include <cstdint>
#include <utility>

#include "crateful/detail/message.hpp"
#include "state.hpp"

// clang-format off

// Calls to JavaScript: web/src/state/recorder.ts. `recording` is a token. Unless JavaScript has thrown, `crateful_recording_events` returns 0,
// and `crateful_recording_encode` an address: the number of bytes is there, and the bytes are behind it.
EM_JS_DEPS(crateful_recording_host, "$cratefulHost");
EM_JS(void, crateful_recording_ended, (int recording), { cratefulHost.recordingEnded(recording); });
EM_JS(int, crateful_recording_events, (int recording, std::uintptr_t call), { return cratefulHost.recordingEvents(recording, call); });
EM_JS(std::uintptr_t, crateful_recording_encode, (int recording, std::uintptr_t call, std::uint32_t component, std::uint32_t entity), { return cratefulHost.recordingEncode(recording, call, component, entity >>> 0); });

// clang-format on

namespace crateful {
namespace {

// JavaScript keeps what was thrown.
void require(bool done) {
    if (!done) internal::fail(ErrorCode::bad_argument, {"Rewind: a value cannot be encoded"});
}

}  // namespace

RecordingHost::~RecordingHost() { crateful_recording_ended(token_); }

internal::HostEvents RecordingHost::events() {
    StateCall call(world_);
    require(crateful_recording_events(token_, reinterpret_cast<std::uintptr_t>(&call)) == 0);
    return std::move(call.host);
}

std::vector<std::byte> RecordingHost::encode(ComponentId id, Entity e) {
    StateCall call(world_);
    const auto at =
        crateful_recording_encode(token_, reinterpret_cast<std::uintptr_t>(&call), id, static_cast<std::uint32_t>(e));
    require(at != 0);
    const auto* const length = reinterpret_cast<const std::uint32_t*>(at);
    const auto* const bytes = reinterpret_cast<const std::byte*>(length + 1);
    return {bytes, bytes + *length};
}

}  // namespace crateful
