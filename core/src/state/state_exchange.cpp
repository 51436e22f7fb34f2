#include "state_exchange.hpp"

#include <algorithm>

#include "crateful/detail/insertion_sort.hpp"

namespace crateful::internal {

void StateExchange::sort(std::vector<std::uint64_t>& list) {
    if (std::is_sorted(list.begin(), list.end())) return;
    std::make_heap(list.begin(), list.end());
    std::sort_heap(list.begin(), list.end());
}

// So that what differs afterwards can become dirty, and be tracked.
void StateExchange::reserve_systems(std::span<SystemPlan> plans, std::size_t indices, const char* call) {
    sort(marks_);
    for (SystemBase* system : tracking().systems()) {
        if (!system->required().empty()) systems_.push_back(system);
    }
    if (systems_.empty() && plans.empty()) return;
    insertion_sort(systems_, [](const SystemBase* a, const SystemBase* b) { return a->runs_before(*b); });
    std::vector<std::uint64_t> touched(different_.begin(), different_.end());
    for (const std::uint64_t mark : marks_) touched.push_back(index_of_mark(mark));
    sort(touched);
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    const auto tracks_later = [&](const SystemBase& system, std::uint32_t i) {
        return later(i) != NONE && selects_later(system, i);
    };
    std::vector<Entity> tracked;
    for (SystemBase* system : systems_) {
        tracked.clear();
        for (const std::uint64_t each : touched) {
            const auto i = static_cast<std::uint32_t>(each);
            if (tracks_later(*system, i)) tracked.push_back(later(i));
        }
        system->tracked().reserve(tracked);
        if (system->watches_any()) system->dirty_set().set().reserve(tracked);
    }
    for (SystemPlan& plan : plans) {
        const auto tracks = [&](Entity e) {
            return later(index_of(e)) == e && selects_later(*plan.system, index_of(e));
        };
        SystemChange(plan).prepare(tracks, indices, touched.size(), call);
    }
}

void StateExchange::stop_tracking(FirstError& error) {
    if (systems_.empty()) return;
    for (const std::uint32_t i : different_) {
        const Entity e = pool().at(i);
        if (e == NONE) continue;
        for (SystemBase* system : systems_) {
            if (system->tracks(e) && !(later(i) == e && selects_later(*system, i))) stop(*system, e, error);
        }
    }
}

void StateExchange::exchange_time(const TimeState& time) const {
    times() = time.times;
    ecs.set_paused(time.paused);
    ecs.slow_motion().style = time.style;
    set_slow_motion(time.slow_motion);
    set_now(time.times.game);
}

void StateExchange::report_exchange() const {
    for (FrameListener* l = first_listener(); l != nullptr; l = l->next) l->before_exchange(*this);
    Host* const host = tracking().host;
    for (const std::uint32_t i : different_) {
        const Entity e = pool().at(i);
        if (host == nullptr || e == NONE || later(i) == e) continue;
        if ((*pool().signature(e) & EntityPool::NOTIFIES_REMOVAL) != 0) host->entity_destroyed(e);
    }
}

void StateExchange::start_tracking(FirstError& error) {
    if (systems_.empty() && marks_.empty()) return;
    auto mark_at = marks_.begin();
    auto different_at = different_.begin();
    while (mark_at != marks_.end() || different_at != different_.end()) {
        const bool is_mark =
            different_at == different_.end() || (mark_at != marks_.end() && index_of_mark(*mark_at) <= *different_at);
        const std::uint32_t i = is_mark ? index_of_mark(*mark_at) : *different_at;
        const Entity e = later(i);
        for (; mark_at != marks_.end() && index_of_mark(*mark_at) == i; ++mark_at)
            error.guard([&] { signal(*mark_at, e); });
        if (different_at == different_.end() || *different_at != i) continue;
        ++different_at;
        for (SystemBase* system : systems_) {
            if (e != NONE && selects_later(*system, i)) start(*system, e, error);
        }
    }
}

void StateExchange::signal(std::uint64_t of, Entity e) {
    const ComponentClass& cls = *tracking().find_class(static_cast<std::uint32_t>(of) >> 1);
    mark(cls, e);
    if ((of & 1) != 0) tracking().presence_changed(e, cls);
    if (cls.storage->type().id == PARENT_ID) tracking().parent_changed(e);
}

}  // namespace crateful::internal
