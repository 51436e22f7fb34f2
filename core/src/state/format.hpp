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

namespace crateful::internal {

static_assert(std::endian::native == std::endian::little, "the formats are little-endian");

/// What the bytes are.
enum class Format : std::uint16_t {
    snapshot = 1,
    events = 2  ///< only in memory
};
inline constexpr std::uint32_t MAGIC = 0x4C465243;  // "CRFL"
inline constexpr std::uint16_t FORMAT_VERSION = 1;
inline constexpr std::size_t HEADER_BYTES = 24;
/// Arrays begin at a multiple of this, from the beginning of the bytes.
inline constexpr std::size_t ALIGNMENT = 8;
/// In place of the size of a record: only the class can read its values.
inline constexpr std::uint32_t OPAQUE = 0xFFFFFFFF;

/// The checksum of everything behind the header (docs/format.md).
[[nodiscard]] std::uint64_t checksum_of(std::span<const std::byte> bytes) noexcept;

/// Appends values to a list of bytes.
class Writer {
public:
    explicit Writer(Format format);
    template <class T>
        requires std::is_arithmetic_v<T>
    void put(T value) {
        std::memcpy(grow(sizeof value), &value, sizeof value);
    }
    void text(std::string_view text);
    /// Zeros up to the next multiple of ALIGNMENT.
    void align() { static_cast<void>(grow((0 - bytes_.size()) % ALIGNMENT)); }
    /// Makes room for this many more bytes, whose values are not set; valid until the next call.
    [[nodiscard]] std::byte* grow(std::size_t n);
    /// The last `n` bytes.
    [[nodiscard]] std::byte* last(std::size_t n) noexcept { return bytes_.data() + bytes_.size() - n; }
    /// Appends bytes.
    void append(const std::byte* from, std::size_t n) {
        if (n > 0) std::memcpy(grow(n), from, n);
    }
    template <class T>
    void array(std::span<const T> values) {
        align();
        append(reinterpret_cast<const std::byte*>(values.data()), values.size_bytes());
    }
    void reserve(std::size_t more) { bytes_.reserve(bytes_.size() + more); }
    /// Completes the header, and returns the bytes.
    [[nodiscard]] std::vector<std::byte> finish();

private:
    std::vector<std::byte> bytes_;
};

/// Reads values. All of its functions throw `bad_data` at the end of the bytes.
class Reader {
public:
    /// Checks the header. `bytes` must be aligned to ALIGNMENT.
    Reader(std::span<const std::byte> bytes, Format format, const char* call);
    template <class T>
        requires std::is_arithmetic_v<T>
    T get() {
        T value;
        std::memcpy(&value, take(sizeof value), sizeof value);
        return value;
    }
    [[nodiscard]] std::string_view text();
    /// An array of `n` values.
    template <class T>
    [[nodiscard]] std::span<const T> array(std::size_t n) {
        align();
        return {reinterpret_cast<const T*>(take_all(n, sizeof(T))), n};
    }
    /// Guarantees that there are `n` elements of at least `size` bytes, before memory for them is allocated.
    void require(std::size_t n, std::size_t size) const;
    /// That of an address in the bytes.
    [[nodiscard]] std::size_t position(const void* address) const noexcept {
        return static_cast<std::size_t>(static_cast<const std::byte*>(address) - bytes_.data());
    }
    /// Throws unless all bytes were read.
    void end() const {
        if (at_ != bytes_.size()) fail("there are more bytes than expected");
    }
    /// Throws `bad_data`; the message contains the position `at`, or that behind what was read last.
    [[noreturn]] void fail(std::string_view what, std::string_view more = {}, const std::byte* at = nullptr) const;

private:
    void align();
    const std::byte* take(std::size_t n) { return take_all(n, 1); }
    const std::byte* take_all(std::size_t n, std::size_t size);

    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
    const char* call_;
};

}  // namespace crateful::internal
