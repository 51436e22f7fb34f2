#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace crateful {

/// Milliseconds on a clock that never goes back. Replaceable: a program that defines this function itself
/// gets its own, as with `operator new`.
[[nodiscard]] double steady_milliseconds() noexcept;

/// Where the time of a frame goes (rule P1; seed 1). Clocks stand in groups: `Overall` (update,
/// render), `Systems` (one per system) and whatever groups the user names. Off by default; a clock
/// that is started while the profiler is off costs one test.
class Profiler {
public:
    /// Frames that an average covers.
    static constexpr std::size_t WINDOW = 60;

    struct Reading {
        std::string name;
        double average;  ///< milliseconds a frame, over the last WINDOW frames in which it ran
        double last;     ///< milliseconds in the last frame
    };
    struct Group {
        std::string name;
        std::vector<Reading> clocks;  ///< biggest average first
    };
    /// One stretch of time of the last finished frame; milliseconds on the steady clock.
    struct Span {
        const std::string* group;
        const std::string* name;
        double start;
        double duration;
    };

    bool enabled = false;

    /// Measures until it goes out of scope.
    class Scope {
    public:
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
    [[nodiscard]] Scope measure(std::string_view group, std::string_view name) { return {*this, group, name}; }
    /// Records a stretch that was measured elsewhere; milliseconds. Ignored while off.
    void record(std::string_view group, std::string_view name, double start, double duration);
    /// Closes the frame: what was measured since the last call enters the averages.
    void end_frame();
    /// All groups in the order of their first use.
    [[nodiscard]] std::vector<Group> report() const;
    /// The stretches of the last finished frame, in order.
    [[nodiscard]] const std::vector<Span>& spans() const noexcept { return last_spans_; }
    /// Forgets all measurements.
    void clear();

private:
    struct Clock {
        std::string group;
        std::string name;
        double frame = 0;        // of the current frame
        bool ran = false;        // in the current frame
        std::size_t frames = 0;  // how many entered `window`
        double window[WINDOW] = {};
        double sum = 0;
        double last = 0;
    };
    [[nodiscard]] std::size_t clock(std::string_view group, std::string_view name);
    void add(std::size_t clock, double start, double duration);

    std::vector<std::unique_ptr<Clock>> clocks_;  // few; their names are pointed to by spans
    std::vector<Span> spans_;
    std::vector<Span> last_spans_;
};

}  // namespace crateful
