#pragma once
#include <exception>

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
            if (!error_) error_ = std::current_exception();
        }
    }
    [[nodiscard]] bool failed() const noexcept { return error_ != nullptr; }
    /// Throws the first exception, if there was one.
    void rethrow() const {
        if (error_) std::rethrow_exception(error_);
    }

private:
    std::exception_ptr error_;
};

}  // namespace crateful
