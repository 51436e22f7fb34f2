#pragma once
#include <stdexcept>
#include <string>

#include "crateful/detail/shared.hpp"

/// 1 if the program is compiled with exceptions, otherwise 0. The core must be compiled with the same setting.
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)  // the latter is MSVC's
#define CRATEFUL_EXCEPTIONS 1
#else
#define CRATEFUL_EXCEPTIONS 0
#endif

namespace crateful {

/// The kind of an error: stable across releases and the same in every language (rule X1).
/// The numbers cross the language boundary: append codes, never renumber them.
enum class ErrorCode : int {
    stale_entity = 1,       ///< the handle is that of no entity that is alive
    missing_component = 2,  ///< the entity has no component of that class
    bad_system = 3,         ///< the system cannot be added, or was not added
    bad_argument = 4,       ///< the call does not accept this value
    reentrant_update = 5,   ///< `update()` was called inside a callback
    not_initialised = 6,    ///< used before the module was loaded (TypeScript only)
    disposed = 7,           ///< used after `dispose()` (TypeScript only)
    out_of_memory = 8,      ///< no memory or no entity handles are left
    too_deep = 9,           ///< callbacks cause each other without end
    bad_data = 10,          ///< the bytes are not what the call expects, or were changed
};

/// Thrown by every call that is misused, before anything is changed (rule X1). The message names the call, the object
/// and the value.
class CRATEFUL_SHARED Error : public std::runtime_error {
public:
    /// An error with this message as its `what()`.
    Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    /// The kind of the error.
    [[nodiscard]] ErrorCode code() const noexcept { return code_; }

private:
    ErrorCode code_;
};

#if !CRATEFUL_EXCEPTIONS
/// Without exceptions: sets the function that is called with each Error, instead of throwing it. The program is aborted if the
/// function returns. With nullptr, which is the default, the message is printed to stderr. It applies to all threads.
void set_error_handler(void (*handler)(const Error&)) noexcept;
#endif

}  // namespace crateful
