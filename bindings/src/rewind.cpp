// The functions that `Rewind` of `crateful/state` calls (web/src/state/rewind.ts), as those in exports.cpp.
#include "crateful/rewind.hpp"

#include <emscripten/em_macros.h>

#include <string>
#include <string_view>
#include <utility>

#include "crateful/detail/recording.hpp"
#include "recording_host.hpp"
#include "state.hpp"

namespace crateful {

/// A recording whose object components and events JavaScript encodes.
struct StateRecording final : StateObject, RecordingHost {
    StateRecording(World& w, int token, const RewindOptions& options)
        : StateObject(w), RecordingHost(w, token), recording(w.ecs(), options, this) {}

    internal::Recording recording;
    std::string unrecorded;  // what the function below has returned
};

extern "C" {

/// Creates a recording, or returns 0. `without`: a name behind "w"; each is followed by END.
EMSCRIPTEN_KEEPALIVE StateObject* crateful_new_rewind(World& w, int token, double bytes, double seconds,
                                                      const char* without, std::size_t n) {
    return made(w, [&] {
        RewindOptions options{.bytes = static_cast<std::size_t>(bytes), .seconds = seconds};
        internal::each_part({without, n}, [&](char, std::string name) { options.without.push_back(std::move(name)); });
        return std::make_unique<StateRecording>(w, token, options);
    });
}
/// Returns the first or the last frame, or -1 if it fails.
EMSCRIPTEN_KEEPALIVE double crateful_rewind_frame(StateRecording& of, bool last) {
    double frame = -1;
    of.world.guarded([&] { frame = last ? of.recording.newest() : of.recording.oldest(); });
    return frame;
}
/// Returns the number of bytes of a recorded frame, or -1 if it fails.
EMSCRIPTEN_KEEPALIVE double crateful_rewind_bytes(StateRecording& of, double frame) {
    double bytes = -1;
    of.world.guarded([&] { bytes = static_cast<double>(of.recording.bytes_of(frame, "bytesOf")); });
    return bytes;
}
/// How many values each update compares with those that were recorded, which takes 50 µs.
constexpr std::size_t MOST_COMPARED = 8192;
/// For the development build, when an update has ended: returns the fields that have changed without a signal. Of each, the name of its
/// class, its own name, and an entity; each is followed by END. An empty name is the end.
EMSCRIPTEN_KEEPALIVE const char* crateful_rewind_unrecorded(StateRecording& of) {
    of.unrecorded.clear();
    for (const auto& [cls, field, entity] : of.recording.unrecorded(MOST_COMPARED)) {
        for (const std::string& text : {cls, field, std::to_string(static_cast<std::uint32_t>(entity))})
            (of.unrecorded += text) += internal::END;
    }
    return (of.unrecorded += internal::END).data();
}
/// The first step of going to a frame; the others are those of restoring.
EMSCRIPTEN_KEEPALIVE int crateful_rewind_go(StateCall& call, StateRecording& of, double frame, bool shows) {
    return call.world.guarded([&] {
        call.restore = of.recording.go(frame, shows);
        call.list();
    });
}

}  // extern "C"
}  // namespace crateful
