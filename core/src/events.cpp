#include "crateful/events.hpp"

#include <cmath>

#include "crateful/detail/first_error.hpp"
#include "crateful/error.hpp"
#include "number_text.hpp"

namespace crateful {

internal::EventType internal::next_event_type() noexcept {
    static EventType next = 0;
    return next++;
}

void EventsManager::check_delay(double delay) {
    if (!std::isfinite(delay) || delay < 0) {
        throw Error(ErrorCode::bad_argument,
                    "dispatch: the delay must be a finite, non-negative number of seconds, not " + number_text(delay));
    }
}

EventsManager::Unsubscribe EventsManager::subscribe_erased(internal::EventType type,
                                                           std::function<void(const void*)> call,
                                                           Subscription subscription) {
    const std::uint64_t id = next_id_++;
    (*handlers_)[type].push_back(std::make_shared<Handler>(Handler{id, subscription, true, std::move(call)}));
    return [weak = std::weak_ptr<Handlers>(handlers_), type, id] {
        const auto handlers = weak.lock();
        if (!handlers) return;
        std::erase_if((*handlers)[type], [id](const auto& handler) {
            if (handler->id == id) handler->active = false;  // a dispatch that is running skips it
            return handler->id == id;
        });
    };
}

void EventsManager::deliver(internal::EventType type, const void* event) {
    FirstError error;
    if (const auto box = inboxes_.find(type); box != inboxes_.end()) box->second->push(event);
    if (const auto found = handlers_->find(type); found != handlers_->end()) {
        const auto handlers = found->second;  // a copy, because handlers may subscribe and unsubscribe
        for (const auto& handler : handlers) {
            if (handler->active) error.guard([&] { handler->call(event); });
        }
    }
    error.rethrow();
}

void EventsManager::advance(double game_time) {
    now_ = game_time;
    FirstError error;
    while (!queue_.empty() && queue_.begin()->first <= now_) {
        const Queued due = std::move(queue_.begin()->second);
        queue_.erase(queue_.begin());
        error.guard([&] { deliver(due.type, due.event.get()); });
    }
    error.rethrow();
}

void EventsManager::clear() {
    queue_.clear();
    for (auto& [type, box] : inboxes_) box->clear();
    for (auto& [type, handlers] : *handlers_) {
        std::erase_if(handlers, [](const auto& handler) {
            if (handler->subscription != Subscription::transient) return false;
            handler->active = false;
            return true;
        });
    }
}

}  // namespace crateful
