#pragma once

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

}  // namespace crateful::internal
