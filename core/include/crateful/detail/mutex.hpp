#pragma once
#include <mutex>

namespace crateful::internal {

#if defined(__wasm__) && !defined(__wasm_atomics__)
// A WebAssembly module without shared memory has one thread, and std::mutex would add 5 KB to its download.
struct Mutex {
    void lock() noexcept {}
    void unlock() noexcept {}
};
#else
using Mutex = std::mutex;
#endif

}  // namespace crateful::internal
