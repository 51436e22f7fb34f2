// The functions that `Rewind` of `crateful/state` calls (web/src/state/rewind.ts), as those in exports.cpp.
#include "crateful/rewind.hpp"

#include <emscripten/em_macros.h>

#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "crateful/detail/message.hpp"
#include "crateful/detail/recording.hpp"
#include "host_calls.hpp"
#include "state.hpp"

namespace crateful {

/// A recording whose object components and events JavaScript encodes. `token` names its functions.
struct StateRecording final : StateObject, internal::RecordingHost {
    StateRecording(World& w, int number, const RewindOptions& options)
        : StateObject(w), token(number), recording(w.ecs(), options, this) {}
    ~StateRecording() override { crateful_recording_ended(token); }

    [[nodiscard]] internal::HostEvents events() override {
        StateCall call(world);
        require(crateful_recording_events(token, reinterpret_cast<std::uintptr_t>(&call)) == 0);
        return std::move(call.host);
    }
    [[nodiscard]] std::vector<std::byte> encode(ComponentId id, Entity e) override {
        StateCall call(world);
        const auto at = crateful_recording_encode(token, reinterpret_cast<std::uintptr_t>(&call), id,
                                                  static_cast<std::uint32_t>(e));
        require(at != 0);
        const auto* const length = reinterpret_cast<const std::uint32_t*>(at);
        const auto* const bytes = reinterpret_cast<const std::byte*>(length + 1);
        return {bytes, bytes + *length};
    }

    int token;
    internal::Recording recording;
    std::string unrecorded;  // what the function below has returned

private:
    // JavaScript keeps what was thrown.
    static void require(bool done) {
        if (!done) internal::fail(ErrorCode::bad_argument, {"Rewind: a value cannot be encoded"});
    }
};

extern "C" {

/// Creates a recording, or returns 0. `without`: a name behind "w"; each is followed by END.
EMSCRIPTEN_KEEPALIVE StateObject* crateful_new_rewind(World& w, int token, double bytes, const char* without,
                                                      std::size_t n) {
    return made(w, [&] {
        RewindOptions options{.bytes = static_cast<std::size_t>(bytes)};
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
/// For the development build, when an update has ended: returns the fields that have changed without a signal. Of each, the name of its
/// class, its own name, and an entity; each is followed by END. An empty name is the end.
EMSCRIPTEN_KEEPALIVE const char* crateful_rewind_unrecorded(StateRecording& of) {
    of.unrecorded.clear();
    for (const auto& [cls, field, entity] : of.recording.unrecorded()) {
        for (const std::string& text : {cls, field, std::to_string(static_cast<std::uint32_t>(entity))})
            (of.unrecorded += text) += internal::END;
    }
    return (of.unrecorded += internal::END).data();
}
/// The first step of going to a frame; the others are those of restoring.
EMSCRIPTEN_KEEPALIVE int crateful_rewind_go(StateCall& call, StateRecording& of, double frame) {
    return call.world.guarded([&] {
        call.restore = of.recording.go(frame);
        call.list();
    });
}

}  // extern "C"
}  // namespace crateful
