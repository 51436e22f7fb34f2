// Recording frames (rule N7).
#include "crateful/rewind.hpp"

#include <deque>
#include <exception>
#include <optional>
#include <utility>

#include "copy_exchange.hpp"
#include "crateful/detail/message.hpp"
#include "crateful/detail/state_steps.hpp"

namespace crateful {
namespace internal {

/// A ring of records, and a copy of the state after the frame that is the present one.
class Recording final : public FrameListener {
public:
    Recording(ECS& of, const RewindOptions& options) : state_(of), most_(options.bytes) {
        state_.require_idle("Rewind");
        start();
        next = std::exchange(state_.listeners(), this);
    }
    ~Recording() {
        FrameListener** at = &state_.listeners();
        while (*at != this) at = &(*at)->next;
        *at = next;
    }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

    [[nodiscard]] double oldest() {
        require_current();
        return present_ - static_cast<double>(back_);
    }
    [[nodiscard]] double newest() {
        require_current();
        return oldest() + static_cast<double>(frames_.size());
    }

    void to(double frame) {
        state_.require_idle("to");
        const double first = oldest();
        const double last = newest();
        if (!(frame >= first && frame <= last) || frame != static_cast<double>(static_cast<std::uint64_t>(frame))) {
            fail(ErrorCode::bad_argument, {"to: frame ", number_text(frame), " is not recorded; choose one from ",
                                           number_text(first), " to ", number_text(last)});
        }
        const StateLock lock(state_.ecs);
        FirstError error;
        go(static_cast<std::size_t>(frame - first), error);
        error.rethrow();
    }

private:
    /// What changed in one frame.
    struct Frame {
        std::vector<std::byte> record;
        std::unique_ptr<Strings::Kept> strings;
        [[nodiscard]] std::size_t bytes() const noexcept { return record.size() + sizeof(Frame); }
    };

    // --- recording ----------------------------------------------------------------------------

    void frame_ended() noexcept override {
        try {
            if (!is_current()) return start();
            while (frames_.size() > back_) drop(frames_.size() - 1);
            add(changes());
            present_ = state_.times().frame;
            ++back_;
            while (bytes_ > most_) {
                drop(0);
                --back_;
            }
            collect_strings();
        } catch (...) {
            lose(std::current_exception());
        }
    }

    void add(Frame frame) {
        bytes_ += frame.bytes();
        frames_.push_back(std::move(frame));
    }
    void drop(std::size_t number) noexcept {
        bytes_ -= frames_[number].bytes();
        if (number == 0) frames_.pop_front();
        else frames_.pop_back();
    }

    /// What changed since the copy was made equal to the ECS.
    [[nodiscard]] Frame changes() {
        Frame frame;
        std::vector<String> strings;
        copy_->sync(frame.record, strings);
        if (!strings.empty()) frame.strings = std::make_unique<Strings::Kept>(state_.tracking().strings, std::move(strings));
        frame.record.shrink_to_fit();
        return frame;
    }

    /// Nothing is recorded until the next update.
    void lose(std::exception_ptr why) noexcept {
        copy_.reset();
        frames_.clear();
        back_ = bytes_ = 0;
        failure_ = std::move(why);
    }

    /// Records from the present state on.
    void start() {
        lose(nullptr);
        copy_.emplace(state_.ecs);
        try {
            static_cast<void>(changes());
        } catch (...) {
            copy_.reset();
            throw;
        }
        present_ = state_.times().frame;
        systems_ = state_.tracking().systems_version();
        restorations_ = state_.tracking().restorations;
        hold_.emplace(state_.tracking().strings);
        collect_strings();
    }
    // Whether the copy is one of this ECS with its systems.
    [[nodiscard]] bool is_current() const noexcept {
        return copy_ && systems_ == state_.tracking().systems_version() &&
               restorations_ == state_.tracking().restorations && !state_.tracking().any_missed();
    }
    void require_current() {
        if (failure_) std::rethrow_exception(failure_);
        if (!is_current()) start();
    }

    // The copy contains strings that the ECS has no more, except now.
    void collect_strings() {
        hold_.reset();
        state_.tracking().collect_strings();
        hold_.emplace(state_.tracking().strings);
    }

    // --- going back and forth -----------------------------------------------------------------

    // If it throws, the ECS is unchanged.
    void go(std::size_t to, FirstError& error) {
        const std::vector<ChangeList::Time> times = copy_->times();
        const std::size_t from = back_;
        Touched touched;
        try {
            const Frame since = changes();  // since the last update
            copy_->roll(since.record, Side::before, touched);
            roll_to(to, touched);
        } catch (...) {
            lose(std::current_exception());
            throw;
        }
        CopyExchange exchange(state_.ecs, *copy_, touched);
        try {
            exchange.prepare();
        } catch (...) {
            restart(times, from);
            throw;
        }
        exchange.exchange(error);
        present_ = state_.times().frame;
        restorations_ = ++state_.tracking().restorations;
    }
    void roll_to(std::size_t to, Touched& touched) {
        for (; back_ > to; --back_) copy_->roll(frames_[back_ - 1].record, Side::before, touched);
        for (; back_ < to; ++back_) copy_->roll(frames_[back_].record, Side::after, touched);
    }
    // The copy is that of the frame from which it came, and the changes since then are found again.
    void restart(std::span<const ChangeList::Time> times, std::size_t from) noexcept {
        try {
            Touched touched;
            roll_to(from, touched);
            copy_->set_times(times);
        } catch (...) {
            lose(std::current_exception());
        }
    }

    StateAccess state_;
    std::size_t most_;
    std::optional<StateCopy> copy_;
    std::deque<Frame> frames_;
    std::size_t back_ = 0;   // how many frames are before the present one
    std::size_t bytes_ = 0;  // of all frames
    double present_ = 0;
    std::uint64_t systems_ = 0;
    std::uint32_t restorations_ = 0;
    std::optional<Strings::Hold> hold_;
    std::exception_ptr failure_;
};

}  // namespace internal

Rewind::Rewind(ECS& ecs, const RewindOptions& options) : made_(std::make_unique<internal::Recording>(ecs, options)) {}
Rewind::Rewind(Rewind&&) noexcept = default;
Rewind& Rewind::operator=(Rewind&&) noexcept = default;
Rewind::~Rewind() = default;
double Rewind::oldest() { return made_->oldest(); }
double Rewind::newest() { return made_->newest(); }
void Rewind::to(double frame) { made_->to(frame); }

}  // namespace crateful
