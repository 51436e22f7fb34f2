#include "systems.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "crateful/detail/message.hpp"

namespace crateful::internal {

namespace {

enum Flags : std::uint8_t { ENABLED = 1, KEEPS_CAUSES = 2, KEEPS_ORDER = 4 };

// The classes of a system whose signals are causes, in the order of their bits: those that it watches, then those that it watches only
// from ancestors.
struct Causes {
    explicit Causes(const SystemBase& system) {
        const std::vector<ComponentId>& watched = system.watched();
        for (const ComponentId id : watched) add(id);
        for (const ComponentId id : system.used_(ComponentUse::ancestors)) {
            const auto at = std::find(watched.begin(), watched.end(), id);
            moved |=
                DirtyCauses::bit(at == watched.end() ? names.size() : static_cast<std::size_t>(at - watched.begin()));
            if (at == watched.end()) add(id);
        }
    }
    std::vector<std::string_view> names;
    std::uint32_t moved = DirtyCauses::MOVED;  // what another parent counts as

private:
    void add(ComponentId id) {
        if (names.size() < DirtyCauses::MOST_CLASSES) names.push_back(registry::type(id).name);
    }
};

// The systems by name. Throws if one has no name of its own.
std::map<std::string, SystemBase*, std::less<>> by_name(const StateAccess& state, const char* call) {
    std::map<std::string, SystemBase*, std::less<>> found;
    for (SystemBase* system : state.recorded_systems()) {
        const std::string name = system->name();
        if (name.empty()) fail(ErrorCode::bad_argument, {call, ": systems: a system has no name; give it one"});
        if (!found.emplace(name, system).second) {
            fail(ErrorCode::bad_argument,
                 {call, ": systems: two systems have the name ", name, "; override `name` in one of them"});
        }
    }
    return found;
}

}  // namespace

// --- writing --------------------------------------------------------------------------------------

namespace {

void write_dirty(Writer& to, SystemBase& system, const EntityMap& map) {
    DirtySet& dirty = system.dirty_set();
    const std::span<const Entity> entities = dirty.set().entities();
    write_count(to, entities.size());
    write_mapped(to, entities, map);
    if (!dirty.causes().kept()) return;
    const Causes watched(system);
    write_count(to, watched.names.size());
    for (const std::string_view name : watched.names) to.text(name);
    std::vector<std::uint32_t> causes;
    for (const Entity e : entities) {
        const std::uint32_t cause = dirty.causes().data()[index_of(e)];
        // Whether the class of an ancestor is set, too, depends on what was reached before, and makes no difference.
        causes.push_back((cause & DirtyCauses::MOVED) != 0 ? cause | watched.moved : cause);
    }
    to.aligned(std::span<const std::uint32_t>(causes));
}

}  // namespace

void write_inboxes(Writer& to, const SystemBase& system, EventWriter& classes, const HostEvents& host) {
    std::vector<HostEvents::Inbox> boxes;
    for (const auto& [type, box] : StateAccess::inboxes(system)) {
        if (box->count() == 0 && event_class(type).codec == nullptr) continue;
        const EventCodec* codec = classes.codec(type);
        if (codec == nullptr) continue;
        boxes.push_back({{}, std::string(codec->name), {}});
        for (std::size_t k = 0; k < box->count(); ++k)
            boxes.back().events.push_back(classes.encoded(*codec, box->at(k)));
    }
    const std::string name = system.name();
    for (const HostEvents::Inbox& box : host.inboxes) {
        if (box.system == name) boxes.push_back(box);
    }
    write_count(to, boxes.size());
    for (const HostEvents::Inbox& box : boxes) {
        to.text(box.name);
        write_count(to, box.events.size());
        for (const auto& bytes : box.events) write_bytes(to, bytes);
    }
}

void write_systems(Writer& to, const StateAccess& state, EventWriter& classes, const HostEvents& host,
                   const EntityMap& map) {
    static_cast<void>(by_name(state, "snapshot"));
    const std::vector<SystemBase*> systems = state.recorded_systems();
    write_count(to, systems.size());
    for (SystemBase* system : systems) {
        to.text(system->name());
        const bool causes = system->dirty_set().causes().kept();
        to.put(static_cast<std::uint8_t>((system->enabled() ? ENABLED : 0) | (causes ? KEEPS_CAUSES : 0) |
                                         (system->dirty_set().keeps_order() ? KEEPS_ORDER : 0)));
        to.put(StateAccess::elapsed(*system));
        write_count(to, system->tracked().size());
        write_mapped(to, system->tracked().entities(), map);
        write_dirty(to, *system, map);
        write_inboxes(to, *system, classes, host);
    }
}

// --- reading --------------------------------------------------------------------------------------

namespace {

class SystemsReader {
public:
    SystemsReader(const StateAccess& state, const EventReader& classes, const RestoreOptions& options,
                  std::span<const Entity> handles)
        : state_(state),
          classes_(classes),
          from_(classes.from()),
          options_(options),
          handles_(handles),
          systems_(by_name(state, "restore")),
          found_(handles.size()) {}

