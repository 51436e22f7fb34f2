#pragma once
#include <cstddef>
#include <string_view>
#if defined(__cpp_rtti) && !defined(__wasm__)
#include <typeinfo>
#endif

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

/// A different address for each type. Not const, so that no linker merges two of them.
template <class T>
CRATEFUL_SHARED inline char type_tag = 0;

/// The address that was passed first for a class of this name, as `std::type_info` has it, because each shared library has a tag of its own
/// for a class whose symbols are hidden. A class with internal linkage is another one in each: it returns `tag`.
[[nodiscard]] const void* shared_type(std::string_view name, const void* tag);

/// Throws `bad_argument`: the classes of this name have different sizes in two libraries.
[[noreturn]] void fail_shared(std::string_view kind, std::string_view name);

/// A different address for each type, the same in all shared libraries of a program; of a class with hidden symbols only with RTTI.
template <class T>
[[nodiscard]] const void* type_id() {
#if defined(__wasm__) || !defined(__cpp_rtti)  // a module is one library
    return &type_tag<T>;
#else
    static const void* const id = shared_type(typeid(T).name(), &type_tag<T>);
    return id;
#endif
}

}  // namespace crateful::internal
