#pragma once
#include <cstddef>

namespace crateful::internal {

/// Begins to read memory that is used soon. WebAssembly has no instruction for it: there, it is a load of which nothing uses the value, so
/// that the processor does not wait for it as long as it has other work.
inline void prefetch([[maybe_unused]] const void* address) noexcept {
#if defined(__wasm__)
    static_cast<void>(*static_cast<const volatile char*>(address));
#elif defined(__GNUC__)
    __builtin_prefetch(address);
#endif
}

inline constexpr std::size_t GROUP = 32;
/// Calls each step with the numbers below `n`, in groups: all numbers of a group go through one step before the next one, so that a
/// step can prefetch what the next one reads.
template <class... Steps>
void in_groups(std::size_t n, Steps&&... steps) {
    for (std::size_t first = 0; first < n; first += GROUP) {
        const std::size_t end = first + GROUP < n ? first + GROUP : n;
        const auto each = [&](auto&& step) {
            for (std::size_t k = first; k < end; ++k) step(k);
        };
        (each(steps), ...);
    }
}

}  // namespace crateful::internal
