#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <optional>
#include <utility>

#include "crateful/system.hpp"

namespace crateful {

/// What happens to the events of an inbox in a frame in which an update skips its system because of `when`, a pause, a replay, or because
/// it is disabled.
enum class WhileSkipped : unsigned char {
    keep,  ///< they accumulate
    drop   ///< they are discarded, as the clicks on a menu while the game is paused
};

/// The events of type E for one system, as a member of it (rule V3). Iterating it takes the events out, each when the loop's body
/// for it begins:
///
///     struct Scores : System<> {
///         Inbox<Smashed> smashed{*this};
///         Scores() { require_none(); }
///         void update(double) override {
///             for (const Smashed& event : smashed) points += event.points;
///         }
///     };
///
/// It collects from when the system is added until it is removed. Events that are dispatched during the loop stay for the next one,
/// and so does what was not taken out. While the system does not run, events accumulate; beyond the limit, the oldest are dropped.
/// `ECS::clear` empties it.
template <class E>
class Inbox {
public:
    /// How many events an inbox holds by default.
    static constexpr std::size_t LIMIT = 65'536;

    /// Call it in the initialiser of a member: `Inbox<Smashed> smashed{*this}`. `limit` is how many events it holds, at least 1.
    /// `Inbox<Mouse> mouse{*this, WhileSkipped::drop}` is emptied each time that the system is skipped, when it is its turn.
    explicit Inbox(SystemBase& system, std::size_t limit = LIMIT, WhileSkipped skipped = WhileSkipped::keep)
        : limit_(limit < 1 ? 1 : limit), waiting_(&system.waiting_events_) {
        const bool drops = skipped == WhileSkipped::drop;
        system.template receive_<E>([this](const E& event) { push(event); }, [this] { clear(); }, drops);
        system.add_inbox_(internal::event_type<E>(), held_);
    }
    Inbox(SystemBase& system, WhileSkipped skipped) : Inbox(system, LIMIT, skipped) {}
    Inbox(const Inbox&) = delete;
    Inbox& operator=(const Inbox&) = delete;

    /// How many events there are. Takes none out.
    [[nodiscard]] std::size_t size() const noexcept { return held_.events.size(); }
    /// Whether there is no event.
    [[nodiscard]] bool empty() const noexcept { return held_.events.empty(); }
    /// Discards all events.
    void clear() {
        *waiting_ -= size();
        taken_ += size();
        held_.clear();
    }
    /// How many events were dropped, because there were more than the limit.
    [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }

    /// A loop over the inbox, as `begin()` starts it. It contains the event that was taken out last.
    class Iterator {
    public:
        using iterator_concept = std::input_iterator_tag;
        using difference_type = std::ptrdiff_t;
        using value_type = E;

        /// See `Inbox::begin`.
        explicit Iterator(Inbox& inbox) : inbox_(&inbox), end_(inbox.taken_ + inbox.size()) { ++*this; }
        [[nodiscard]] const E& operator*() const noexcept { return *event_; }
        Iterator& operator++() {
            event_.reset();
            if (!inbox_->empty() && inbox_->taken_ < end_) {
                event_.emplace(std::move(inbox_->held_.events.front()));
                inbox_->held_.events.pop_front();
                ++inbox_->taken_;
                --*inbox_->waiting_;
            }
            return *this;
        }
        void operator++(int) { ++*this; }
        [[nodiscard]] bool operator==(std::default_sentinel_t) const noexcept { return !event_; }

    private:
        Inbox* inbox_;
        std::uint64_t end_;  // the number of the first event that it does not take
        std::optional<E> event_;
    };
    /// Takes the first event out.
    [[nodiscard]] Iterator begin() { return Iterator(*this); }
    /// See `begin()`.
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

private:
    void push(const E& event) {
        std::deque<E>& events = held_.events;
        events.push_back(event);
        if (events.size() <= limit_) {
            ++*waiting_;
            return;
        }
        [[maybe_unused]] const E oldest =
            std::move(events.front());  // destroyed last: its destructor may use the events
        events.pop_front();
        ++taken_;
        ++dropped_;
    }

    std::size_t limit_;
    std::size_t* waiting_;  // of the system
    internal::EventInboxOf<E, std::deque<E>> held_;
    std::uint64_t taken_ = 0;  // how many of the events that it received are in it no longer
    std::uint64_t dropped_ = 0;
};

}  // namespace crateful
