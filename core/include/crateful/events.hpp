#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace crateful {

namespace internal {
using EventType = std::uint32_t;
[[nodiscard]] EventType next_event_type() noexcept;
template <class E>
[[nodiscard]] EventType event_type() {
    static const EventType type = next_event_type();
    return type;
}
}  // namespace internal

/// How long a subscription lasts.
enum class Lasting : std::uint8_t { always, until_clear };

/// Typed events of one world (rule V1; seed 4): any C++ type is an event. Two ways to hear of one:
/// `subscribe` calls back at dispatch; an `inbox` keeps events for a system to drain in its own update.
class EventsManager {
public:
    using Unsubscribe = std::function<void()>;

    /// Calls `handler` at every dispatch of an `E`, in order of subscription. A handler added during a
    /// dispatch hears of the next one. The result may be called at any time, also inside a handler,
    /// and again, and after the world is gone.
    template <class E>
    Unsubscribe subscribe(std::function<void(const E&)> handler, Lasting lasting = Lasting::always) {
        return subscribe_erased(
            internal::event_type<E>(),
            [handler = std::move(handler)](const void* event) { handler(*static_cast<const E*>(event)); }, lasting);
    }

    /// Starts to collect events of type `E` in an inbox, which a system then reads in its own update; has no
    /// effect if they are collected already. Call it where the system is set up (for example in `init()`), so that
    /// no event is missed before the first `inbox<E>()`. The inbox exists as long as the ECS; `ECS::clear()` empties it.
    template <class E>
    void collect() {
        box<E>();
    }

    /// The events of type `E` that were dispatched since the inbox was last emptied, oldest first. The caller
    /// empties it (`clear()`). Events are collected from the first call of `collect<E>()` or `inbox<E>()` on. The
    /// reference stays valid as long as the ECS. O(log types).
    template <class E>
    std::vector<E>& inbox() {
        return box<E>().events;
    }

    /// Delivers `event` now or, with a delay, at the start of the first update by whose game time that
    /// many seconds have passed. If handlers throw, the others still run, then the first exception is
    /// rethrown (rule V2). Throws `bad_argument` for a delay that is not finite or is negative.
    template <class E>
    void dispatch(E event, double delay = 0) {
        check_delay(delay);
        auto held = std::make_shared<E>(std::move(event));
        if (delay > 0) {
            queue_.emplace(now_ + delay, Queued{internal::event_type<E>(), std::move(held)});
        } else {
            deliver(internal::event_type<E>(), held.get());
        }
    }

    /// Moves game time on and delivers what is due, earliest first.
    void advance(double game_time);
    /// Drops queued events, what inboxes hold, and subscriptions that last `until_clear` (rule K1).
    void clear();

private:
    struct Handler {
        std::uint64_t id;
        Lasting lasting;
        bool live;
        std::function<void(const void*)> call;
    };
    struct Queued {
        internal::EventType type;
        std::shared_ptr<const void> event;
    };
    struct Inbox {
        virtual ~Inbox() = default;
        virtual void push(const void* event) = 0;
        virtual void clear() = 0;
    };
    template <class E>
    struct TypedInbox final : Inbox {
        void push(const void* event) override { events.push_back(*static_cast<const E*>(event)); }
        void clear() override { events.clear(); }
        std::vector<E> events;
    };
    template <class E>
    TypedInbox<E>& box() {
        std::shared_ptr<Inbox>& box = inboxes_[internal::event_type<E>()];
        if (!box) box = std::make_shared<TypedInbox<E>>();
        return static_cast<TypedInbox<E>&>(*box);
    }
    using Handlers = std::map<internal::EventType, std::vector<std::shared_ptr<Handler>>>;

    Unsubscribe subscribe_erased(internal::EventType type, std::function<void(const void*)> call, Lasting lasting);
    void deliver(internal::EventType type, const void* event);
    static void check_delay(double delay);

    std::shared_ptr<Handlers> handlers_ = std::make_shared<Handlers>();  // shared: Unsubscribe may outlive us
    std::map<internal::EventType, std::shared_ptr<Inbox>> inboxes_;
    std::multimap<double, Queued> queue_;  // by due time; equal ones keep their order
    double now_ = 0;
    std::uint64_t next_id_ = 0;
};

}  // namespace crateful
