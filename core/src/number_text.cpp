// In a file of its own, so that a program can replace the function. Written by hand because std::to_string(double) and
// std::to_chars would add printf or large tables to a WebAssembly module.
#include <cmath>
#include <cstdint>

#include "crateful/detail/message.hpp"

namespace crateful::internal {

std::string number_text(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
    std::string text = value < 0 ? "-" : "";
    double rest = std::abs(value);
    int exponent = 0;
    if (rest >= 1e12 || (rest > 0 && rest < 1e-6)) {
        for (; rest >= 10; ++exponent) rest /= 10;
        for (; rest < 1; --exponent) rest *= 10;
    }
    const auto millionths = static_cast<std::uint64_t>(std::round(rest * 1e6));
    text += std::to_string(millionths / 1'000'000);
    if (const std::uint64_t decimals = millionths % 1'000'000; decimals != 0) {
        std::string digits = std::to_string(1'000'000 + decimals);
        digits[0] = '.';
        text += digits.substr(0, digits.find_last_not_of('0') + 1);
    }
    if (exponent != 0) text.append("e").append(std::to_string(exponent));
    return text;
}

}  // namespace crateful::internal
