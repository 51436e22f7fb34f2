#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <type_traits>

namespace crateful::internal {

/// Whether two objects of `N` bytes are equal. Not memcmp, which is a function call in WebAssembly.
template <std::size_t N>
[[nodiscard]] bool same_bytes(const void* a, const void* b) noexcept {
    const auto difference_at = [&]<class Word>(Word, std::size_t at) {
        Word x = 0;
        Word y = 0;
        std::memcpy(&x, static_cast<const std::byte*>(a) + at, sizeof(Word));
        std::memcpy(&y, static_cast<const std::byte*>(b) + at, sizeof(Word));
        return static_cast<std::uint64_t>(x ^ y);
    };
    constexpr std::size_t WORDS = N / sizeof(std::uint64_t) * sizeof(std::uint64_t);
    std::uint64_t difference = 0;
    for (std::size_t i = 0; i < WORDS; i += sizeof(std::uint64_t)) difference |= difference_at(std::uint64_t{}, i);
    for (std::size_t i = WORDS; i < N; ++i) difference |= difference_at(std::uint8_t{}, i);
    return difference == 0;
}

/// An object that converts to T and to no base class of it.
template <class T>
struct Exactly {
    template <std::same_as<T> U>
    operator const U&() const;  // NOLINT(google-explicit-constructor)
};
/// Whether T has an `operator==` of its own: not that of a base class, which ignores members, and no conversion to what can be compared.
template <class T>
inline constexpr bool has_own_equality = requires { static_cast<bool (T::*)(const T&) const>(&T::operator==); } ||
                                         requires(const Exactly<T>& x) { operator==(x, x); };

/// Whether two values of a component differ. Equal bytes never do. Other bytes differ if the class is trivially copyable, unless they
/// can be equal, as gaps between members can contain anything, and the class has an `operator==` of its own, which decides. For other
/// classes, `==` decides. Tags never differ.
template <class T>
[[nodiscard]] bool differ(const T& a, const T& b) {
    if constexpr (std::is_empty_v<T>) return false;
    else if constexpr (std::is_trivially_copyable_v<T>) {
        if (same_bytes<sizeof(T)>(std::addressof(a), std::addressof(b))) return false;
        if constexpr (!std::has_unique_object_representations_v<T> && has_own_equality<T>) return !(a == b);
        else return true;
    } else return !(a == b);
}

/// The value that a component had before a function that may change it. A null pointer stands for no component.
template <class T>
class Before {
    static_assert(std::copy_constructible<T> && std::equality_comparable<T>,
                  "change: a component that is not trivially copyable must be copyable and have an operator==; name it "
                  "const, or use each and ECS::dirty");

public:
    explicit Before(const T* value) {
        if (value != nullptr) value_.emplace(*value);
    }
    [[nodiscard]] bool differs(const T* value) const { return value != nullptr && differ(*value_, *value); }

private:
    std::optional<T> value_;
};

template <class T>
    requires(std::is_trivially_copyable_v<T> && !std::is_const_v<T> && !std::is_empty_v<T>)
class Before<T> {
public:
    explicit Before(const T* value) noexcept {
        if (value != nullptr) std::memcpy(bytes_, value, sizeof(T));
    }
    [[nodiscard]] bool differs(const T* value) const noexcept {
        return value != nullptr && differ(*reinterpret_cast<const T*>(bytes_), *value);  // memcpy has created it
    }

private:
    alignas(T) std::byte bytes_[sizeof(T)];
};

/// The function cannot change constant components and tags.
template <class T>
    requires(std::is_const_v<T> || std::is_empty_v<T>)
class Before<T> {
public:
    explicit Before(const T*) noexcept {}
    [[nodiscard]] bool differs(const T*) const noexcept { return false; }
};

}  // namespace crateful::internal
