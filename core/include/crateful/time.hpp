#pragma once
#include <cstdint>
#include <limits>
#include <vector>

namespace crateful {

/// Slows game time down for a limited time (rule M2). Of several requests, the one with the largest factor applies.
class SlowMotion {
public:
    /// How frames are slowed down.
    enum class Style : std::uint8_t {
        scale,  ///< the delta of every frame is divided by the factor
        step,   ///< every factor-th frame has its full delta; the others have delta 0
    };
    /// The style for all requests; it may be changed at any time.
    Style style = Style::scale;

    /// Divides the speed of the game by `factor` (finite, at least 1) for `duration` seconds of wall time (above 0, may
    /// be infinite). Time in which the ECS is paused does not count. Throws `bad_argument`.
    void request(double factor, double duration);
    /// The factor that applies now; 1 without a request.
    [[nodiscard]] double factor() const noexcept;
    /// Ends all requests.
    void clear() noexcept;
    /// Returns the game delta for a wall delta (both in seconds), and subtracts the wall delta from the remaining time
    /// of all requests.
    [[nodiscard]] double apply(double wall_delta) noexcept {
        return requests_.empty() ? wall_delta : apply_requests(wall_delta);
    }

private:
    double apply_requests(double wall_delta) noexcept;
    struct Request {
        double factor;
        double remaining;
    };
    std::vector<Request> requests_;
    double frames_ = 0;  // `step`: frames since the last one with a delta
};

/// Game time and wall time of one ECS, in seconds (rule M1).
class Clock {
public:
    /// Applied to each wall delta.
    SlowMotion slow_motion;
    /// While true, game time does not advance, and the requests of slow motion are not consumed.
    bool paused = false;

    /// Advances both times and returns the effective delta. Throws `bad_argument` unless `wall_delta` is finite and
    /// not negative, and the wall time remains finite.
    double advance(double wall_delta) {
        const double wall = times_.wall + wall_delta;
        if (!(wall_delta >= 0 && wall <= (std::numeric_limits<double>::max)())) fail_delta(wall_delta);
        const double delta = paused ? 0 : slow_motion.apply(wall_delta);
        times_.wall = wall;
        times_.game += delta;
        return delta;
    }
    /// The sum of all effective deltas, in seconds.
    [[nodiscard]] double game_time() const noexcept { return times_.game; }
    /// The sum of all wall deltas, in seconds.
    [[nodiscard]] double wall_time() const noexcept { return times_.wall; }
    /// Both in memory, for language bindings.
    struct Times {
        double game = 0;  ///< what `game_time()` returns
        double wall = 0;  ///< what `wall_time()` returns
    };
    /// They are at this address as long as the clock exists.
    [[nodiscard]] const Times& times() const noexcept { return times_; }

private:
    [[noreturn]] static void fail_delta(double wall_delta);

    Times times_;
};

}  // namespace crateful
