// What the fuzzer of changes calls with bytes that may be anything (rule N8).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace crateful::fuzz_apply {

using Bytes = std::vector<std::byte>;

/// Applies packets, each of which has its number of bytes in front of it, to a world. Ends the program if that breaks a promise: what is
/// refused must have changed nothing, and what is accepted must leave a world that works. Returns how many packets were accepted.
int apply_target(std::span<const std::byte> bytes);
/// Sets the checksum of each packet, without which all bytes that were changed would be refused there.
void repair(Bytes& bytes);
/// Valid packets to begin with.
[[nodiscard]] std::vector<Bytes> seeds();
/// Overwrites one byte of the bytes, chosen by `random`.
void change_byte(std::span<std::byte> bytes, std::uint64_t random);

}  // namespace crateful::fuzz_apply
