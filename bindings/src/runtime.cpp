// Lighter stand-ins for what the C++ library would link: its own bring all of printf along, a tenth of
// the module that everybody downloads.
#include <emscripten/emscripten.h>

#include <cstdlib>

#include "crateful/profiler.hpp"

// The C++ runtime's last words. What ends here is a bug, and the browser shows the stack.
extern "C" [[noreturn]] void __abort_message(const char*, ...) { std::abort(); }

// The clock of performance.now(), as std::chrono's is too.
double crateful::steady_milliseconds() noexcept { return emscripten_get_now(); }
