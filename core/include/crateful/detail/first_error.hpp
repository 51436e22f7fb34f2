#pragma once
#include <exception>
#include <optional>

namespace crateful {

/// Runs callbacks such that one that throws does not prevent the others from running. The first exception is kept
/// and rethrown at the end (rule S7).
class FirstError {
public:
    template <class F>
    void guard(F&& callback) noexcept {
        try {
            callback();
        } catch (...) {
            keep_current();
        }
    }
    [[nodiscard]] bool failed() const noexcept { return error_.has_value(); }
    /// Throws the first exception, if there was one.
    void rethrow() const {
        if (error_) rethrow_kept();
    }

private:
    // These are not in the header, because each use of the class would repeat their code.
    void keep_current() noexcept;
    [[noreturn]] void rethrow_kept() const;

    std::optional<std::exception_ptr> error_;  // optional, because destroying an exception_ptr is a call
};

}  // namespace crateful
