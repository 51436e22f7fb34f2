// Recording frames (rule N7).
#include "crateful/rewind.hpp"

#include <deque>
#include <optional>
#include <utility>

#include "copy_exchange.hpp"
#include "crateful/detail/message.hpp"
#include "crateful/detail/recording.hpp"
#include "crateful/detail/rollback.hpp"

namespace crateful {
namespace internal {

/// A ring of records, and a copy of the state after the frame that is the present one.
class Recording::Frames final : public FrameListener {
public:
    Frames(ECS& of, const RewindOptions& options, RecordingHost* host) : state_(of), options_(options), host_(host) {
        if (!(options.seconds >= 0)) fail(ErrorCode::bad_argument, {"Rewind: seconds must not be negative"});
        state_.require_idle("Rewind");
        const StateLock lock(of);  // for functions that encode values
        start();
        state_.add_listener(*this);
    }
    ~Frames() {
        if (!ended_) state_.remove_listener(*this);
    }
    Frames(const Frames&) = delete;
    Frames& operator=(const Frames&) = delete;

    [[nodiscard]] double oldest() {
        require_current();
        return first();
    }
    [[nodiscard]] double newest() {
        require_current();
        return last();
    }
    [[nodiscard]] std::size_t bytes_of(double frame, const char* call) {
        require_current();
        const std::size_t k = position(frame, call);
        if (k == 0) fail_frame(frame, call, first() + 1);
        return frames_[k - 1].size();
    }
    /// How many recorded frames are before a frame. Throws `bad_argument` if it is not recorded. The ECS must be locked.
    [[nodiscard]] std::size_t position(double frame, const char* call) {
        require_recorded();
        const double from = frame - first();
        if (from >= 0 && frame <= last() && from == static_cast<double>(static_cast<std::size_t>(from)))
            return static_cast<std::size_t>(from);
        fail_frame(frame, call, first());
    }

    [[nodiscard]] std::vector<Unrecorded> unrecorded(std::size_t most) {
        if (ended_ || stayed_ || !is_current()) return {};
        return copy_->unrecorded(most);
    }
    [[nodiscard]] ECS& ecs() const noexcept { return state_.ecs; }
    [[nodiscard]] bool has_host() const noexcept { return host_ != nullptr; }
    [[nodiscard]] StateCopy& copy() noexcept { return *copy_; }
    [[nodiscard]] std::size_t back() const noexcept { return back_; }

    /// Moves the copy from the present state to a frame. If it throws, the recording starts anew.
    void roll(std::size_t to, Touched& touched) {
        holds_ = false;
        FirstError error;
        error.guard([&] {
            const Frame since = changes();  // since the last update
            copy_->roll(since.bytes, Side::before, touched);
            roll_to(to, touched);
        });
        if (!error.failed()) return;
        lose(error);
        error.rethrow();
    }
    /// The ECS was made equal to the copy.
    void arrived() noexcept { restorations_ = state_.tracking().restorations; }
    void hold() noexcept { holds_ = true; }
    /// It was not: the copy is that of the frame from which it came, and the changes since then, from these times on, are found again.
    void failed(std::span<const ChangeList::Time> times, std::size_t from) noexcept {
        FirstError error;
        error.guard([&] {
            Touched touched;
            roll_to(from, touched);
            copy_->set_times(times);
        });
        if (error.failed()) lose(error);
    }

private:
    /// What changed in one frame.
    struct Frame {
        std::vector<std::byte> bytes;
        std::unique_ptr<Strings::Kept> strings;
        double time;  // wall time at its end
        [[nodiscard]] std::size_t size() const noexcept { return bytes.size() + sizeof(Frame); }
    };

    [[noreturn]] void fail_frame(double frame, const char* call, double from) const {
        fail(ErrorCode::bad_argument, {call, ": frame ", number_text(frame), " is not recorded; choose one from ",
                                       number_text(from), " to ", number_text(last())});
    }

    [[nodiscard]] bool stays() const noexcept override { return holds_ && state_.ecs.paused() && is_current(); }
    // After `restore`, the restored state is the first frame.
    void before_update() noexcept override {
        if (!is_current() && !failure_.failed()) note([&] { start(); });
    }
    void frame_ended(bool destroyed) noexcept override {
        if (destroyed) {
            ended_ = true;
            return;
        }
        stayed_ = state_.times().frame == present_ && is_current();
        if (stayed_) return;
        note([&] {
            if (is_current() && state_.times().frame == present_ + 1) record();
            else start();
        });
    }
    template <class Note>
    void note(Note&& note_all) noexcept {
        FirstError error;
        error.guard([&] {
            const StateLock lock(state_.ecs);  // for functions that encode values
            note_all();
        });
        if (error.failed()) lose(error);
    }
    void record() {
        holds_ = false;
        while (frames_.size() > back_) drop(frames_.size() - 1);
        Frame frame = changes();
        bytes_ += frame.size();
        frames_.push_back(std::move(frame));
        present_ = state_.times().frame;
        ++back_;
        const double time = frames_.back().time;
        while (!frames_.empty() && (bytes_ > options_.bytes || frames_.front().time <= time - options_.seconds)) {
            drop(0);
            --back_;
        }
    }
    void drop(std::size_t number) noexcept {
        bytes_ -= frames_[number].size();
        if (number == 0) frames_.pop_front();
        else frames_.pop_back();
    }

    /// What changed since the copy was made equal to the ECS.
    [[nodiscard]] Frame changes() {
        record_.clear();
        copy_->sync(record_, first());
        Frame frame{record_.packed(), nullptr, state_.times().wall};
        if (!record_.strings.empty())
            frame.strings = std::make_unique<Strings::Kept>(state_.tracking().strings, record_.strings);
        return frame;
    }

