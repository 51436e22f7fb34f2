// Loops over values of few bytes, whose number is known only when they run.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace crateful::internal {

/// `memcmp(a, b, n) == 0`, by words: in WebAssembly, that function compares byte by byte.
[[nodiscard]] inline bool equal_bytes(const void* a, const void* b, std::size_t n) noexcept {
    const auto* x = static_cast<const std::byte*>(a);
    const auto* y = static_cast<const std::byte*>(b);
    const auto differing = [&](std::size_t at) {
        std::uint64_t of_x;
        std::uint64_t of_y;
        std::memcpy(&of_x, x + at, sizeof of_x);
        std::memcpy(&of_y, y + at, sizeof of_y);
        return of_x ^ of_y;
    };
    std::size_t at = 0;
    for (; n - at >= 32; at += 32) {
        if ((differing(at) | differing(at + 8) | differing(at + 16) | differing(at + 24)) != 0) return false;
    }
    for (; n - at >= 8; at += 8) {
        if (differing(at) != 0) return false;
    }
    for (; at < n; ++at) {
        if (x[at] != y[at]) return false;
    }
    return true;
}
/// `equal_bytes` and `memcpy`, without a loop or call for values of one word.
[[nodiscard]] inline bool equal_words(const std::byte* a, const std::byte* b, std::size_t n) noexcept {
    if (n != 4) return equal_bytes(a, b, n);
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

}  // namespace crateful::internal
