// What changed in one frame (rule N7), as bytes in memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace crateful::internal {

/// A part of a record. All have the values before and after, so that they can be read in both directions.
enum class Part : std::uint32_t {
    values,    ///< a field of components that stay at their places
    places,    ///< other entities at places of a storage, with all values
    handles,   ///< of entities, and the free ones
    tracked,   ///< what a system tracks
    children,  ///< entities with another parent or position among the siblings
    text       ///< everything else: bytes that are compared as a whole
};
/// A direction.
enum class Side : std::uint8_t { before, after };

/// Appends to a record.
class RecordWriter {
public:
    explicit RecordWriter(std::vector<std::byte>& to) noexcept : to_(to) {}
    template <class T>
        requires std::is_trivially_copyable_v<T>
    void put(const T& value) {
        std::memcpy(grow(sizeof value), &value, sizeof value);
    }
    template <class T>
        requires std::is_trivially_copyable_v<T>
    void array(std::span<const T> values) {
        if (!values.empty()) std::memcpy(grow(values.size_bytes()), values.data(), values.size_bytes());
    }
    /// Appends `n` bytes, which the caller sets before the next call.
    [[nodiscard]] std::byte* grow(std::size_t n) {
        to_.resize(to_.size() + n);
        return to_.data() + to_.size() - n;
    }

private:
    std::vector<std::byte>& to_;
};

/// Reads a record that a RecordWriter wrote in this process.
class RecordReader {
public:
    explicit RecordReader(std::span<const std::byte> from) noexcept : at_(from.data()), end_(at_ + from.size()) {}
    [[nodiscard]] bool done() const noexcept { return at_ == end_; }
    template <class T>
    [[nodiscard]] T get() noexcept {
        T value;
        std::memcpy(&value, take(sizeof value), sizeof value);
        return value;
    }
    /// The next `n` bytes.
    [[nodiscard]] const std::byte* take(std::size_t n) noexcept {
        const std::byte* const from = at_;
        at_ += n;
        return from;
    }

private:
    const std::byte* at_;
    const std::byte* end_;
};

}  // namespace crateful::internal
