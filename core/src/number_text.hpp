#pragma once
#include <string>

namespace crateful {

/// A number for error messages, with up to 6 decimal places: "-0.004", "2.5e20", "NaN". Written by hand because
/// std::to_string(double) and std::to_chars would add printf or large tables to the WebAssembly module.
[[nodiscard]] std::string number_text(double value);

}  // namespace crateful
