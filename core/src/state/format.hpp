// The elements of which all byte formats consist (docs/format.md).
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "crateful/detail/writer.hpp"

namespace crateful::internal {

static_assert(std::endian::native == std::endian::little, "the formats are little-endian");

/// What the bytes are.
inline constexpr std::uint16_t SNAPSHOT_FORMAT = 1;
inline constexpr std::uint32_t MAGIC = 0x4C465243;  // "CRFL"
inline constexpr std::uint16_t FORMAT_VERSION = 2;  ///< 1 is read, too
inline constexpr std::size_t HEADER_BYTES = 24;
inline constexpr std::size_t ALIGNMENT = Writer::ALIGNMENT;
/// In place of the size of a record: only the class can read its values.
inline constexpr std::uint32_t OPAQUE = 0xFFFFFFFF;

/// The checksum of everything behind the header (docs/format.md).
[[nodiscard]] std::uint64_t checksum_of(std::span<const std::byte> bytes) noexcept;

/// Begins a snapshot: writes the header, which `complete_header` fills in at the end.
void put_header(Writer& to);
void complete_header(std::vector<std::byte>& bytes) noexcept;

/// Reads what a Writer has written. All of its functions throw `bad_data` at the end of the bytes.
class Reader {
public:
    /// `call` is for messages.
    explicit Reader(std::span<const std::byte> bytes, const char* call = "read") noexcept
        : bytes_(bytes), call_(call) {}
    /// Reads and checks the header of a snapshot; returns its version. The bytes must be aligned to ALIGNMENT.
    [[nodiscard]] std::uint16_t header();
    [[nodiscard]] const char* call() const noexcept { return call_; }
    [[nodiscard]] bool done() const noexcept { return at_ == bytes_.size(); }
    template <class T>
        requires std::is_trivially_copyable_v<T>
    [[nodiscard]] T get() {
        T value;
        std::memcpy(&value, take(sizeof value), sizeof value);
        return value;
    }
    [[nodiscard]] std::string_view text();
    /// The next `n` bytes.
    [[nodiscard]] const std::byte* take(std::size_t n);
    /// `n` values behind zeros.
    template <class T>
    [[nodiscard]] std::span<const T> aligned(std::size_t n) {
        align();
        require(n, sizeof(T));
        return {reinterpret_cast<const T*>(take(n * sizeof(T))), n};
    }
    /// Guarantees that there are `n` elements of at least `size` bytes, before memory for them is allocated.
    void require(std::size_t n, std::size_t size) const;
    /// That of an address in the bytes.
    [[nodiscard]] std::size_t position(const void* address) const noexcept {
        return static_cast<std::size_t>(static_cast<const std::byte*>(address) - bytes_.data());
    }
    /// Throws unless all bytes were read.
    void end() const {
        if (!done()) fail("there are more bytes than expected");
    }
    /// Throws `bad_data`; the message contains the position `at`, or that behind what was read last.
    [[noreturn]] void fail(std::string_view what, std::string_view more = {}, const std::byte* at = nullptr) const;

private:
    void align();

    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
    const char* call_;
};

}  // namespace crateful::internal
