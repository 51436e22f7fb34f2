#pragma once
#include <stdexcept>
#include <string>

namespace crateful {

/// What went wrong, stable across releases and the same in every language (rule X1).
/// The numbers cross the language boundary; append, never renumber.
enum class ErrorCode : int {
    stale_entity = 1,       ///< the handle names no living entity
    missing_component = 2,  ///< the entity has no component of that class
    bad_system = 3,         ///< a system that can't be added, or is not there
    bad_argument = 4,       ///< a value outside what the call takes
    reentrant_update = 5,   ///< `update()` inside a callback
    not_initialised = 6,    ///< used before the module was ready (TypeScript only)
    disposed = 7,           ///< used after `dispose()` (TypeScript only)
    out_of_memory = 8,      ///< no memory, or no entity handles, left
};

/// Every misuse of the library throws this, before anything was changed.
class Error : public std::runtime_error {
public:
    Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    [[nodiscard]] ErrorCode code() const noexcept { return code_; }

private:
    ErrorCode code_;
};

}  // namespace crateful
