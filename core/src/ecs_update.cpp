// One frame (rules S1, S5, S7, E3).
#include <utility>

#include "crateful/ecs.hpp"
#include "operation.hpp"

namespace crateful {
namespace {
// Seconds. Deltas that should add up to the interval can be less by a rounding error.
constexpr double INTERVAL_TOLERANCE = 1e-9;
}  // namespace

double ECS::update(double wall_delta) {
    if (updating_)
        internal::fail(ErrorCode::reentrant_update,
                       {"update: it was called inside an update; call it after the update has returned"});
    if (depth_ > 0)
        internal::fail(ErrorCode::reentrant_update,
                       {"update: it was called inside a callback; call it after the callback has returned"});
    const double delta = clock_.advance(wall_delta);
    FirstError error;
    {
        Operation operation(*this);
        // Systems that are added from now on run in the next frame.
        frame_.resize(systems_.size());
        for (std::size_t i = 0; i < systems_.size(); ++i) frame_[i] = systems_[i].get();
        updating_ = true;
        {
            const auto measured = profiler.measure("Overall", "update");
            error.guard([&] { events.advance(clock_.game_time()); });
            if (host_ != nullptr) error.guard([&] { host_->time_advanced(clock_.game_time()); });
            run_systems(delta, error);
        }
        updating_ = false;
        if (std::exchange(system_removals_pending_, false)) {
            for (SystemBase* system : systems()) {
                if (system->state_ == SystemBase::State::removal_pending) remove_now(*system, error);
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
        double own_delta = delta;
        if (system->interval_ > 0) {
            own_delta = system->elapsed_ += delta;
            if (own_delta < system->interval_ - INTERVAL_TOLERANCE) continue;
        }
        drain_marks();
        if (system->only_when_dirty_ && system->dirty_.set().empty()) {
            system->dirty_.skip_run();
            continue;
        }
        FirstError own;
        {
            const auto measured = profiler.measure("Systems", system->clock_name_);
            system->dirty_.begin_run();
            own.guard([&] { system->run(own_delta); });
        }
        if (own.failed()) {
            // The frame ends here. The system keeps its dirty set, and removals stay pending (rule S7).
            system->dirty_.finish_run();
            error.guard([&] { own.rethrow(); });
            return;
        }
        drain_marks();
        system->elapsed_ = 0;
        system->dirty_.end_run();
    }
    if (!pending_removals_.empty()) run_removal_phase(error);
}

}  // namespace crateful
