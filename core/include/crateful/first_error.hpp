#pragma once
#include <exception>

namespace crateful {

/// Runs callbacks so that one that throws does not keep the others from running; the first exception
/// comes out at the end (rule S7).
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
    void rethrow() const {
        if (error_) std::rethrow_exception(error_);
    }

private:
    std::exception_ptr error_;
};

}  // namespace crateful