    SystemsPlan read() {
        const std::uint32_t n = classes_.count();
        for (std::uint32_t k = 0; k < n; ++k) read_system();
        return std::move(plan_);
    }

private:
    void read_system() {
        const std::string_view stored = from_.text();
        if (!names_.emplace(stored, true).second) from_.fail("a system is listed twice: ", stored);
        SystemPlan plan{find(stored), false, 0, {}, {}, false, {}, {}};
        const auto flags = from_.get<std::uint8_t>();
        plan.enabled = (flags & ENABLED) != 0;
        plan.keeps_causes = (flags & KEEPS_CAUSES) != 0;
        plan.keeps_order = (flags & KEEPS_ORDER) != 0;
        plan.elapsed = from_.get<double>();
        const bool possible = plan.elapsed >= 0 && plan.elapsed <= std::numeric_limits<double>::max();
        if (flags > (ENABLED | KEEPS_CAUSES | KEEPS_ORDER) || !possible)
            from_.fail("the state of a system is not possible");
        plan.tracked = from_.aligned<Entity>(from_.get<std::uint32_t>());
        set_found(plan.tracked);
        read_dirty(plan);
        for (const Entity e : plan.tracked) found_[index_of(e)] = false;
        read_inboxes(classes_, plan, plan_.host);
        if (plan.system != nullptr) plan_.systems.push_back(std::move(plan));
    }

    SystemBase* find(std::string_view stored) const {
        const auto& ignore = options_.ignore;
        if (std::find(ignore.begin(), ignore.end(), stored) != ignore.end()) return nullptr;
        std::string_view now = stored;
        for (const auto& [before, after] : options_.rename) {
            if (before == stored) now = after;
        }
        const auto at = systems_.find(now);
        if (at != systems_.end()) return at->second;
        const auto all = state_.ecs.systems();  // an observer of this name was none when the snapshot was made
        if (options_.ignore_unknown ||
            std::any_of(all.begin(), all.end(), [&](const SystemBase* s) { return s->name() == now; }))
            return nullptr;
        fail(ErrorCode::bad_argument,
             {"restore: systems: no system with the name ", now,
              " was added to this ECS; add it, name it in `ignore`, or its new name in `rename`"});
    }

    // Each is alive, and there once.
    void set_found(std::span<const Entity> tracked) {
        for (const Entity e : tracked) {
            const std::size_t i = index_of(e);
            if (i >= handles_.size() || handles_[i] != e || found_[i])
                from_.fail("an entity of a system is not alive, or is listed twice");
            found_[i] = true;
        }
    }

    void read_dirty(SystemPlan& plan) {
        const std::span<const Entity> dirty = from_.aligned<Entity>(from_.get<std::uint32_t>());
        for (const Entity e : dirty) {
            const std::size_t i = index_of(e);
            if (i >= handles_.size() || handles_[i] != e || !found_[i])
                from_.fail("a dirty entity is not tracked, or is listed twice");
            found_[i] = false;
        }
        plan.dirty.assign(dirty.begin(), dirty.end());
        if (!plan.keeps_causes) return;
        std::vector<std::string_view> watched;
        const std::uint32_t n = classes_.count();
        if (n > DirtyCauses::MOST_CLASSES) from_.fail("a system watches too many classes");
        for (std::uint32_t k = 0; k < n; ++k) watched.push_back(from_.text());
        const auto causes = from_.aligned<std::uint32_t>(dirty.size());
        if (plan.system == nullptr) return;
        const std::vector<std::string_view> now = Causes(*plan.system).names;
        plan.causes.assign(causes.begin(), causes.end());
        if (now == watched) return;
        for (std::uint32_t& cause : plan.causes) cause = translated(cause, watched, now);
    }
    // The bits of the same classes. What the system does not watch any more, or did not watch, counts for every class.
    static std::uint32_t translated(std::uint32_t causes, const std::vector<std::string_view>& before,
                                    const std::vector<std::string_view>& now) {
        std::uint32_t bits = causes & DirtyCauses::MOVED;
        for (std::size_t k = 0; k < DirtyCauses::MOST_CLASSES; ++k) {
            if ((causes & DirtyCauses::bit(k)) == 0) continue;
            const auto at = k < before.size() ? std::find(now.begin(), now.end(), before[k]) : now.end();
            if (at == now.end()) return DirtyCauses::ALL;
            bits |= DirtyCauses::bit(static_cast<std::size_t>(at - now.begin()));
        }
        return bits;
    }

