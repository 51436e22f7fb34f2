// Replacements for functions of the C++ library and the core that would make the module larger.
#include <emscripten/em_js.h>
#include <emscripten/emscripten.h>

#include <array>
#include <cstdlib>

#include "crateful/detail/message.hpp"
#include "crateful/profiler.hpp"

// Called by the C++ runtime before it ends the program, which only a bug can cause. The browser shows the stack. The
// library's own function would add printf to the module: a tenth of its size.
extern "C" [[noreturn]] void __abort_message(const char*, ...) { std::abort(); }

// The clock of performance.now(), which std::chrono::steady_clock uses as well.
double crateful::steady_milliseconds() noexcept { return emscripten_get_now(); }

// clang-format off
EM_JS(int, crateful_number_text, (double value, char* to), {
    const text = String(value);
    for (let i = 0; i < text.length; ++i) HEAPU8[to + i] = text.charCodeAt(i);
    return text.length;
});
// clang-format on

std::string crateful::internal::number_text(double value) {
    std::array<char, 32> text{};  // JavaScript writes a number with at most 25 characters
    return {text.data(), static_cast<std::size_t>(crateful_number_text(value, text.data()))};
}
