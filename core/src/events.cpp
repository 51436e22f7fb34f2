#include "crateful/events.hpp"

#include <cmath>
#include <mutex>
#include <utility>
#include <vector>

#include "crateful/detail/first_error.hpp"
#include "crateful/detail/message.hpp"
#include "crateful/detail/mutex.hpp"

namespace crateful {

namespace {
// Worlds in several threads use it (rule M3).
struct EventClasses {
    internal::Mutex mutex;
    std::vector<internal::EventClass> all;
};
EventClasses& event_classes() {
    static EventClasses classes;
    return classes;
}
}  // namespace

internal::EventType internal::add_event_class(const EventClass& cls) {
    auto& [mutex, all] = event_classes();
    const std::lock_guard lock(mutex);
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (cls.cls == nullptr || all[k].cls != cls.cls) continue;
        if (all[k].bytes != cls.bytes) fail_shared("event", cls.name);
        return static_cast<EventType>(k);
    }
    all.push_back(cls);
    return static_cast<EventType>(all.size() - 1);
}
internal::EventClass internal::event_class(EventType type) {
    auto& [mutex, all] = event_classes();
    const std::lock_guard lock(mutex);
    return all[type];
}
internal::EventType internal::event_class_count() {
    auto& [mutex, all] = event_classes();
    const std::lock_guard lock(mutex);
    return static_cast<EventType>(all.size());
}

void EventsManager::check_delay(double delay) {
    if (!std::isfinite(delay) || delay < 0) {
        internal::fail(ErrorCode::bad_argument,
                       {"dispatch: the delay must be a finite, non-negative number of seconds, not ",
                        internal::number_text(delay)});
    }
}

EventsManager::Store& EventsManager::store() {
    if (!store_) {
        store_ = std::make_shared<Store>();
        store_->operations = operations_ != nullptr ? operations_ : &store_->own;
    }
    return *store_;
}

EventsManager::Unsubscribe EventsManager::Store::subscribe(internal::EventType type,
                                                           std::function<void(const void*)> call,
                                                           Subscription subscription, std::function<void()> cleared) {
    const std::uint64_t id = next_id++;
    auto added = std::make_shared<Handler>(Handler{id, subscription, true, std::move(call), std::move(cleared)});
    Unsubscribe end = [weak = weak_from_this(), type, id] {
        const auto store = weak.lock();
        if (!store) return;
        std::shared_ptr<Handler>
            removed;  // destroyed last, because the destructor of what it captured may use the events
        std::erase_if(store->handlers[type], [&](const auto& handler) {
            if (handler->id != id) return false;
            handler->active = false;  // a dispatch that is running skips it
            removed = handler;
            return true;
        });
    };
    handlers[type].push_back(std::move(added));  // last: nothing else can fail
    return end;
}

void EventsManager::Store::require_unobserved() const { operations->require_unobserved("dispatch"); }

void EventsManager::Store::deliver(internal::EventType type, const void* event) {
    operations->require_room();
    for (auto* l = listeners; l != nullptr; l = l->next) l->delivered(type);
    FirstError error;
    if (const auto box = inboxes.find(type); box != inboxes.end()) box->second->push(event);
    if (const auto found = handlers.find(type); found != handlers.end()) {
        const auto receivers = found->second;  // a copy, because handlers may subscribe and unsubscribe
        internal::Operation callbacks(*operations);
        for (const auto& handler : receivers) {
            operations->calls("dispatch", nullptr);
            if (handler->active) error.guard([&] { handler->call(event); });
        }
    }
    error.rethrow();
}

// Seconds. Deltas that should add up to the delay can be less by a rounding error.
static constexpr double TOLERANCE = 1e-9;

void EventsManager::Store::advance(double game_time) {
    FirstError error;
    while (!queue.empty() && queue.begin()->first <= game_time + TOLERANCE) {
        const Queued due = std::move(queue.begin()->second);
        queue.erase(queue.begin());
        error.guard([&] { deliver(due.type, due.event.get()); });
    }
    error.rethrow();
}

void EventsManager::Store::clear() {
    // What is removed is destroyed last, because destructors may use the events.
    const auto removed_events = std::exchange(queue, {});
    std::vector<std::shared_ptr<Handler>> removed_handlers;
    for (auto& [type, receivers] : handlers) {
        std::erase_if(receivers, [&](const auto& handler) {
            if (handler->subscription != Subscription::transient) return false;
            handler->active = false;
            removed_handlers.push_back(handler);
            return true;
        });
    }
    for (auto& [type, box] : inboxes) box->clear();
    std::vector<std::shared_ptr<Handler>> emptied;  // a list of its own, because destructors of events may subscribe
    for (auto& [type, receivers] : handlers) {
        for (const auto& handler : receivers) {
            if (handler->cleared) emptied.push_back(handler);
        }
    }
    for (const auto& handler : emptied) {
        if (handler->active) handler->cleared();
    }
}

}  // namespace crateful
