#include "crateful/time.hpp"

#include <algorithm>
#include <cmath>

#include "crateful/detail/message.hpp"

namespace crateful {

void SlowMotion::request(double factor, double duration) {
    if (!std::isfinite(factor) || factor < 1) {
        internal::fail(ErrorCode::bad_argument, {"slow_motion: the factor must be a finite number of at least 1, not ",
                                                 internal::number_text(factor)});
    }
    if (!(duration > 0)) {
        internal::fail(ErrorCode::bad_argument,
                       {"slow_motion: the duration must be above 0 seconds, not ", internal::number_text(duration)});
    }
    if (requests_.empty()) frames_ = 0;
    requests_.push_back({factor, duration});
}

double SlowMotion::factor() const noexcept {
    double largest = 1;
    for (const Request& request : requests_) largest = std::max(largest, request.factor);
    return largest;
}

void SlowMotion::clear() noexcept { requests_.clear(); }

double SlowMotion::apply_requests(double full_delta, double wall_delta) noexcept {
    const double by = factor();
    double delta = full_delta / by;
    if (style == Style::step) {
        frames_ += 1;
        const bool runs = frames_ >= by;
        if (runs)
            frames_ -= std::floor(frames_ - by) + by;  // drops whole frames counted for a larger factor that has ended
        delta = runs ? full_delta : 0;
    }
    for (Request& request : requests_) request.remaining -= wall_delta;
    std::erase_if(requests_, [](const Request& request) { return request.remaining <= 0; });
    return delta;
}

void Clock::fail_scale(double scale) {
    internal::fail(ErrorCode::bad_argument,
                   {"time_scale: it must be a finite, non-negative number, not ", internal::number_text(scale)});
}

void Clock::fail(double wall_delta, double scale) {
    check_scale(scale);
    const bool valid = wall_delta >= 0 && std::isfinite(wall_delta);
    internal::fail(ErrorCode::bad_argument,
                   {valid ? "update: times must remain finite; the delta is too large: "
                          : "update: the delta must be a finite, non-negative number of seconds, not ",
                    internal::number_text(wall_delta)});
}

}  // namespace crateful
