#pragma once
#include <cstddef>
#include <vector>

#include "crateful/detail/recording.hpp"
#include "crateful/world.hpp"

namespace crateful {

/// What records a world asks JavaScript for: object components and events as bytes. `token` names its functions.
class RecordingHost : public internal::RecordingHost {
public:
    RecordingHost(World& w, int token) : world_(w), token_(token) {}
    RecordingHost(const RecordingHost&) = delete;
    RecordingHost& operator=(const RecordingHost&) = delete;

    [[nodiscard]] internal::HostEvents events() final;
    [[nodiscard]] std::vector<std::byte> encode(ComponentId id, Entity e) final;

protected:
    ~RecordingHost();

private:
    World& world_;
    int token_;
};

}  // namespace crateful
