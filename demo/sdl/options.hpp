#pragma once
#include <cstdint>
#include <optional>

namespace crate_room {

/// The command line options of the native program.
struct Options {
    std::uint32_t crates = 2000;
    std::uint32_t seed = 1;
    std::uint32_t frames = 0;  ///< the program ends after so many frames; 0: when its window is closed
    bool hidden = false;       ///< without a window
};

inline constexpr const char* USAGE = "crate_room [--crates N] [--seed S] [--frames N] [--hidden]\n";

/// Returns nothing if an option is unknown or has no valid number.
[[nodiscard]] std::optional<Options> read_options(int argc, char** argv);

}  // namespace crate_room
