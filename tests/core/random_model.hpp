// How the environment chooses what the random models do. CRATEFUL_SEED is the first seed of each model, so that a failure is repeated;
// CRATEFUL_TIMES is a factor for the numbers of operations. `npm run test:all` sets both.
#pragma once
#include <cstdint>
#include <cstdlib>

namespace test {

/// The first seed, 1 by default.
inline std::uint32_t first_seed() {
    const char* given = std::getenv("CRATEFUL_SEED");
    return given != nullptr ? static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10)) : 1;
}

/// So many operations, unless the environment asks for more or fewer.
inline std::uint32_t times(std::uint32_t n) {
    const char* given = std::getenv("CRATEFUL_TIMES");
    return given != nullptr ? static_cast<std::uint32_t>(n * std::strtod(given, nullptr)) + 1 : n;
}

}  // namespace test
