#include "time_state.hpp"

#include <cmath>
#include <limits>

namespace crateful::internal {

void write_time(Writer& to, const StateAccess& state) {
    const Clock::Times& times = state.times();
    for (const double value : {times.frame, times.game, times.wall, times.scale}) to.put(value);
    const SlowMotionState slow = state.slow_motion();
    to.put(slow.frames);
    to.put(static_cast<std::uint8_t>(state.ecs.paused() ? 1 : 0));
    to.put(static_cast<std::uint8_t>(state.ecs.slow_motion().style));
    to.put(static_cast<std::uint32_t>(slow.requests.size()));
    for (const auto& [factor, remaining] : slow.requests) {
        to.put(factor);
        to.put(remaining);
    }
}

TimeState read_time(Reader& from) {
    const auto finite = [&](double least = 0) {
        const auto value = from.get<double>();
        if (!(value >= least && value <= std::numeric_limits<double>::max())) from.fail("a time is not possible");
        return value;
    };
    TimeState time;
    time.times.frame = finite();
    constexpr double MOST = 9'007'199'254'740'992;  // each whole number up to this one is a double
    if (time.times.frame > MOST || time.times.frame != std::floor(time.times.frame))
        from.fail("a time is not possible");
    time.times.game = finite();
    time.times.wall = finite();
    time.times.scale = finite();
    time.slow_motion.frames = finite();
    const auto paused = from.get<std::uint8_t>();
    const auto style = from.get<std::uint8_t>();
    if (paused > 1 || style > 1) from.fail("no pause or slow motion has this value");
    time.paused = paused != 0;
    time.style = static_cast<SlowMotion::Style>(style);
    const auto requests = from.get<std::uint32_t>();
    from.require(requests, 16);
    for (std::uint32_t k = 0; k < requests; ++k) {
        const double factor = finite(1);
        const auto remaining = from.get<double>();
        if (!(remaining > 0)) from.fail("a time is not possible");
        time.slow_motion.requests.push_back({factor, remaining});
    }
    return time;
}

}  // namespace crateful::internal
