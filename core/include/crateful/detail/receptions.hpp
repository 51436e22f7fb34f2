#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "crateful/events.hpp"

namespace crateful::internal {

/// The subscriptions of one system: they begin when it is added, and end when it is removed. Its functions are virtual, so that a
/// program without such a system links without their code.
class Receptions {
public:
    using Subscribe = std::function<EventsManager::Unsubscribe(EventsManager&)>;

    Receptions() = default;
    Receptions(const Receptions&) = delete;
    Receptions& operator=(const Receptions&) = delete;
    virtual ~Receptions() { end(); }

    /// Adds a subscription, which begins now if the system was added already. `events` is nullptr before.
    void add(Subscribe subscribe, EventsManager* events) {
        ends_.reserve(ends_.size() + 1);
        if (events != nullptr) ends_.push_back(subscribe(*events));
        else waiting_.push_back(std::move(subscribe));
    }
    /// The system is being added.
    virtual void begin(EventsManager& events) {
        ends_.reserve(waiting_.size());
        for (const Subscribe& subscribe : waiting_) ends_.push_back(subscribe(events));
    }
    /// The system was removed, or could not be added.
    virtual void end() noexcept {
        for (const EventsManager::Unsubscribe& unsubscribe : std::exchange(ends_, {})) unsubscribe();
    }

    /// The inboxes among them, in the order of their construction (rule N1). They exist as long as the system.
    struct Inbox {
        EventType type;
        EventInbox* events;
    };
    std::vector<Inbox> inboxes;
    /// They empty the inboxes that keep nothing while the system is skipped.
    std::vector<std::function<void()>> skipped;

private:
    std::vector<Subscribe> waiting_;
    std::vector<EventsManager::Unsubscribe> ends_;
};

}  // namespace crateful::internal
