// What the model knows: entities, systems, calls and iterations in progress, time and events.
#pragma once
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "components.hpp"
#include "replay.hpp"

namespace test::rules_model {

inline constexpr const char* SYSTEM_NAMES[] = {"n0", "n1", "n2", "n3"};

/// How a system is declared.
struct Settings {
    unsigned required = 0, excluded = 0, accepted = 0, watched = 0, ancestors = 0;  // bit masks of classes
    bool ordered = false, only_when_dirty = false, disabled = false, debug = false;
    bool bad = false;  // adding it is an error
    double interval = 0, priority = 0;
    int hooks = 0;  // 1: on_add, 2: on_remove, 3: both
    int name = 0;
    std::vector<int> before, after;  // names
};

struct ModelSystem {
    Settings settings;
    int id = 0;
    SystemBase* real = nullptr;
    bool enabled = true, tracking = false, dead = false, pending = false, destroyed = false;
    std::vector<Entity> tracked, dirty;
    // What the rules leave open is adopted at the next comparison: the order of the tracked entities, also if they are
    // `ordered`, and that of the dirty set.
    bool reorder = false, any_order = false, dirty_reorder = false;
    std::set<u32> unsure;     // are in `dirty`, and can be missing
    std::set<u32> retracked;  // can be dirty without being in `dirty`
    std::set<u32> aspects;    // on_add was called, and on_remove was not
    // While it runs: its dirty set at the start, what it visited, and what it keeps (D7, D12).
    bool running = false;
    std::set<u32> snapshot, snapshot_unsure, visited, kept;
    double elapsed = 0;  // since its last run, for intervals
    bool elapsed_unsure = false;
    std::function<void(std::function<bool(Entity)>)> loop_entities;
    std::function<void()> check_aspects;

