#include "state_texts.hpp"

#include <algorithm>

#include "format.hpp"

namespace crateful::internal {

// --- systems --------------------------------------------------------------------------------------

// The head is behind the dirty set, so that only it is recorded if the set stays as it is.
void write_system(std::vector<std::byte>& to, SystemBase& system) {
    DirtySet& dirty = system.dirty_set();
    Writer out(to);
    for (const Entity e : dirty.set().entities()) {
        out.put(e);
        if (dirty.causes().kept()) out.put(dirty.causes().data()[index_of(e)]);
    }
    out.put(StateAccess::elapsed(system));
    out.put(system.enabled());
    out.put(dirty.causes().kept());
    out.put(dirty.keeps_order());
}

void read_system(std::span<const std::byte> from, SystemPlan& plan) {
    constexpr std::size_t HEAD = sizeof(double) + 3 * sizeof(bool);
    Reader head(from.last(HEAD));
    plan.elapsed = head.get<double>();
    plan.enabled = head.get<bool>();
    plan.keeps_causes = head.get<bool>();
    plan.keeps_order = head.get<bool>();
    Reader in(from.first(from.size() - HEAD));
    while (!in.done()) {
        plan.dirty.push_back(in.get<Entity>());
        if (plan.keeps_causes) plan.causes.push_back(in.get<std::uint32_t>());
    }
}

// --- events ---------------------------------------------------------------------------------------

std::vector<std::byte> write_waiting(const StateAccess& state, std::span<const CopiedSystem> systems,
                                     std::span<const std::string> without, const HostEvents& host) {
    const auto has_inboxes = [](const CopiedSystem& copied) {
        return copied.system != nullptr && !StateAccess::inboxes(*copied.system).empty();
    };
    const bool empty_host = host.queued.empty() && host.inboxes.empty();
    if (empty_host && state.queue() == nullptr && std::none_of(systems.begin(), systems.end(), has_inboxes)) return {};
    EventWriter events("Rewind", without);
    std::vector<std::byte> bytes;
    Writer to(bytes);
    write_events(to, state, events, host);
    for (const CopiedSystem& copied : systems) {
        if (copied.system != nullptr) write_inboxes(to, *copied.system, events, host);
    }
    return bytes;
}

void read_waiting(std::span<const std::byte> from, const StateAccess& state, std::span<const std::string> without,
                  bool has_host, EventsPlan& events, std::span<SystemPlan> plans) {
    std::vector<std::byte> none;
    if (from.empty()) {  // there were none yet
        Writer to(none);
        for (std::size_t k = 0; k < 2 + plans.size(); ++k) write_count(to, 0);
        from = none;
    }
    const RestoreOptions options;
    const std::vector<std::string_view> left_out(without.begin(), without.end());
    Reader reader(from, "to");
    const EventReader classes(reader, options, left_out, has_host);
    events.read(state, classes);
    std::vector<HostEvents::Inbox> host;
    for (SystemPlan& plan : plans) read_inboxes(classes, plan, host);
    events.host.systems = true;
    events.host.without.assign(without.begin(), without.end());
    for (HostEvents::Inbox& box : host) events.host.inboxes.push_back(std::move(box));
}

}  // namespace crateful::internal
