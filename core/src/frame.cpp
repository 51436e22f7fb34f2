// One frame (rules S1, S5, S7, S11, E3), and systems that run outside of frames (rule S19).
#include <cmath>
#include <vector>

#include "crateful/ecs.hpp"

namespace crateful {
namespace {
// Seconds. Deltas that should add up to the interval can be less by a rounding error.
constexpr double INTERVAL_TOLERANCE = 1e-9;
}  // namespace

double ECS::update(double wall_delta, double time_scale) {
    if (schedule_.updating())
        internal::fail(ErrorCode::reentrant_update,
                       {"update: it was called inside an update; call it after the update has returned"});
    if (tracking().in_progress())
        internal::fail(ErrorCode::reentrant_update,
                       {"update: it was called inside a callback; call it after the callback has returned"});
    for (auto* l = listeners_; l != nullptr; l = l->next) l->before_update();
    const double delta = clock_.advance(wall_delta, time_scale);
    const bool stays = frame_stays();
    FirstError error;
    {
        internal::Operation operation(tracking());
        error.guard([&] {
            const std::vector<SystemBase*>& frame = schedule_.begin_update();
            const auto measured = profiler.measure("Overall", "update");
            if (tracking().any_missed()) error.guard([&] { tracking().repeat_missed(error); });
            tracking().settled();
            error.guard([&] { events.advance(clock_.game_time()); });
            if (Host* host = tracking().host; host != nullptr)
                error.guard([&] { host->time_advanced(clock_.game_time()); });
            for (auto* l = listeners_; l != nullptr; l = l->next) l->before_systems();
            const bool paused = clock_.paused || time_scale == 0;
            if (run_systems(frame, delta, paused, error) && structure_.has_marked()) structure_.remove_marked(error);
        });
        schedule_.end_update(error);
    }
    tracking().collect_strings();
    if (!stays) clock_.end_frame();
    profiler.end_frame();
    end_frame(false);
    error.rethrow();
    return delta;
}

bool ECS::frame_stays() const noexcept {
    bool stays = false;
    for (const internal::FrameListener* l = listeners_; l != nullptr; l = l->next) stays = stays || l->stays();
    return stays;
}
void ECS::end_frame(bool destroyed) noexcept {
    for (internal::FrameListener* l = listeners_; l != nullptr; l = l->next) l->frame_ended(destroyed);
}

// Returns whether none has failed. After one that has, only time passes (rule S7).
bool ECS::run_systems(const std::vector<SystemBase*>& frame, double delta, bool paused, FirstError& error) {
    bool failed = false;
    for (SystemBase* system : frame) {
        const bool off = !system->enabled_ || (replaying_ && system->observer_);
        if (off || (delta == 0 && !system->debug_)) {
            if (system->drops_skipped_ && (off || paused)) error.guard([&] { system->skipped_(); });
            continue;
        }
        double own_delta = delta;
        if (system->interval_ > 0) {
            own_delta = system->elapsed_ += delta;
            if (own_delta < system->interval_ - INTERVAL_TOLERANCE) continue;
        }
        if (failed) continue;
        tracking().drain_marks();
        if (system->only_when_dirty_ && system->dirty_.set().empty() && system->waiting_events_ == 0) {
            system->dirty_.skip_run();
            continue;
        }
        FirstError own;
        bool runs = true;
        if (system->has_condition_) {
            own.guard([&] {
                const internal::Observed observed(tracking(), system->observer_ ? system : nullptr);
                runs = system->when(*this);
            });
        }
        if (!runs) {
            system->dirty_.skip_run();
            if (system->drops_skipped_) error.guard([&] { system->skipped_(); });
            continue;
        }
        failed = !run_system(*system, own_delta, own);
        if (failed) error.guard([&] { own.rethrow(); });
        else system->elapsed_ = 0;
    }
    return !failed;
}

// Runs a system, unless its condition has failed; returns whether nothing has. After an error, the system keeps its dirty set (rule S7).
bool ECS::run_system(SystemBase& system, double delta, FirstError& error) {
    if (!error.failed()) {
        const auto measured = profiler.measure("Systems", system.clock_name_);
        system.dirty_.begin_run();
        error.guard([&] {
            const internal::Observed observed(tracking(), system.observer_ ? &system : nullptr);
            system.run_(delta);
        });
    }
    if (error.failed()) {
        system.dirty_.finish_run();
    } else {
        tracking().drain_marks();
        system.dirty_.end_run();
    }
    for (auto* l = listeners_; l != nullptr; l = l->next) l->system_ran(system);
    return !error.failed();
}

void ECS::run(std::span<SystemBase* const> systems, double delta) {
    if (tracking().in_progress())
        internal::fail(ErrorCode::reentrant_update,
                       {"run: it was called inside a callback; call it after the callback has returned"});
    if (!(delta >= 0 && std::isfinite(delta)))
        internal::fail(
            ErrorCode::bad_argument,
            {"run: the delta must be a finite, non-negative number of seconds, not ", internal::number_text(delta)});
    for (const SystemBase* system : systems) {
        if (system == nullptr) internal::fail(ErrorCode::bad_system, {"run: a pointer to a system is null"});
        schedule_.require_added(*system, "run");
    }
    const std::vector<SystemBase*> list(systems.begin(), systems.end());
    FirstError error;
    {
        internal::Operation operation(tracking());
        tracking().settled();
        for (auto* l = listeners_; l != nullptr; l = l->next) l->before_systems();
        for (SystemBase* system : list) {
            if (error.failed()) break;
            if (!system->is_added_()) continue;  // another one has removed it
            error.guard([&] { tracking().drain_marks(); });
            run_system(*system, delta, error);
        }
    }
    tracking().collect_strings();
    error.rethrow();
}

}  // namespace crateful
