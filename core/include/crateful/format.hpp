#pragma once
#include <version>

#include "crateful/entity.hpp"

#ifdef __cpp_lib_format
#include <format>

/// `std::format("{}", e)` is `to_string(e)`; the options are those of strings. In standard libraries without `<format>`, this header is
/// empty.
template <>
struct std::formatter<crateful::Entity> : std::formatter<std::string> {
    template <class Context>
    auto format(crateful::Entity e, Context& context) const {
        return std::formatter<std::string>::format(crateful::to_string(e), context);
    }
};
#endif
