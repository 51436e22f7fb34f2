#pragma once
#include <cstddef>
#include <string_view>

#include "crateful/detail/shared.hpp"

namespace crateful::internal {

/// The last part of a qualified type name, without template arguments: "room::Mover<Position>" gives
/// "Mover", and so does the local class "run(int)::Mover".
[[nodiscard]] constexpr std::string_view unqualified(std::string_view type) noexcept {
    std::size_t begin = 0;
    std::size_t end = type.size();
    int depth = 0;  // of brackets
    for (std::size_t i = 0; i < type.size(); ++i) {
        const char c = type[i];
        if (c == '<' || c == '(' || c == '[' || c == '{') {
            if (depth++ == 0 && end == type.size()) end = i;
        } else if (c == '>' || c == ')' || c == ']' || c == '}') {
            --depth;
        } else if (depth == 0 && (c == ':' || c == ' ')) {  // a space: MSVC writes "struct room::Mover"
            begin = i + 1;
            end = type.size();
        }
    }
    return begin < end ? type.substr(begin, end - begin) : type;
}

/// The name of a class as `unqualified()` gives it, at compile time and without RTTI.
template <class T>
[[nodiscard]] constexpr std::string_view class_name() noexcept {
#if defined(_MSC_VER) && !defined(__clang__)
    // "… class_name<struct room::Mover>(void) noexcept"
    constexpr std::string_view function = __FUNCSIG__;
    constexpr std::size_t begin = function.find("class_name<") + 11;
    constexpr std::size_t end = function.rfind(">(void)");
#else
    // GCC: "… class_name() [with T = room::Mover; std::string_view = …]"; Clang: "… class_name() [T = room::Mover]"
    constexpr std::string_view function = __PRETTY_FUNCTION__;
    constexpr std::size_t begin = function.find("T = ") + 4;
    constexpr std::size_t alias = function.rfind("; std::string_view = ");
    constexpr std::size_t end = alias != std::string_view::npos ? alias : function.size() - 1;
#endif
    return unqualified(function.substr(begin, end - begin));
}

/// A different address for each type, the same wherever it is taken. Not const, so that no linker
/// merges two of them.
template <class T>
CRATEFUL_SHARED inline char type_tag = 0;

template <class T>
[[nodiscard]] const void* type_id() noexcept {
    return &type_tag<T>;
}

}  // namespace crateful::internal
