// In a file of its own, so that a program that replaces this function links without std::chrono.
#include <chrono>

#include "crateful/profiler.hpp"

namespace crateful {

double steady_milliseconds() noexcept {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace crateful