    const StateAccess& state_;
    const EventReader& classes_;
    Reader& from_;
    const RestoreOptions& options_;
    std::span<const Entity> handles_;
    std::map<std::string, SystemBase*, std::less<>> systems_;
    std::map<std::string_view, bool> names_;
    std::vector<bool> found_;  // by index: in the list of the system that is read
    SystemsPlan plan_;
};

}  // namespace

void read_inboxes(const EventReader& classes, SystemPlan& plan, std::vector<HostEvents::Inbox>& host) {
    std::span<const Receptions::Inbox> own;
    if (plan.system != nullptr) own = StateAccess::inboxes(*plan.system);
    for (const auto& [type, box] : own) plan.inboxes.push_back(classes.left_out(type) ? nullptr : box->make());
    std::vector<bool> used(own.size());
    const std::uint32_t n = classes.count();
    for (std::uint32_t k = 0; k < n; ++k) {
        EventReader::Found found{.name = classes.from().text()};
        if (plan.system != nullptr) found = classes.find(found.name);
        std::size_t at = 0;
        while (at < own.size() && (used[at] || own[at].type != found.type || !plan.inboxes[at])) ++at;
        EventInbox* box = nullptr;
        if (at == own.size() && classes.ignores_unknown()) found.codec = nullptr;
        if (found.codec != nullptr) {
            if (at == own.size()) {
                fail(ErrorCode::bad_argument,
                     {classes.from().call(), ": the system ", plan.system->name(), " has no Inbox of ", found.name,
                      "; add one, or name the events in `ignore`"});
            }
            used[at] = true;
            box = plan.inboxes[at].get();
        }
        const std::uint32_t events = classes.count();
        for (std::uint32_t i = 0; box != nullptr && i < events; ++i) box->push(classes.decode(*found.codec).get());
        if (box != nullptr) continue;
        HostEvents::Inbox of_host{
            plan.system == nullptr ? std::string() : plan.system->name(), std::string(found.name), {}};
        classes.read_host(events, of_host);
        if (found.of_host) host.push_back(std::move(of_host));
    }
}

SystemsPlan read_systems(const StateAccess& state, const EventReader& classes, const RestoreOptions& options,
                         std::span<const Entity> handles) {
    return SystemsReader(state, classes, options, handles).read();
}

// --- exchanging -----------------------------------------------------------------------------------

void require_no_iteration(SystemBase& system, const char* call) {
    DirtySet& dirty = system.dirty_set();
    if (!system.tracked().iterating() && !dirty.set().iterating(&dirty.visited())) return;
    fail(ErrorCode::bad_argument, {call, ": an iteration over the entities of system ", system.name(),
                                   " has not ended; call it outside of the loop"});
}

void SystemChange::reserve(std::size_t indices, std::size_t more, const char* call) {
    require_no_iteration(*plan_.system, call);
    SparseSet& dirty = plan_.system->dirty_set().set();
    dirty.reserve(plan_.dirty);
    dirty.reserve(plan_.dirty.size() + more);
    if (plan_.keeps_causes) plan_.causes_by_index.resize(indices);
}

void SystemChange::exchange() noexcept {
    SystemBase& system = *plan_.system;
    if (!plan_.only_inboxes) {
        system.tracked().end_begun();
        system.dirty_set().set().end_begun();
        StateAccess::enabled(system) = plan_.enabled;
        StateAccess::elapsed(system) = plan_.elapsed;
        system.dirty_set().causes().exchange(plan_.causes_by_index);
        set_dirty();
    }
    const auto own = StateAccess::inboxes(system);
    for (std::size_t k = 0; k < own.size(); ++k) {
        if (!plan_.inboxes[k]) continue;
        StateAccess::waiting_events(system) += plan_.inboxes[k]->count() - own[k].events->count();
        own[k].events->swap(*plan_.inboxes[k]);
    }
}

void SystemChange::set_dirty() noexcept {
    DirtySet& dirty = plan_.system->dirty_set();
    dirty.clear();
    dirty.forget_reached();
    dirty.set().append(plan_.dirty);
    dirty.set_top_down(false);
    dirty.keeps_order() = plan_.keeps_order;
    for (std::size_t k = 0; plan_.keeps_causes && k < plan_.dirty.size(); ++k)
        dirty.causes().set(plan_.dirty[k], plan_.causes[k]);
}

void SystemChange::finish() noexcept {
    if (plan_.system->is_exact() && !plan_.only_inboxes) set_dirty();
    // Those that the snapshot does not contain, because it is that of another version of the program, are the last ones.
    SparseSet& tracked = plan_.system->tracked();
    std::uint32_t slot = 0;
    for (const Entity e : plan_.tracked) {
        const std::uint32_t from = tracked.slot(e);
        if (from == SparseSet::ABSENT) continue;
        if (from != slot) tracked.swap(slot, from);
        ++slot;
    }
}

}  // namespace crateful::internal
