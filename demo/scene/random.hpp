#pragma once
#include <cstdint>

namespace crate_room {

/// A hash of its arguments: a pseudo-random number that does not depend on earlier calls.
[[nodiscard]] constexpr std::uint32_t scramble(std::uint32_t seed, std::uint32_t a, std::uint32_t b = 0) noexcept {
    std::uint32_t h = seed * 0x9E3779B1u ^ (a + 0x7F4A7C15u) * 0x85EBCA6Bu ^ (b + 0x165667B1u) * 0xC2B2AE35u;
    h = (h ^ h >> 16) * 0x7FEB352Du;
    h = (h ^ h >> 15) * 0x846CA68Bu;
    return h ^ h >> 16;
}

/// The same as a float from 0 to just below 1.
[[nodiscard]] constexpr float chance(std::uint32_t seed, std::uint32_t a, std::uint32_t b = 0) noexcept {
    return static_cast<float>(scramble(seed, a, b) >> 8) / 16777216.0f;
}

/// A sequence of pseudo-random numbers, for callers with a fixed order of calls.
struct Random {
    std::uint32_t seed = 0;
    std::uint32_t count = 0;  ///< of the numbers so far

    [[nodiscard]] constexpr std::uint32_t next() noexcept { return scramble(seed, count++); }
    /// From `low` to just below `high`.
    [[nodiscard]] constexpr float between(float low, float high) noexcept {
        return low + (high - low) * static_cast<float>(next() >> 8) / 16777216.0f;
    }
    /// From 0 to `n` - 1.
    [[nodiscard]] constexpr int below(int n) noexcept {
        return static_cast<int>(next() % static_cast<std::uint32_t>(n));
    }
};

}  // namespace crate_room
