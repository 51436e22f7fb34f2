#pragma once
#include <stdexcept>
#include <string>

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
};

/// Thrown by every call that is misused, before anything is changed (rule X1). The message names the call, the object
/// and the value.
class Error : public std::runtime_error {
public:
    Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    /// The kind of the error.
    [[nodiscard]] ErrorCode code() const noexcept { return code_; }

private:
    ErrorCode code_;
};

}  // namespace crateful
