#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace crateful {

/// The time in milliseconds of a clock that never runs backwards. Like `operator new`, a program can replace this
/// function by defining it.
[[nodiscard]] double steady_milliseconds() noexcept;

/// Measures the parts of a frame (rules P1, P2). Clocks belong to groups: `Overall` (update, render), `Systems` (one
/// per system) and groups that the user names. Off by default; while it is off, measuring costs one comparison.
class Profiler {
public:
    /// The number of frames in an average.
    static constexpr std::size_t WINDOW = 60;

    /// The times of one clock.
    struct Reading {
        std::string name;  ///< of the clock
        double average;    ///< milliseconds per frame, over the last WINDOW frames in which it ran
        double last;       ///< milliseconds in the last frame in which it ran
    };
    /// The clocks of one group.
    struct Group {
        std::string name;             ///< of the group
        std::vector<Reading> clocks;  ///< largest average first
    };
    /// One measurement of the last finished frame, in milliseconds of the steady clock.
    struct Span {
        const std::string* group;  ///< valid as long as the profiler
        const std::string* name;   ///< of the clock; valid as long as the profiler
        double start;              ///< when it began
        double duration;           ///< how long it took
    };

    /// Whether measurements are recorded.
    bool enabled = false;

    /// Measures from its construction to its destruction.
    class Scope {
    public:
        /// See `measure`.
        Scope(Profiler& profiler, std::string_view group, std::string_view name)
            : profiler_(profiler.enabled ? &profiler : nullptr) {
            if (profiler_ == nullptr) return;
            clock_ = profiler_->clock(group, name);
            start_ = steady_milliseconds();
        }
        ~Scope() {
            if (profiler_ != nullptr) profiler_->add(clock_, start_, steady_milliseconds() - start_);
        }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        Profiler* profiler_;
        std::size_t clock_ = 0;
        double start_ = 0;
    };
    /// Measures until the result is destroyed.
    [[nodiscard]] Scope measure(std::string_view group, std::string_view name) { return {*this, group, name}; }
    /// Records a measurement that was made elsewhere, in milliseconds. Has no effect while the profiler is off.
    void record(std::string_view group, std::string_view name, double start, double duration);
    /// Ends the frame: adds what was measured since the last call to the averages.
    void end_frame() {
        if (enabled || !spans_.empty()) finish_frame();  // a frame that was measured in part is ended as well
    }
    /// All groups, in the order of their first use.
    [[nodiscard]] std::vector<Group> report() const;
    /// Calls `visit(group, reading)` for each clock that ran, in the order of their first use.
    template <class Visit>
    void each_reading(Visit&& visit) const {
        for (const auto& c : clocks_) {
            if (c->frames != 0)
                visit(c->group, Reading{c->name, c->sum / static_cast<double>((std::min)(c->frames, WINDOW)), c->last});
        }
    }
    /// The measurements of the last finished frame, in the order in which they ended.
    [[nodiscard]] const std::vector<Span>& spans() const noexcept { return last_spans_; }
    /// Deletes all measurements.
    void clear();

private:
    struct Clock {
        std::string group;
        std::string name;
        double frame = 0;        // sum of the current frame
        bool ran = false;        // in the current frame
        std::size_t frames = 0;  // number of values added to `window`
        double window[WINDOW] = {};
        double sum = 0;
        double last = 0;
    };
    [[nodiscard]] std::size_t clock(std::string_view group, std::string_view name);
    void add(std::size_t clock, double start, double duration);
    void finish_frame();

    std::vector<std::unique_ptr<Clock>> clocks_;  // at stable addresses: spans point to their names
    std::vector<Span> spans_;
    std::vector<Span> last_spans_;
};

}  // namespace crateful
