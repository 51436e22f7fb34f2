#include "crateful/error.hpp"

#include "crateful/detail/first_error.hpp"
#include "crateful/detail/message.hpp"

namespace crateful {

std::string internal::join(std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts) text += part;
    return text;
}

void internal::fail(ErrorCode code, std::initializer_list<std::string_view> message) {
    throw Error(code, join(message));
}

void FirstError::keep_current() noexcept {
    if (!error_) error_ = std::current_exception();
}

void FirstError::rethrow_kept() const { std::rethrow_exception(*error_); }

}  // namespace crateful