    bool watching() const { return settings.watched != 0 || settings.ancestors != 0; }
    bool tracks(Entity e) const { return std::find(tracked.begin(), tracked.end(), e) != tracked.end(); }
    bool is_dirty(Entity e) const { return std::find(dirty.begin(), dirty.end(), e) != dirty.end(); }
};

struct ModelEntity {
    Entity handle = NONE;
    bool alive = false;
    bool pending = false;  // marked for removal
    bool dying = false;    // will be removed in this removal phase, or is an entity while all are cleared
    int values[CLASSES] = {};
    bool has[CLASSES] = {};
    Entity parent = NONE;
    std::vector<Entity> children;
};

/// A call of the ECS in progress, which rethrows the first exception of its callbacks (S7).
struct Call {
    const char* kind;
    std::optional<int> first_thrown = std::nullopt;
    ModelSystem* about = nullptr;
};

/// An iteration in progress (T4).
struct Iteration {
    std::function<bool(Entity)> contains;
    std::set<u32> throughout;    // present since the start
    std::set<u32> visited;       // without those that were removed after the visit
    std::set<u32> ever_visited;  // with them
    ModelSystem* system = nullptr;
    Entity children_of = NONE;
    bool strict = false;             // it visits nothing that was not selected at its start
    std::set<u32> existed;           // the entities that existed at its start: it visits no others, unless
    bool reaches_additions = false;  // it does (D7)
};

struct SlowMotionRequest {
    double factor, remaining;
};

struct Handler {
    int id = 0;
    bool transient = false;
    EventsManager::Unsubscribe unsubscribe;
    bool active = true;
};
struct DelayedEvent {
    double due;
    int sequence;
    int value;
    bool operator<(const DelayedEvent& other) const {
        return due != other.due ? due < other.due : sequence < other.sequence;
    }
};
/// An event whose handlers are being called.
struct Delivery {
    int value;
    std::vector<std::shared_ptr<Handler>> list;
    std::size_t at;
};

/// A call for several entities in progress. Callbacks then see a state that the rules do not define.
struct Bulk {
    int c;
    std::vector<Entity> entities;
};

class State {
public:
    State(Replay& run, int id)
        : replay(run),
          random{run.seed * 0x9E3779B97F4A7C15u + 88172645463325252u + static_cast<u64>(id) * 7919},
          world(id),
          nested(run.mode == Mode::nested) {
        entities_by_index[0].handle = Entity{0};
        entities_by_index[0].alive = true;
        for (int i = 0; i < 20; ++i) random();
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    virtual ~State() = default;

    // Parts of the model that callbacks need, and that are defined above them.
    virtual void random_operation() = 0;
    virtual void adopt_bulk() = 0;
    virtual void end_systems() = 0;
    virtual void end_phase() = 0;

    Replay& replay;
    std::vector<std::unique_ptr<ModelSystem>> all_systems;  // outlives the ECS
    std::unique_ptr<ECS> ecs = std::make_unique<ECS>();
    Random random;
    int world;
    bool nested;

    std::vector<ModelEntity> entities_by_index{1};
    std::vector<Entity> alive{Entity{0}};
    std::vector<Entity> pending_removals;
    std::vector<Entity> stale;
    std::map<Entity, Entity> aims;       // what Aiming contains, or contained
    std::vector<Entity> order[CLASSES];  // of the storages
    bool reorder[CLASSES] = {};          // their order is adopted at the next comparison
    std::vector<Entity> freed;           // the next handles, last one first
    std::size_t freed_in_any_order = 0;  // so many at its front
    u32 next_fresh_index = 1;
    std::vector<ModelSystem*> systems;

    std::vector<Call*> calls;
    std::vector<Iteration*> iterations;
    std::set<Iteration*> dirty_iterations;
    std::vector<Bulk> bulks;
    int nested_operations = 0;  // how many callbacks apply operations now
    int loops = 0, budget = 0, depth = 0;
    bool lenient = false;   // callbacks interfere: orders are not compared until the outermost call has returned
    bool removing = false;  // in a removal phase or clear() with nested operations
    bool clearing = false, in_on_clear = false;
    bool tearing = false;  // the ECS is being destroyed
    int next_system = 0, next_thrown = 0;

    // the update in progress
    bool updating = false, update_threw = false, systems_are_over = false, phase_over = false;
    bool due_now = false;  // its game time is known, and events that are due are delivered
    std::vector<ModelSystem*> frame_systems;
    std::size_t frame_position = 0;
    double game_before = 0, wall = 0;
    std::set<int> toggled;

    double game_time = 0, wall_time = 0;
    bool paused = false, slow_step = false;
    std::vector<SlowMotionRequest> slow_motions;
    std::map<std::vector<int>, std::vector<int>> orders;  // of systems, by those that are added (S10)
    int got_toggle = 0;                                   // 1: on_enabled, 2: on_disabled
    ModelSystem* toggled_system = nullptr;

    std::vector<std::shared_ptr<Handler>> handlers, subscribed;
    int next_handler = 0, next_sequence = 0;
    std::vector<DelayedEvent> queue;
    std::vector<Delivery> deliveries;
    std::vector<int> inbox;
    bool collecting = false, cleared_events = false;

    Prefab<Plain, Text> plain_and_text{*ecs, Values<Plain>::make(5), Values<Text>::make(6)};
    Prefab<Linear, Tag, LinearList> linear_and_tag{*ecs, Values<Linear>::make(7), Tag{}, Values<LinearList>::make(8)};
    Prefab<Plain> only_plain{*ecs, Values<Plain>::make(9)};

    [[noreturn]] void fail(const std::string& message) { replay.fail(world, message); }
    /// An exception of the test in the ECS may be replaced by an earlier one, so this is asked often.
    void stop_if_failed() const {
        if (replay.failed) throw Mismatch{};
    }
    void log(const char* format, ...) {
        if (!replay.logs) return;
        std::va_list values;
        va_start(values, format);
        std::printf("%*s[%d.%llu] ", 2 * depth, "", world, static_cast<unsigned long long>(replay.operation));
        std::vprintf(format, values);
        std::printf("\n");
        va_end(values);
        std::fflush(stdout);
    }

    ModelEntity& entity(Entity e) { return entities_by_index[index_of(e)]; }
    bool lives(Entity e) const {
        return index_of(e) < entities_by_index.size() && entities_by_index[index_of(e)].alive &&
               entities_by_index[index_of(e)].handle == e;
    }
    /// The classes of an entity as a bit mask.
    unsigned mask(Entity e) {
        unsigned m = 0;
        for (int c = 0; c < CLASSES; ++c) m |= entity(e).has[c] ? 1u << c : 0;
        return m;
    }
    bool really_has(Entity e, int c) {
        return c == PARENT ? ecs->has<Parent>(e) : with_class(c, [&]<class X>() { return ecs->has<X>(e); });
    }
    int real_value(Entity e, int c) {
        return with_class(c, [&]<class X>() { return Values<X>::get(ecs->get<X>(e)); });
    }
    static bool precedes(const Settings& a, const Settings& b) {
        return std::find(a.before.begin(), a.before.end(), b.name) != a.before.end() ||
               std::find(b.after.begin(), b.after.end(), a.name) != b.after.end();
    }
    void know_game_time() {
        if (!updating || due_now) return;
        game_time = ecs->game_time();
        due_now = true;
    }
    /// The order of tracked entities and dirty sets is adopted at the next comparison.
    void adopt_orders_of_systems() {
        for (auto& s : all_systems) s->reorder = s->dirty_reorder = true;
    }
    void adopt_orders() {
        adopt_orders_of_systems();
        for (bool& r : reorder) r = true;
    }
};

}  // namespace test::rules_model
