// Time, pause, time scale and slow motion as bytes: part 1 of the format, also in memory.
#pragma once
#include "format.hpp"
#include "state_access.hpp"

namespace crateful::internal {

struct TimeState {
    Clock::Times times;
    bool paused = false;
    SlowMotion::Style style = SlowMotion::Style::scale;
    SlowMotionState slow_motion;
};
void write_time(Writer& to, const StateAccess& state);
[[nodiscard]] TimeState read_time(Reader& from);

}  // namespace crateful::internal
