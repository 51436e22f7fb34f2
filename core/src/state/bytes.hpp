// Loops over values of few bytes, whose number is known only when they run.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace crateful::internal {

/// `memcmp(a, b, n) == 0` and `memcpy`, without a call for values of one word.
[[nodiscard]] inline bool equal_words(const std::byte* a, const std::byte* b, std::size_t n) noexcept {
    if (n != 4) return std::memcmp(a, b, n) == 0;
    std::uint32_t x;
    std::uint32_t y;
    std::memcpy(&x, a, 4);
    std::memcpy(&y, b, 4);
    return x == y;
}
inline void copy_words(std::byte* to, const std::byte* from, std::size_t n) noexcept {
    if (n == 4) std::memcpy(to, from, 4);
    else std::memcpy(to, from, n);
}

/// Calls `visit(k)` for the numbers below `n`, and `ahead(k)` several steps before, to prefetch what `visit(k)` reads.
template <class Ahead, class Visit>
void each_ahead(std::size_t n, Ahead&& ahead, Visit&& visit) {
    constexpr std::size_t DISTANCE = 16;
    for (std::size_t k = 0; k < n && k < DISTANCE; ++k) ahead(k);
    for (std::size_t k = 0; k < n; ++k) {
        if (k + DISTANCE < n) ahead(k + DISTANCE);
        visit(k);
    }
}

}  // namespace crateful::internal
