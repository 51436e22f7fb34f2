#pragma once
#include <cstdint>
#include <limits>
#include <vector>

namespace crateful {

namespace internal {
class StateAccess;
}

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
    /// Returns the game delta for a delta (both in seconds), and subtracts the wall delta from the remaining time of all
    /// requests.
    [[nodiscard]] double apply(double delta, double wall_delta) noexcept {
        return requests_.empty() ? delta : apply_requests(delta, wall_delta);
    }

private:
    friend class internal::StateAccess;
    double apply_requests(double delta, double wall_delta) noexcept;
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

    /// Multiplies deltas, before slow motion: 2 is fast forward. With 0, only what runs during a pause runs (rule M5).
    [[nodiscard]] double time_scale() const noexcept { return times_.scale; }
    /// Sets it. Throws `bad_argument` unless it is finite and not negative.
    void time_scale(double scale) {
        check_scale(scale);
        times_.scale = scale;
    }
    /// Advances both times, and the number of the frame; returns the effective delta. Throws `bad_argument` unless `wall_delta`
    /// and `scale` are finite and not negative, and the times remain finite.
    double advance(double wall_delta, double scale) {
        const double wall = times_.wall + wall_delta;
        const double scaled = wall_delta * scale;
        constexpr double MOST = (std::numeric_limits<double>::max)();
        // If one is invalid, so is a sum.
        if (!(wall_delta >= 0 && scale >= 0 && wall <= MOST && times_.game + scaled <= MOST)) fail(wall_delta, scale);
        const double delta = paused || scale == 0 ? 0 : slow_motion.apply(scaled, wall_delta);
        times_.wall = wall;
        times_.game += delta;
        return delta;
    }
    /// An update has ended.
    void end_frame() noexcept { ++times_.frame; }
    /// How many updates have ended (rule M5).
    [[nodiscard]] double frame() const noexcept { return times_.frame; }
    /// The sum of all effective deltas, in seconds.
    [[nodiscard]] double game_time() const noexcept { return times_.game; }
    /// The sum of all wall deltas, in seconds.
    [[nodiscard]] double wall_time() const noexcept { return times_.wall; }
    /// Both in memory, for language bindings.
    struct Times {
        double game = 0;   ///< what `game_time()` returns
        double wall = 0;   ///< what `wall_time()` returns
        double scale = 1;  ///< what `time_scale()` returns
        double frame = 0;  ///< what `frame()` returns
    };
    /// They are at this address as long as the clock exists.
    [[nodiscard]] const Times& times() const noexcept { return times_; }

private:
    friend class internal::StateAccess;
    static void check_scale(double scale) {
        if (!(scale >= 0 && scale <= (std::numeric_limits<double>::max)())) fail_scale(scale);
    }
    [[noreturn]] static void fail_scale(double scale);
    [[noreturn]] static void fail(double wall_delta, double scale);

    Times times_;
};

}  // namespace crateful
