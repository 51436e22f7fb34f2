#pragma once
#include <cstdint>
#include <optional>

namespace crate_room {

/// What the native program is started with.
struct Options {
    std::uint32_t crates = 2000;
    std::uint32_t seed = 1;
    std::uint32_t frames = 0;  ///< ends after so many; 0: when its window is closed
    bool hidden = false;       ///< shows no window
};

inline constexpr const char* USAGE = "crate_room [--crates N] [--seed S] [--frames N] [--hidden]\n";

/// Nothing if they are not understood.
[[nodiscard]] std::optional<Options> read_options(int argc, char** argv);

}  // namespace crate_room
