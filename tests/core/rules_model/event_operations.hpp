// Random operations with events, and the calls of their handlers.
#pragma once
#include "iterations.hpp"

namespace test::rules_model {

class EventOperations : public Iterations {
public:
    using Iterations::Iterations;

    void use_events() {
        int k = random.below(8);
        if (k == 0 && handlers.size() < 5) {
            auto h = std::make_shared<Handler>();
            h->id = next_handler++;
            h->transient = random.chance(50);
            log("subscribe %d", h->id);
            Handler* p = h.get();
            h->unsubscribe =
                ecs->events.subscribe<int>([this, p](const int& v) { handle(*p, v); },
                                           h->transient ? Subscription::transient : Subscription::permanent);
            handlers.push_back(h);
            subscribed.push_back(h);
        } else if (k == 1 && !handlers.empty()) {
            auto h = handlers[random_index(handlers)];
            log("unsubscribe %d", h->id);
            h->active = false;
            std::erase(handlers, h);
            h->unsubscribe();
            if (random.chance(30)) h->unsubscribe();
        } else if (k == 2) {
            if (!collecting) {
                ecs->events.collect<int>();
                collecting = true;
            } else if (random.chance(50)) {
                ecs->events.inbox<int>().clear();
                inbox.clear();
            }
        } else if (k < 5) {
            double d = (1 + random.below(6)) / 64.0;
            int v = random.below(1000);
            if (updating && !due_now) return;
            log("dispatch %d delay %g", v, d);
            queue.push_back({game_time + d, next_sequence++, v});
            ecs->events.dispatch<int>(v, d);
        } else {
            int v = random.below(1000) + 1000;
            log("dispatch %d", v);
            if (collecting) inbox.push_back(v);
            auto list = handlers;
            deliveries.push_back({v, list, 0});
            Call f{"dispatch", {}};
            run_call(f, [&] { ecs->events.dispatch<int>(v); });
            finish_delivery();
            compare(false);
        }
    }
    void finish_delivery() {
        auto& d = deliveries.back();
        for (; d.at < d.list.size(); ++d.at)
            if (d.list[d.at]->active) fail("V1: handler was not called");
        deliveries.pop_back();
    }
    void handle(Handler& h, int v) {
        stop_if_failed();
        know_game_time();
        log("handler %d of %d", h.id, v);
        ++replay.counts["handler"];
        if (!h.active) fail("V2: unsubscribed handler was called");
        if (deliveries.empty() || deliveries.back().value != v ||
            (v < 1000 && calls.back()->kind == std::string("update") && done_delivery(h))) {  // delayed
            if (!(updating && calls.back()->kind == std::string("update"))) fail("unexpected event");
            if (!deliveries.empty()) finish_delivery();
            auto i = std::min_element(queue.begin(), queue.end());
            // The events before it had no handlers.
            if (i == queue.end()) fail("V1: event from nowhere");
            while (i != queue.end() && i->value != v) {
                if (i->due > game_time) fail("V1: early");
                if (collecting) inbox.push_back(i->value);
                queue.erase(i);
                i = std::min_element(queue.begin(), queue.end());
            }
            if (i == queue.end()) fail("V1: event from nowhere");
            if (i->due > game_time) fail("V1: early");
            if (collecting) inbox.push_back(v);
            queue.erase(i);
            deliveries.push_back({v, handlers, 0});
        }
        auto& d = deliveries.back();
        while (d.at < d.list.size() && d.list[d.at].get() != &h) {
            if (d.list[d.at]->active) fail("V1: order of handlers");
            ++d.at;
        }
        if (d.at == d.list.size()) fail("V1: handler called twice");
        ++d.at;
        maybe_throw(5);
    }
    bool done_delivery(Handler& h) {
        auto& d = deliveries.back();
        for (std::size_t i = d.at; i < d.list.size(); ++i)
            if (d.list[i].get() == &h) return false;
        return true;
    }
    void flush_delivery(bool due = false) {
        while (!deliveries.empty()) finish_delivery();
        if (updating && !due) return;
        if (!queue.empty()) {
            std::sort(queue.begin(), queue.end());
            while (!queue.empty() && queue.front().due <= game_time) {
                if (collecting) inbox.push_back(queue.front().value);
                queue.erase(queue.begin());
            }
        }
    }
};

}  // namespace test::rules_model
