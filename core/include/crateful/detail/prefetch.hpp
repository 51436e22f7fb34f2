#pragma once

namespace crateful::internal {

/// Begins to read memory that is used soon, where compilers have an instruction for it.
inline void prefetch([[maybe_unused]] const void* address) noexcept {
#if defined(__GNUC__)
    __builtin_prefetch(address);
#endif
}

}  // namespace crateful::internal
