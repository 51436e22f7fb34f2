#pragma once
#include <cstdint>
#include <vector>

namespace crateful {

/// Slows game time down for a while (rule M2). Of several requests the largest factor wins.
class SlowMotion {
public:
    enum class Style : std::uint8_t {
        scale,  ///< every frame runs, with its delta divided by the factor
        step,   ///< every factor-th frame runs, with its whole delta; the others have delta 0
    };
    Style style = Style::scale;

    /// Divides the speed of the game by `factor` (>= 1) for `duration` seconds of wall time (> 0, may be
    /// infinite) in which the world is not paused. Throws `bad_argument`.
    void request(double factor, double duration);
    /// The factor in force; 1 when there is none.
    [[nodiscard]] double factor() const noexcept;
    /// Ends all requests.
    void clear() noexcept;
    /// Turns a wall delta into a game delta, and lets the requests run down.
    [[nodiscard]] double apply(double wall_delta) noexcept;

private:
    struct Request {
        double factor;
        double remaining;
    };
    std::vector<Request> requests_;
    double frames_ = 0;  // `step`: frames since the last one that ran
};

/// Game time and wall time of one world, in seconds (rule M1).
class Clock {
public:
    SlowMotion slow_motion;
    bool paused = false;

    /// Advances both times; returns the effective delta. Throws `bad_argument` unless `wall_delta` is
    /// finite and not negative.
    double advance(double wall_delta);
    [[nodiscard]] double game_time() const noexcept { return game_time_; }
    [[nodiscard]] double wall_time() const noexcept { return wall_time_; }

private:
    double game_time_ = 0;
    double wall_time_ = 0;
};

}  // namespace crateful
