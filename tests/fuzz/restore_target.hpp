// What the fuzzer calls with bytes that may be anything (rule N8).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace crateful::fuzz {

using Bytes = std::vector<std::byte>;

/// Restores the bytes in a world. Ends the program if that breaks a promise: what is refused must have changed nothing, and what
/// is accepted must be a world that works, whose snapshot gives an equal world.
/// Returns whether the bytes were accepted.
bool restore_target(std::span<const std::byte> bytes);
/// Sets the size and the checksum in the header, without which all bytes that were changed would be refused there.
void repair(Bytes& bytes);
/// Valid snapshots to begin with.
[[nodiscard]] std::vector<Bytes> seeds();
/// Overwrites one number of the bytes with another one that is likely to matter, chosen by `random`.
void change_number(std::span<std::byte> bytes, std::uint64_t random);

}  // namespace crateful::fuzz
