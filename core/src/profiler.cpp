#include "crateful/profiler.hpp"

#include <algorithm>
#include <numeric>

namespace crateful {

std::size_t Profiler::clock(std::string_view group, std::string_view name) {
    const auto found = std::find_if(clocks_.begin(), clocks_.end(),
                                    [&](const auto& c) { return c->group == group && c->name == name; });
    if (found != clocks_.end()) return static_cast<std::size_t>(found - clocks_.begin());
    clocks_.push_back(std::make_unique<Clock>());
    clocks_.back()->group = group;
    clocks_.back()->name = name;
    return clocks_.size() - 1;
}

void Profiler::add(std::size_t at, double start, double duration) {
    Clock& c = *clocks_[at];
    c.frame += duration;
    c.ran = true;
    spans_.push_back({&c.group, &c.name, start, duration});
}

void Profiler::record(std::string_view group, std::string_view name, double start, double duration) {
    if (enabled) add(clock(group, name), start, duration);
}

void Profiler::finish_frame() {
    for (const auto& c : clocks_) {
        if (!c->ran) continue;
        double& oldest = c->window[c->frames++ % WINDOW];
        oldest = c->last = c->frame;
        c->sum = std::accumulate(std::begin(c->window), std::end(c->window), 0.0);
        c->frame = 0;
        c->ran = false;
    }
    last_spans_.swap(spans_);
    spans_.clear();
}

std::vector<Profiler::Group> Profiler::report() const {
    std::vector<Group> groups;
    const auto larger = [](const Reading& a, const Reading& b) { return a.average > b.average; };
    each_reading([&](const std::string& group, Reading reading) {
        const auto same = [&](const Group& g) { return g.name == group; };
        auto at = std::find_if(groups.begin(), groups.end(), same);
        if (at == groups.end()) at = groups.insert(at, {group, {}});
        const auto place = std::upper_bound(at->clocks.begin(), at->clocks.end(), reading, larger);
        at->clocks.insert(place, std::move(reading));
    });
    return groups;
}

void Profiler::clear() {
    spans_.clear();
    last_spans_.clear();
    for (const auto& c : clocks_) {  // the clocks are kept, because one may be running
        c->frames = 0;
        c->ran = false;
        c->sum = c->frame = c->last = 0;
        std::fill(std::begin(c->window), std::end(c->window), 0.0);
    }
}

}  // namespace crateful
