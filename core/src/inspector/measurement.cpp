#include "measurement.hpp"

#include <algorithm>

#include "crateful/detail/first_error.hpp"

namespace crateful::internal::inspector {
namespace {

constexpr std::size_t FRAMES = 120;
constexpr std::size_t EVENTS = 200;
constexpr double PATIENCE = 10'000;  // measuring ends when nothing was asked for so many milliseconds

[[nodiscard]] std::string name_of(EventType type) { return std::string(event_class(type).name); }

}  // namespace

void Measurement::start() {
    touch();
    if (on_) return;
    state_.make_event_store();
    on_ = true;
    was_enabled_ = std::exchange(state_.ecs.profiler.enabled, true);
    state_.add_listener(*this);
    EventListener::next = std::exchange(state_.event_listeners(), this);
}
void Measurement::stop() noexcept {
    if (!on_) return;
    on_ = false;
    state_.ecs.profiler.enabled = was_enabled_;
    state_.remove_listener(*this);
    EventListener** at = &state_.event_listeners();
    while (*at != this) at = &(*at)->next;
    *at = EventListener::next;
}
void Measurement::touch() noexcept { asked_ = steady_milliseconds(); }

void Measurement::frame_ended(bool destroyed) noexcept {
    if (destroyed) {
        on_ = false;
        return;
    }
    if (steady_milliseconds() - asked_ > PATIENCE) return stop();
    FirstError no_memory;  // then the frame is missing
    no_memory.guard([&] { add_frame(); });
}
void Measurement::add_frame() {
    Frame frame{state_.times().frame, 0};
    for (const Profiler::Span& span : state_.ecs.profiler.spans()) {
        if (*span.group == "Overall" && *span.name == "update") frame.total = rounded(span.duration);
        if (*span.group == "Systems") frame.times.emplace_back(clock(*span.name), rounded(span.duration));
    }
    frames_.push_back(std::move(frame));
    if (frames_.size() > FRAMES) frames_.pop_front();
}
std::size_t Measurement::clock(const std::string& name) {
    const auto at = std::find(clocks_.begin(), clocks_.end(), name);
    if (at != clocks_.end()) return static_cast<std::size_t>(at - clocks_.begin());
    clocks_.push_back(name);
    return clocks_.size() - 1;
}

void Measurement::delivered(EventType type) noexcept {
    FirstError no_memory;
    no_memory.guard([&] {
        ++counts_[type];
        events_.push_back({state_.times().frame, type});
        if (events_.size() > EVENTS) events_.pop_front();
    });
}

void Measurement::went_to(double frame) {
    while (!frames_.empty() && frames_.back().frame > frame) frames_.pop_back();
}

std::optional<std::map<std::string, double>> Measurement::averages() const {
    if (!on_) return std::nullopt;
    std::map<std::string, double> sums;
    for (const Frame& frame : frames_) {
        for (const auto& [number, time] : frame.times)
            sums[clocks_[number]] += time / static_cast<double>(frames_.size());
    }
    return sums;
}
Json Measurement::frames(double since, const Systems& systems) const {
    Json names = Json::array();
    for (const std::string& name : clocks_) names.push_back(systems.of_clock(name));
    Json list = Json::array();
    for (const Frame& frame : frames_) {
        if (frame.frame <= since) continue;
        Json times = Json::array();
        for (const auto& [number, time] : frame.times) times.push_back(Json::array({number, to_json(time)}));
        list.push_back({{"frame", to_json(frame.frame)}, {"total", to_json(frame.total)}, {"times", std::move(times)}});
    }
    return {{"systems", std::move(names)}, {"frames", std::move(list)}};
}

Json Measurement::events(std::size_t count) const {
    std::map<EventType, std::size_t> handlers = state_.handlers();
    for (const auto& [type, n] : counts_) handlers.try_emplace(type, 0);
    Json names = Json::array();
    for (const auto& [type, n] : handlers) {
        const auto found = counts_.find(type);
        names.push_back(
            {{"name", name_of(type)}, {"count", found == counts_.end() ? 0 : found->second}, {"handlers", n}});
    }
    Json last = Json::array();
    for (auto event = events_.rbegin(); event != events_.rend() && last.size() < count; ++event)
        last.push_back({{"frame", to_json(event->frame)}, {"name", name_of(event->type)}});
    Json delayed = Json::array();
    if (state_.queue() != nullptr) {
        for (const auto& [due, event] : *state_.queue()) {
            if (delayed.size() == count) break;
            delayed.push_back({{"name", name_of(event.type)}, {"due", to_json(due)}});
        }
    }
    return {{"names", std::move(names)}, {"events", std::move(last)}, {"delayed", std::move(delayed)}};
}

}  // namespace crateful::internal::inspector
