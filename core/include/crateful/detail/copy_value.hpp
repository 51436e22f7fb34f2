#pragma once
#include <cstddef>
#include <cstring>

namespace crateful::internal {

/// Copies the value of a field. A copy of constant size compiles to one load and one store. With a variable size, memcpy is a
/// function call, which is slow in WebAssembly.
inline void copy_value(std::byte* to, const std::byte* from, std::size_t size) noexcept {
    switch (size) {
        case 1: *to = *from; break;
        case 2: std::memcpy(to, from, 2); break;
        case 4: std::memcpy(to, from, 4); break;
        default: std::memcpy(to, from, 8);
    }
}

}  // namespace crateful::internal
