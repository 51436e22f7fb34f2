#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "crateful/detail/event_class.hpp"
#include "crateful/detail/operation.hpp"

namespace crateful {

namespace internal {
class StateAccess;
}

/// How long a subscription exists (rule K1).
enum class Subscription : std::uint8_t {
    permanent,  ///< until it is unsubscribed
    transient,  ///< until it is unsubscribed or the ECS is cleared
};

/// The events of one ECS (rules V1, V2). Any copyable C++ type can be an event. There are two ways to receive events:
/// `subscribe` registers a handler that is called at dispatch; an inbox (`collect`) stores events until a system reads
/// them in its own update.
///
/// Snapshots contain events that wait (rule N1), if their class has a name: `static constexpr std::string_view type_name = "Hit"`. A
/// class that is trivially copyable needs no more; its bytes are copied, so it must not contain pointers or a `String`. Others have
/// `static std::vector<std::byte> encode(const Hit&)` and `static Hit decode(std::span<const std::byte>)`, which must not use the ECS;
/// `decode` throws if the bytes are not valid.
class EventsManager {
public:
    /// Ends a subscription. It may be called at any time, also in a handler, more than once, and after the ECS was
    /// destroyed.
    using Unsubscribe = std::function<void()>;

    /// Registers a handler that is called at each dispatch of an E, in the order of subscription. A handler that is
    /// added during a dispatch is called from the next dispatch on.
    template <class E>
    Unsubscribe subscribe(std::function<void(const E&)> handler, Subscription subscription = Subscription::permanent) {
        return store().subscribe(
            internal::event_type<E>(),
            [handler = std::move(handler)](const void* event) { handler(*static_cast<const E*>(event)); },
            subscription);
    }

    /// The same, and calls `cleared` when `clear()` removes events; for `Inbox`.
    template <class E>
    Unsubscribe subscribe(std::function<void(const E&)> handler, std::function<void()> cleared) {
        return store().subscribe(
            internal::event_type<E>(),
            [handler = std::move(handler)](const void* event) { handler(*static_cast<const E*>(event)); },
            Subscription::permanent, std::move(cleared));
    }

    /// Starts to collect events of type `E` in an inbox, which a system then reads in its own update; has no
    /// effect if they are collected already. Call it where the system is set up (for example in `init()`), so that
    /// no event is missed before the first `inbox<E>()`. The inbox exists as long as the ECS; `ECS::clear()` empties
    /// it.
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

    /// Delivers the event now. With a `delay` in seconds, delivers it at the start of the first update at which that
    /// much game time has passed. If handlers throw, the others are still called; then the first exception is rethrown
    /// (rule V2). Throws `bad_argument` unless the delay is finite and not negative.
    template <class E>
    void dispatch(E event, double delay = 0) {
        check_delay(delay);
        store().require_unobserved();
        if (delay > 0)
            store().queue.emplace(now_ + delay,
                                  Queued{internal::event_type<E>(), std::make_shared<E>(std::move(event))});
        else store().deliver(internal::event_type<E>(), std::addressof(event));
    }

    /// Sets the game time (in seconds) and delivers the events that are due, earliest first.
    void advance(double game_time) {
        now_ = game_time;
        if (store_) store_->advance(game_time);
    }
    /// Removes queued events, the contents of all inboxes, and transient subscriptions (rule K1).
    void clear() {
        if (store_) store_->clear();
    }
    /// The ECS is destroyed: removes everything, also what destructors of events add. For the ECS.
    void destroy_all() {
        while (store_) const std::shared_ptr<Store> removed = std::exchange(store_, nullptr);
    }
    /// Whether nothing was dispatched, subscribed or collected yet.
    [[nodiscard]] bool empty() const noexcept { return store_ == nullptr; }
    /// Sets the operations in progress of the ECS, to which calls of handlers belong (rule S6). For the ECS.
    void connect(internal::Operations& operations) noexcept { operations_ = &operations; }

private:
    friend class internal::StateAccess;
    struct Handler {
        std::uint64_t id;
        Subscription subscription;
        bool active;
        std::function<void(const void*)> call;
        std::function<void()> cleared;
    };
    struct Queued {
        internal::EventType type;
        std::shared_ptr<const void> event;
    };
    template <class E>
    using TypedInbox = internal::EventInboxOf<E, std::vector<E>>;
    // Exists from the first use of events on. `advance` and `clear` are virtual, so that a program that uses no C++ events
    // links without their code.
    struct Store : std::enable_shared_from_this<Store> {
        virtual ~Store() = default;
        virtual void advance(double game_time);
        virtual void clear();
        Unsubscribe subscribe(internal::EventType type, std::function<void(const void*)> call,
                              Subscription subscription, std::function<void()> cleared = {});
        void require_unobserved() const;
        void deliver(internal::EventType type, const void* event);

        internal::Operations own;  // without an ECS
        internal::Operations* operations = nullptr;

        std::map<internal::EventType, std::vector<std::shared_ptr<Handler>>> handlers;
        std::map<internal::EventType, std::unique_ptr<internal::EventInbox>> inboxes;
        std::multimap<double, Queued> queue;  // by the time at which they are due; equal ones keep their order
        internal::EventListener* listeners = nullptr;
        std::uint64_t next_id = 0;
    };
    [[nodiscard]] Store& store();
    template <class E>
    TypedInbox<E>& box() {
        auto& inboxes = store().inboxes;
        auto at = inboxes.find(internal::event_type<E>());
        if (at == inboxes.end())
            at = inboxes.emplace(internal::event_type<E>(), std::make_unique<TypedInbox<E>>()).first;
        return static_cast<TypedInbox<E>&>(*at->second);
    }
    static void check_delay(double delay);

    std::shared_ptr<Store> store_;  // shared, because an Unsubscribe may be called later
    internal::Operations* operations_ = nullptr;
    double now_ = 0;
};

}  // namespace crateful