    /// Nothing is recorded until the next update.
    void lose(const FirstError& why) noexcept {
        copy_.reset();
        frames_.clear();
        back_ = bytes_ = 0;
        holds_ = false;
        failure_ = why;
    }
    /// Records from the present state on.
    void start() {
        lose({});
        copy_.emplace(state_.ecs, options_.without, host_);
        Rollback rollback([&] { copy_.reset(); });
        copy_->begin();
        rollback.cancel();
        present_ = state_.times().frame;
        restorations_ = state_.tracking().restorations;
    }
    // Whether the copy is one of this ECS.
    [[nodiscard]] bool is_current() const noexcept {
        const Tracking& tracking = state_.tracking();
        return copy_ && restorations_ == tracking.restorations && !tracking.any_missed();
    }
    [[nodiscard]] double first() const noexcept { return present_ - static_cast<double>(back_); }
    [[nodiscard]] double last() const noexcept { return first() + static_cast<double>(frames_.size()); }
    void require_recorded() {
        failure_.rethrow();
        if (!is_current()) start();
    }
    void require_current() {
        if (is_current()) return;
        if (!failure_.failed()) require_idle(state_.ecs, "Rewind");
        const StateLock lock(state_.ecs);
        require_recorded();
    }

    void roll_to(std::size_t to, Touched& touched) {
        for (; back_ > to; --back_, --present_) copy_->roll(frames_[back_ - 1].bytes, Side::before, touched);
        for (; back_ < to; ++back_, ++present_) copy_->roll(frames_[back_].bytes, Side::after, touched);
    }

    StateAccess state_;
    RewindOptions options_;
    RecordingHost* host_;
    std::optional<StateCopy> copy_;
    Record record_;
    std::deque<Frame> frames_;
    std::size_t back_ = 0;   // how many of them are before the present one
    std::size_t bytes_ = 0;  // of all
    double present_ = 0;     // the number of the update after which the state was that of the copy
    bool holds_ = false;     // whether updates of the paused ECS belong to the present frame
    bool stayed_ = false;    // whether the last update belonged to the present frame
    std::uint32_t restorations_ = 0;
    FirstError failure_;
    bool ended_ = false;  // the ECS does not exist any more
};

/// Rolls the copy to a frame, and back unless the ECS is made equal to it.
class Recording::Roll {
public:
    Roll(std::shared_ptr<Frames> of, std::size_t to)
        : kept_(std::move(of)), times_(kept_->copy().times()), from_(kept_->back()), frames_(*kept_) {
        frames_.roll(to, rolled_);
    }
    ~Roll() {
        if (!arrived_) frames_.failed(times_, from_);
    }
    Roll(const Roll&) = delete;
    Roll& operator=(const Roll&) = delete;

private:
    std::shared_ptr<Frames> kept_;  // a callback may destroy the recording
    std::vector<ChangeList::Time> times_;
    std::size_t from_;
    bool arrived_ = false;

protected:
    void arrive() noexcept {
        arrived_ = true;
        frames_.arrived();
    }
    Frames& frames_;
    Touched rolled_;
};

class Recording::Steps final : Roll, public CopyExchange {
public:
    Steps(std::shared_ptr<Frames> of, std::size_t to, bool shows)
        : Roll(std::move(of), to),
          CopyExchange(frames_.ecs(), frames_.copy(), rolled_, frames_.has_host()),
          shows_(shows) {}
    void exchange() override {
        CopyExchange::exchange();
        arrive();
        if (!shows_) return;
        frames_.ecs().set_paused(true);
        frames_.hold();
    }

private:
    bool shows_;
};

Recording::Recording(ECS& of, const RewindOptions& options, RecordingHost* host)
    : frames_(std::make_shared<Frames>(of, options, host)) {}
Recording::~Recording() = default;
double Recording::oldest() { return frames_->oldest(); }
double Recording::newest() { return frames_->newest(); }
std::size_t Recording::bytes_of(double frame, const char* call) { return frames_->bytes_of(frame, call); }
std::vector<Unrecorded> Recording::unrecorded(std::size_t most) { return frames_->unrecorded(most); }
std::unique_ptr<StateSteps> Recording::go(double frame, bool shows) {
    return std::make_unique<Steps>(frames_, frames_->position(frame, shows ? "show" : "to"), shows);
}

}  // namespace internal

Rewind::Rewind(ECS& ecs, const RewindOptions& options)
    : ecs_(&ecs), made_(std::make_unique<internal::Recording>(ecs, options)) {}
Rewind::Rewind(Rewind&&) noexcept = default;
Rewind& Rewind::operator=(Rewind&&) noexcept = default;
Rewind::~Rewind() = default;
double Rewind::oldest() { return made_->oldest(); }
double Rewind::newest() { return made_->newest(); }
std::size_t Rewind::bytes_of(double frame) { return made_->bytes_of(frame, "bytes_of"); }
void Rewind::to(double frame) { go(frame, false); }
void Rewind::show(double frame) { go(frame, true); }
void Rewind::go(double frame, bool shows) {
    internal::require_idle(*ecs_, shows ? "show" : "to");
    std::unique_ptr<internal::StateSteps> steps;  // outlives the lock, so that destructors of values may use the ECS
    const internal::StateLock lock(*ecs_);
    steps = made_->go(frame, shows);
    steps->prepare();
    steps->exchange();
    steps->finish();
}

}  // namespace crateful
