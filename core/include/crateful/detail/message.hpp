#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

#include "crateful/error.hpp"

namespace crateful::internal {

/// A number for a message: "12", "-0.004", "2.5e20", "NaN". Like `operator new`, a program can replace this function by
/// defining it.
[[nodiscard]] std::string number_text(double value);
/// The parts as one string. A call takes less code than `+`.
[[nodiscard]] std::string join(std::initializer_list<std::string_view> parts);
/// Throws an Error with the joined parts as its message. Without exceptions, calls the error handler.
[[noreturn]] void fail(ErrorCode code, std::initializer_list<std::string_view> message);
/// Throws `std::bad_array_new_length`. Without exceptions, calls the error handler.
[[noreturn]] void fail_array_length();

}  // namespace crateful::internal
