// One frame.
#include <utility>

#include "crateful/ecs.hpp"
#include "operation.hpp"

namespace crateful {

double ECS::update(double wall_delta) {
    if (updating_) throw Error(ErrorCode::reentrant_update, "update: called from inside an update");
    if (depth_ > 0) throw Error(ErrorCode::reentrant_update, "update: called from inside a callback");
    const double delta = clock_.advance(wall_delta);
    FirstError error;
    {
        Operation operation(*this);
        updating_ = true;
        {
            const auto measured = profiler.measure("Overall", "update");
            for (const auto& system : systems_) frame_.push_back(system.get());  // what handlers add comes next time
            error.guard([&] { events.advance(clock_.game_time()); });
            if (host_ != nullptr) error.guard([&] { host_->time_advanced(clock_.game_time()); });
            run_systems(delta, error);
        }
        updating_ = false;
        frame_.clear();
        if (std::exchange(systems_leave_, false)) {
            for (SystemBase* system : systems()) {
                if (system->state_ == SystemBase::State::leaving) detach(*system, error);
            }
        }
    }
    profiler.end_frame();
    error.rethrow();
    return delta;
}

void ECS::run_systems(double delta, FirstError& error) {
    for (SystemBase* system : frame_) {
        if (!system->enabled_ || (delta == 0 && !system->debug_)) continue;
        drain_marks();
        if (system->only_when_dirty_ && system->dirty_.set().empty()) {
            system->dirty_.skip_run();
            continue;
        }
        FirstError own;
        {
            const auto measured = profiler.measure("Systems", system->clock_name_);
            system->dirty_.begin_run();
            own.guard([&] { system->run(delta); });
        }
        if (own.failed()) {
            // The frame ends here. The system keeps its dirty set, removals wait (rule S7).
            error.guard([&] { own.rethrow(); });
            return;
        }
        drain_marks();
        system->dirty_.end_run();
    }
    sweep(error);
}

}  // namespace crateful
