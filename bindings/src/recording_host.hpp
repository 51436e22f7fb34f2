#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "crateful/detail/message.hpp"
#include "crateful/detail/recording.hpp"
#include "host_calls.hpp"
#include "state.hpp"

namespace crateful {

/// What records a world asks JavaScript for: object components and events as bytes. `token` names its functions.
class RecordingHost : public internal::RecordingHost {
public:
    RecordingHost(World& w, int token) : world_(w), token_(token) {}
    RecordingHost(const RecordingHost&) = delete;
    RecordingHost& operator=(const RecordingHost&) = delete;

    [[nodiscard]] internal::HostEvents events() final {
        StateCall call(world_);
        require(crateful_recording_events(token_, reinterpret_cast<std::uintptr_t>(&call)) == 0);
        return std::move(call.host);
    }
    [[nodiscard]] std::vector<std::byte> encode(ComponentId id, Entity e) final {
        StateCall call(world_);
        const auto at = crateful_recording_encode(token_, reinterpret_cast<std::uintptr_t>(&call), id,
                                                  static_cast<std::uint32_t>(e));
        require(at != 0);
        const auto* const length = reinterpret_cast<const std::uint32_t*>(at);
        const auto* const bytes = reinterpret_cast<const std::byte*>(length + 1);
        return {bytes, bytes + *length};
    }

protected:
    ~RecordingHost() { crateful_recording_ended(token_); }

private:
    // JavaScript keeps what was thrown.
    static void require(bool done) {
        if (!done) internal::fail(ErrorCode::bad_argument, {"Rewind: a value cannot be encoded"});
    }
    World& world_;
    int token_;
};

}  // namespace crateful
