// The entry points of libFuzzer; see CONTRIBUTING.md.
#include <cstdint>
#include <cstring>

#include "restore_target.hpp"

namespace fuzz = crateful::fuzz;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::restore_target(std::as_bytes(std::span(data, size)));
    return 0;
}

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
    constexpr std::size_t header = 24;
    const std::span<std::uint8_t> bytes(data, size);
    if (seed % 3 != 0 || size <= header) {
        for (std::uint64_t random = seed * 0x9E3779B97F4A7C15u; random != 0;
             random = (random & 1) != 0 ? random >> 8 : 0)
            fuzz::change_number(std::as_writable_bytes(bytes), random ^ (random >> 29));
    } else {
        size = header + LLVMFuzzerMutate(data + header, size - header, max_size - header);
    }
    if (seed % 31 == 0) return size;  // with a header that does not fit
    const auto all = std::as_bytes(std::span(data, size));
    fuzz::Bytes repaired(all.begin(), all.end());
    fuzz::repair(repaired);
    std::memcpy(data, repaired.data(), size);
    return size;
}
