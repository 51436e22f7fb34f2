// Replacements for functions of the C++ library that would add printf to the module: a tenth of its size.
#include <emscripten/emscripten.h>

#include <cstdlib>

#include "crateful/profiler.hpp"

// Called by the C++ runtime before it ends the program, which only a bug can cause. The browser shows the stack.
extern "C" [[noreturn]] void __abort_message(const char*, ...) { std::abort(); }

// The clock of performance.now(), which std::chrono::steady_clock uses as well.
double crateful::steady_milliseconds() noexcept { return emscripten_get_now(); }
