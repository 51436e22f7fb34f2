#pragma once
#include "crateful/error.hpp"

#if CRATEFUL_EXCEPTIONS
#include <exception>
#include <optional>
#endif

namespace crateful {

/// Runs callbacks such that one that throws does not prevent the others from running. The first exception is kept
/// and rethrown at the end (rule S7).
#if CRATEFUL_EXCEPTIONS
class FirstError {
public:
    /// Returns whether the callback has not failed.
    template <class F>
    bool guard(F&& callback) noexcept {
        try {
            callback();
            follow_callback();
            return true;
        } catch (...) {
            keep_current();
            return false;
        }
    }
    /// Calls a function of the program: what it throws is found also by WebKit, wherever the call is (see `follow_callback`).
    template <class F>
    static void call(F&& function) {
        FirstError error;
        error.guard(function);
        error.rethrow();
    }
    [[nodiscard]] bool failed() const noexcept { return error_.has_value(); }
    /// Throws the first exception, if there was one.
    void rethrow() const {
        if (error_) rethrow_kept();
    }

private:
#ifdef __EMSCRIPTEN__
    // Safari 26 looks for the handler of an exception at the instruction that follows an indirect call
    // (https://bugs.webkit.org/show_bug.cgi?id=305148). So there must be one in the `try`.
    static void follow_callback();
#else
    static constexpr void follow_callback() noexcept {}
#endif
    // These are not in the header, because each use of the class would repeat their code.
    void keep_current() noexcept;
    [[noreturn]] void rethrow_kept() const;

    std::optional<std::exception_ptr> error_;  // optional, because destroying an exception_ptr is a call
};
#else
class FirstError {
public:
    template <class F>
    bool guard(F&& callback) noexcept {
        callback();
        return true;
    }
    template <class F>
    static void call(F&& function) noexcept {
        function();
    }
    [[nodiscard]] static constexpr bool failed() noexcept { return false; }
    static constexpr void rethrow() noexcept {}
};
#endif

}  // namespace crateful
