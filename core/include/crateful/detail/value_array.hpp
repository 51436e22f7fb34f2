#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace crateful::internal {

/// What a container must know about the C++ type of its values. A container that uses it is compiled once, and not for
/// each type in each file that names the type.
struct ValueType {
    std::size_t size;
    std::size_t alignment;
    void (*construct)(void* first, std::size_t n);  ///< constructs default values in unused memory
    void (*reset)(void* first, std::size_t n);      ///< assigns the default value
    void (*move)(void* to, void* from);             ///< move assignment
    void (*destroy)(void* first, std::size_t n) noexcept;
    bool trivial;  ///< values may be copied as bytes and need not be destroyed
};

/// The description of T.
template <class T>
inline constexpr ValueType value_type{
    .size = sizeof(T),
    .alignment = alignof(T),
    .construct = [](void* first, std::size_t n) { std::uninitialized_value_construct_n(static_cast<T*>(first), n); },
    .reset =
        [](void* first, std::size_t n) {
            for (T* value = static_cast<T*>(first); n > 0; --n) *value++ = T{};
        },
    .move = [](void* to, void* from) { *static_cast<T*>(to) = std::move(*static_cast<T*>(from)); },
    .destroy = [](void* first, std::size_t n) noexcept { std::destroy_n(static_cast<T*>(first), n); },
    .trivial = std::is_trivially_copyable_v<T>};

/// An array of default values of one type. It can grow.
class ValueArray {
public:
    explicit ValueArray(const ValueType& type) noexcept : type_(&type) {}
    ~ValueArray() { release(); }
    ValueArray(const ValueArray&) = delete;
    ValueArray& operator=(const ValueArray&) = delete;

    [[nodiscard]] std::byte* data() const noexcept { return data_; }
    [[nodiscard]] std::byte* at(std::size_t i) const noexcept { return data_ + i * type_->size; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// Whether the address is in the memory of the values.
    [[nodiscard]] bool contains(const void* address) const noexcept {
        const std::less<const void*> before;  // in contrast to <, it orders all addresses
        return !before(address, data_) && before(address, data_ + size_ * type_->size);
    }
    void swap(ValueArray& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
    }
    /// Appends default values up to `size` values. All values move. If it throws, nothing has changed.
    void grow(std::size_t size);

private:
    void release() noexcept;

    const ValueType* type_;
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace crateful::internal
