#include "state_texts.hpp"

#include <algorithm>

#include "format.hpp"

namespace crateful::internal {

// --- systems --------------------------------------------------------------------------------------

namespace {
struct Switches {
    double elapsed;
    std::uint64_t enabled;  // as long as the other one, so that there are no bytes between them
};
struct DirtyFlags {
    bool keeps_causes;
    bool keeps_order;
};
}  // namespace

void write_switches(std::vector<std::byte>& to, SystemBase& system) {
    Writer(to).put(Switches{StateAccess::elapsed(system), system.enabled() ? 1u : 0u});
}

void read_switches(std::span<const std::byte> from, std::size_t number, SystemPlan& plan) noexcept {
    const auto switches = Reader(from.subspan(number * sizeof(Switches))).get<Switches>();
    plan.elapsed = switches.elapsed;
    plan.enabled = switches.enabled != 0;
}

void write_dirty(std::vector<std::byte>& to, SystemBase& system) {
    DirtySet& dirty = system.dirty_set();
    Writer out(to);
    out.put(DirtyFlags{dirty.causes().kept(), dirty.keeps_order()});
    const std::span<const Entity> entities = dirty.set().entities();
    if (!dirty.causes().kept()) return out.array(entities);
    for (const Entity e : entities) {
        out.put(e);
        out.put(dirty.causes().data()[index_of(e)]);
    }
}

void read_dirty(std::span<const std::byte> from, SystemPlan& plan) {
    if (from.empty()) return;
    Reader in(from);
    const auto flags = in.get<DirtyFlags>();
    plan.keeps_causes = flags.keeps_causes;
    plan.keeps_order = flags.keeps_order;
    while (!in.done()) {
        plan.dirty.push_back(in.get<Entity>());
        if (plan.keeps_causes) plan.causes.push_back(in.get<std::uint32_t>());
    }
}

// --- events ---------------------------------------------------------------------------------------

std::vector<std::byte> write_waiting(const StateAccess& state, std::span<const CopiedSystem> systems,
                                     std::span<const std::string> without, const HostEvents& host) {
    const auto has_inboxes = [](const CopiedSystem& copied) { return !StateAccess::inboxes(*copied.system).empty(); };
    const bool empty_host = host.queued.empty() && host.inboxes.empty();
    if (empty_host && state.queue() == nullptr && std::none_of(systems.begin(), systems.end(), has_inboxes)) return {};
    EventWriter events("Rewind", without);
    std::vector<std::byte> bytes;
    Writer to(bytes);
    write_events(to, state, events, host);
    for (const CopiedSystem& copied : systems) write_inboxes(to, *copied.system, events, host);
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
