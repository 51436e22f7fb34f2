#include "crateful/error.hpp"

#include "crateful/detail/first_error.hpp"
#include "crateful/detail/message.hpp"

#if CRATEFUL_EXCEPTIONS
#include <new>
#else
#include <atomic>
#include <cstdio>
#include <cstdlib>
#endif

namespace crateful {

std::string internal::join(std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts) text += part;
    return text;
}

#if CRATEFUL_EXCEPTIONS

void internal::fail(ErrorCode code, std::initializer_list<std::string_view> message) {
    throw Error(code, join(message));
}

void internal::fail_array_length() { throw std::bad_array_new_length(); }

void FirstError::keep_current() noexcept {
    if (!error_) error_ = std::current_exception();
}

#ifdef __EMSCRIPTEN__
// Without optnone, the compiler would see that it throws nothing, and move the call out of the `try`. The linker removes
// calls of functions without an effect.
[[clang::optnone]] void FirstError::follow_callback() {
    [[maybe_unused]] static volatile char effect;
    effect = 0;
}
#endif

void FirstError::rethrow_kept() const { std::rethrow_exception(*error_); }

#else

namespace {
std::atomic<void (*)(const Error&)> error_handler = nullptr;
}  // namespace

void set_error_handler(void (*handler)(const Error&)) noexcept { error_handler = handler; }

void internal::fail(ErrorCode code, std::initializer_list<std::string_view> message) {
    const Error error(code, join(message));
    if (const auto handler = error_handler.load()) handler(error);
    else std::fprintf(stderr, "crateful: %s\n", error.what());
    std::abort();
}

void internal::fail_array_length() { fail(ErrorCode::out_of_memory, {"the array of a component class is too large"}); }

#endif

}  // namespace crateful
