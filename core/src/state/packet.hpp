// The elements of packets of changes (docs/format.md): short numbers, and lists of indices.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "crateful/entity.hpp"
#include "reused.hpp"

namespace crateful::internal {

inline constexpr std::uint8_t PACKET_KIND = 0xC7;
/// Of a packet on a lossy channel.
inline constexpr std::uint8_t LOSSY_PACKET_KIND = 0xC8;
/// Of a packet that contains all entities with some indices.
inline constexpr std::uint8_t RESTART_PACKET_KIND = 0xC9;
inline constexpr std::uint8_t PACKET_VERSION = 1;
/// In place of the type of a field: values that only their class can read.
inline constexpr std::uint8_t PACKET_BYTES = 12;

/// Which bit of a group says whether a field follows: the last one is that of all fields from this one on.
[[nodiscard]] inline std::size_t bit_of_field(std::size_t field) noexcept { return field < 62 ? field : 62; }
/// In a class.
inline constexpr std::uint64_t PACKET_MOST_FIELDS = 1u << 16;

/// The checksum at the end of a packet.
[[nodiscard]] std::uint32_t packet_checksum(std::span<const std::byte> bytes) noexcept;

/// The indices of entities from `first` on, before `end`.
struct IndexRange {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
};

/// What has arrived of the packets of a lossy channel.
struct Acknowledgement {
    static constexpr std::size_t BYTES = 20;
    std::uint32_t stream = 0;
    std::uint32_t number = 0;   // the newest one
    std::uint64_t packets = 0;  // bit k: the packet `number` - k has arrived

    /// Returns false if the checksum differs. There must be `BYTES`.
    [[nodiscard]] bool read(std::span<const std::byte> bytes) noexcept;
    [[nodiscard]] std::vector<std::byte> bytes() const;
    [[nodiscard]] bool contains(std::uint32_t packet) const noexcept {
        return number - packet < 64 && (packets >> (number - packet) & 1) != 0;
    }
};

/// Writes packets, one after the other.
class PacketWriter {
public:
    /// Begins another one.
    void start() noexcept { empty_reused(bytes_); }
    void byte(std::uint8_t value) { bytes_.push_back(static_cast<std::byte>(value)); }
    /// 7 bits in each byte, the lowest first; the highest bit says that more follow.
    void number(std::uint64_t value);
    void text(std::string_view text);
    void append(const std::byte* from, std::size_t n) { bytes_.insert(bytes_.end(), from, from + n); }
    /// Appends `n` bytes, which the caller sets.
    [[nodiscard]] std::byte* grow(std::size_t n) {
        bytes_.resize(bytes_.size() + n);
        return bytes_.data() + bytes_.size() - n;
    }
    /// How many there are, then the distances between them as a Rice code. They must ascend.
    void indices(std::span<const std::uint32_t> indices);
    [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }
    /// Appends the checksum, and returns the bytes.
    [[nodiscard]] std::vector<std::byte> finish();

private:
    std::vector<std::byte> bytes_;
};

/// Reads a packet. All of its functions throw `bad_data` for what no writer writes.
class PacketReader {
public:
    /// Checks the checksum.
    explicit PacketReader(std::span<const std::byte> bytes);
    [[nodiscard]] std::uint8_t byte();
    [[nodiscard]] std::uint64_t number(std::uint64_t most = ~std::uint64_t{0});
    [[nodiscard]] std::string_view text();
    [[nodiscard]] const std::byte* take(std::size_t n);
    /// Appends indices, each below `end`, and returns how many.
    std::size_t indices(std::uint32_t end, std::vector<std::uint32_t>& to);
    /// Guarantees that there are `n` elements of at least `bits` bits, before memory for them is allocated.
    void require(std::uint64_t n, std::size_t bits) const;
    void end() const;
    /// How many bytes were read.
    [[nodiscard]] std::size_t position() const noexcept { return at_; }
    /// The message contains the position `at`, or that behind what was read last.
    [[noreturn]] void fail(std::string_view what, std::string_view more = {}, const std::byte* at = nullptr) const;

private:
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
};

}  // namespace crateful::internal
