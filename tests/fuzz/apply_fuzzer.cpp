// The entry points of libFuzzer for changes; see CONTRIBUTING.md.
#include <cstdint>
#include <cstring>

#include "apply_target.hpp"

namespace fuzz = crateful::fuzz_apply;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::apply_target(std::as_bytes(std::span(data, size)));
    return 0;
}

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
    if (seed % 3 != 0)
        fuzz::change_byte(std::as_writable_bytes(std::span(data, size)), seed * 0x9E3779B97F4A7C15u >> 8);
    else size = LLVMFuzzerMutate(data, size, max_size);
    if (seed % 31 == 0) return size;  // with a checksum that does not fit
    const auto all = std::as_bytes(std::span(data, size));
    fuzz::Bytes repaired(all.begin(), all.end());
    fuzz::repair(repaired);
    if (size > 0) std::memcpy(data, repaired.data(), size);
    return size;
}
