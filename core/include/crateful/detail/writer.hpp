// Bytes in memory and in files: values of fixed width, one behind the other.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace crateful::internal {

/// Appends values to a list of bytes.
class Writer {
public:
    /// In files, arrays begin at a multiple of this, from the beginning of the list.
    static constexpr std::size_t ALIGNMENT = 8;

    explicit Writer(std::vector<std::byte>& to) noexcept : to_(to) {}
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
    /// Behind its length.
    void text(std::string_view text);
    /// Zeros up to the next multiple of `ALIGNMENT`.
    void align() { static_cast<void>(grow((0 - to_.size()) % ALIGNMENT)); }
    /// Behind zeros.
    template <class T>
    void aligned(std::span<const T> values) {
        align();
        array(values);
    }
    /// Appends `n` bytes, which the caller sets before the next call.
    [[nodiscard]] std::byte* grow(std::size_t n);
    /// The last `n` bytes.
    [[nodiscard]] std::byte* last(std::size_t n) const noexcept { return to_.data() + to_.size() - n; }

private:
    std::vector<std::byte>& to_;
};

}  // namespace crateful::internal
