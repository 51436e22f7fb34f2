#pragma once
#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "crateful/aspect.hpp"
#include "crateful/component.hpp"
#include "crateful/detail/message.hpp"
#include "crateful/detail/operation.hpp"
#include "crateful/detail/receptions.hpp"
#include "crateful/detail/rollback.hpp"
#include "crateful/detail/sparse_set.hpp"
#include "crateful/detail/type_info.hpp"
#include "crateful/dirty.hpp"
#include "crateful/entity.hpp"
#include "crateful/filters.hpp"

namespace crateful {

class DynamicEcs;
class ECS;
template <class>
class Inbox;

namespace internal {
class Schedule;
class Tracking;
/// What `add_system` derives from the class of a system, at compile time.
struct SystemClass {
    std::string_view name;
    const void* id;                       ///< of `type_id`
    bool default_aspects = false;         ///< its aspects are of class Aspect, and it does not override make_aspect
    bool default_hooks = false;           ///< and it overrides neither on_add nor on_remove
    bool has_condition = false;           ///< it derives from `System`, and overrides `when`
    unsigned char update_parameters = 3;  ///< how many parameters its `update` takes
};
/// What a system uses a component class for.
enum class ComponentUse : unsigned char {
    required,   ///< a tracked entity has a component of each
    watched,    ///< a signal makes the entity dirty
    excluded,   ///< a tracked entity has none of them (rule S9)
    accepted,   ///< unless there are none: a tracked entity has at least one of them (rule S9)
    ancestors,  ///< a signal makes the descendants of the entity dirty (rule D13)
    parents     ///< read from parents: adding or removing one makes the children of its entity dirty (rule D13)
};
/// The number of uses.
constexpr std::size_t COMPONENT_USES = 6;
/// The systems of a class or with a name, or one system, before or after which a system runs (rule S10).
struct SystemConstraint {
    const void* id;         ///< of the class, or the address of the system, or nullptr: those with the name
    std::string_view name;  ///< of the class or the systems
};
/// Whether a system belongs to an ECS.
enum class SystemState : unsigned char { created, added, removal_pending, removed };
/// Exists while `make_aspect` runs, in a list of its system.
class AspectBeingMade {
public:
    AspectBeingMade(AspectBeingMade*& innermost, Entity e) noexcept : innermost_(innermost), e_(e), outer_(innermost) {
        innermost = this;
    }
    AspectBeingMade(const AspectBeingMade&) = delete;
    AspectBeingMade& operator=(const AspectBeingMade&) = delete;
    ~AspectBeingMade() { innermost_ = outer_; }
    /// Whether the system stopped tracking the entity meanwhile.
    [[nodiscard]] bool ended() const noexcept { return e_ == NONE; }
    /// The system has stopped tracking the entity.
    static void end(AspectBeingMade* innermost, Entity e) noexcept {
        for (AspectBeingMade* made = innermost; made != nullptr; made = made->outer_) {
            if (made->e_ == e) made->e_ = NONE;
        }
    }

private:
    AspectBeingMade*& innermost_;
    Entity e_;
    AspectBeingMade* outer_;
};
}  // namespace internal

/// The base class of all systems, in every language. C++ systems derive from `System<A>`.
class SystemBase {
public:
    /// A disabled system is not updated (rule S4); a debug system also runs while the ECS is paused (rule S5).
    explicit SystemBase(bool disabled = false, bool debug = false) noexcept : enabled_(!disabled), debug_(debug) {}
    virtual ~SystemBase() = default;
    SystemBase(const SystemBase&) = delete;
    SystemBase& operator=(const SystemBase&) = delete;

    /// The ECS that the system was added to; valid from `init()` on.
    [[nodiscard]] ECS& ecs() const noexcept { return *ecs_; }
    /// Whether the system is enabled (rule S4).
    [[nodiscard]] bool enabled() const noexcept { return enabled_; }
    /// Whether the system also runs while the ECS is paused (rule S5).
    [[nodiscard]] bool debug() const noexcept { return debug_; }
    /// The priority with which the system was added (rule S1).
    [[nodiscard]] double priority() const noexcept { return priority_; }
    /// The entities that the system tracks.
    [[nodiscard]] SparseSet& tracked() noexcept { return tracked_; }
    /// Whether the system tracks the entity. O(1).
    [[nodiscard]] bool tracks(Entity e) const noexcept { return tracked_.contains(e); }
    /// The dirty set of the system (rules D3 to D9).
    [[nodiscard]] DirtySet& dirty_set() noexcept { return dirty_; }
    /// Whether the system watches any class.
    [[nodiscard]] bool watches_any() const noexcept {
        return !watched().empty() || !used_(internal::ComponentUse::ancestors).empty();
    }
    /// The classes that the system uses in this way.
    [[nodiscard]] const std::vector<ComponentId>& used_(internal::ComponentUse use) const noexcept {
        return ids_[static_cast<std::size_t>(use)];
    }
    /// The required classes.
    [[nodiscard]] const std::vector<ComponentId>& required() const noexcept {
        return used_(internal::ComponentUse::required);
    }
    /// The watched classes.
    [[nodiscard]] const std::vector<ComponentId>& watched() const noexcept {
        return used_(internal::ComponentUse::watched);
    }
    /// Before which systems this one runs.
    [[nodiscard]] const std::vector<internal::SystemConstraint>& before_others() const noexcept { return before_; }
    /// After which systems this one runs.
    [[nodiscard]] const std::vector<internal::SystemConstraint>& after_others() const noexcept { return after_; }
    /// How many systems were added to the ECS before it.
    [[nodiscard]] std::uint64_t sequence() const noexcept { return sequence_; }
    /// Whether it runs before another system of the same ECS (rules S1, S10).
    [[nodiscard]] bool runs_before(const SystemBase& other) const noexcept { return rank_ < other.rank_; }
    /// The least time between two runs, in seconds (rule S11).
    [[nodiscard]] double interval() const noexcept { return interval_; }

    /// The name for messages, lists and the profiler (rule P1). By default that of the class, without namespace and
    /// template arguments; it is empty until the system is added. A class may override it.
    [[nodiscard]] virtual std::string name() const { return std::string(class_name_); }

    /// Called once, after the system was added and before it tracks entities (rule S3).
    virtual void init() {}
    /// Called by `ECS::clear()` after all entities were removed; may create new ones (rule K1).
    virtual void on_clear() {}
    /// Whether the system runs in this frame; it is asked when all else allows a run. If it returns false, the system is skipped:
    /// its dirty set accumulates, and the time of its interval counts (rule S15). It must not change the ECS.
    [[nodiscard]] virtual bool when(const ECS&) { return true; }

    /// Whether it only shows, and is no part of the state (rule S18).
    [[nodiscard]] bool is_observer() const noexcept { return observer_; }
    /// Whether restoring gives it exactly the dirty set of the snapshot (rule N2).
    [[nodiscard]] bool is_exact() const noexcept { return exact_; }

protected:
    /// Calls `handler` at each dispatch of an E, in the order of subscription, from when the system is added until it is removed
    /// (rule V1). Call it in the constructor or later: `subscribe<Hit>([this](const Hit& hit) { … })`. If the handler removes the
    /// system, it is destroyed when the dispatch has ended.
    template <class E>
    void subscribe(std::function<void(const E&)> handler) {
#ifdef NDEBUG
        receive_<E>(std::move(handler));
#else
        receive_<E>([this, handler = std::move(handler)](const E& event) {
            const internal::Observed observed(operations_in_progress_(), observer_ ? this : nullptr);
            handler(event);
        });
#endif
    }
    /// Subscribes as long as the system is added. `cleared` is called when `ECS::clear` removes events and, if `drops`, when the system is
    /// skipped; for `Inbox`.
    template <class E>
    void receive_(std::function<void(const E&)> handler, std::function<void()> cleared = {}, bool drops = false) {
        if (!receptions_) receptions_ = std::make_unique<internal::Receptions>();
        if (drops) receptions_->skipped.push_back(cleared);
        drops_skipped_ = drops_skipped_ || drops;
        receptions_->add([handler = std::move(handler), cleared = std::move(cleared)](
                             EventsManager& events) { return events.subscribe<E>(handler, cleared); },
                         events_);
    }
    /// The list of events of an `Inbox`, after `receive`: a part of snapshots (rule N1).
    void add_inbox_(internal::EventType type, internal::EventInbox& events) {
        receptions_->inboxes.push_back({type, &events});
    }
    /// Adds classes. Call it before the system is added.
    void use_ids_(internal::ComponentUse use, std::span<const ComponentId> ids);
    /// The same for C++ classes.
    template <class... Cs>
    void use_(internal::ComponentUse use) {
        const std::array<ComponentId, sizeof...(Cs)> ids{component_id<Cs>()...};
        use_ids_(use, ids);
    }
    /// States that the system uses no entities (rule S12). Call it before the system is added.
    void require_none() noexcept { requires_none_ = true; }
    /// The system runs when at least this much game time, in seconds, has passed since its last run, and `delta` is the time
    /// since then; its dirty set accumulates meanwhile (rule S11). Call it before the system is added.
    void interval(double seconds) noexcept { interval_ = seconds; }
    /// Adds a constraint. Call it before the system is added.
    void run_before_(internal::SystemConstraint other) { before_.push_back(other); }
    /// The same for systems after which this one runs.
    void run_after_(internal::SystemConstraint other) { after_.push_back(other); }
    /// Skips `update` while the dirty set is empty, and so is each `Inbox` of the system (rule D11). A system that watches no class
    /// and receives no events would never run: adding it is an error.
    void only_when_dirty(bool on = true) noexcept { only_when_dirty_ = on; }
    /// For a system that would change the game if more entities than necessary were dirty: restoring a snapshot with the state of systems
    /// gives it exactly the dirty set of the snapshot. Other systems also get what restoring has changed (rule N2).
    void exact(bool on = true) noexcept { exact_ = on; }
    /// The system only shows the world, as one that draws does (rule S18): it is no part of snapshots and recordings, and must not change the
    /// world, which is an error without NDEBUG. After a state was restored, it finds what differs. Call it before the system is added.
    void observer(bool on = true) noexcept { observer_ = on; }
    /// Keeps the order of the tracked entities, and of the dirty set, when one is removed, in O(tracked) per removal (rule S14).
    /// Call it before the system is added.
    void ordered(bool on = true) noexcept {
        ordered_ = on;
        dirty_.ordered(on);
    }

    // Called by the ECS (rules A1, A2, S4, S5).

    virtual void run_(double delta) = 0;        ///< calls `update`
    virtual void notify_add_(Entity e) = 0;     ///< creates the aspect and calls `on_add`
    virtual void notify_remove_(Entity e) = 0;  ///< calls `on_remove` and destroys the aspect
    virtual void notify_enabled_() = 0;         ///< calls `on_enabled`
    virtual void notify_disabled_() = 0;        ///< calls `on_disabled`
    /// An update has skipped the system, because of `when`, a pause, a replay, or because it is disabled. Only if `set_drops_skipped_` was called.
    virtual void skipped_() {
        for (const auto& drop : receptions_->skipped) drop();
    }
    /// From now on, `skipped_` is called.
    void set_drops_skipped_() noexcept { drops_skipped_ = true; }
    /// Sets whether the ECS calls `when`. `add_system` does for a class that derives from `System` and overrides it; other classes,
    /// as those of language bindings, call it themselves.
    void set_condition_(bool on) noexcept { has_condition_ = on; }
    /// Sets what `ecs()` and `entity()` of an aspect return.
    static void bind_(Aspect& aspect, ECS& ecs, Entity e) noexcept {
        aspect.ecs_ = &ecs;
        aspect.entity_ = e;
        aspect.reads_parked_ = false;
    }
    /// From now on the aspect also finds parked components (rule A2).
    static void set_reads_parked_(Aspect& aspect) noexcept { aspect.reads_parked_ = true; }
    /// Sets whether the ECS calls `notify_add` and `notify_remove`.
    void set_notifications_(bool add, bool remove) noexcept {
        notifies_add_ = add ? 1 : 0;
        notifies_remove_ = remove ? 1 : 0;
    }
    /// The operations in progress of the ECS to which the system was added.
    [[nodiscard]] internal::Operations& operations_in_progress_() const noexcept { return *operations_; }
    /// Whether the ECS calls `notify_remove`, as a word in memory that language bindings may set.
    [[nodiscard]] std::uint32_t& notifies_remove_word_() noexcept { return notifies_remove_; }
    /// Whether all aspects are of class Aspect, which has no state; set by `add_system`.
    [[nodiscard]] bool has_default_aspects_() const noexcept { return default_aspects_; }
    /// True if moreover the class overrides neither on_add nor on_remove.
    [[nodiscard]] bool has_default_hooks_() const noexcept { return default_hooks_; }
    /// How many parameters the overridden `update` takes; set by `add_system`.
    [[nodiscard]] unsigned char update_takes_() const noexcept { return update_parameters_; }

    internal::AspectBeingMade* making_ = nullptr;  ///< the innermost

private:
    friend class ECS;
    friend class DynamicEcs;
    friend class internal::Schedule;
    friend class internal::StateAccess;
    friend class internal::Tracking;
    template <class>
    friend class Inbox;
    // Throws `bad_system` for mistakes of a C++ system that only its class shows.
    void check_class_(std::string_view class_name);
    // Whether a constraint says that this system runs before the other one.
    [[nodiscard]] bool must_precede_(const SystemBase& other) const;
    [[nodiscard]] bool selects_more_() const noexcept {
        return !used_(internal::ComponentUse::excluded).empty() || !used_(internal::ComponentUse::accepted).empty();
    }
    // They must be alive. Whether causes are kept is asked once: with another branch, the loops take 1.4 times as long.
    void mark_(std::span<const Entity> entities, std::uint32_t cause) {
        if (dirty_.causes().kept()) return mark_with_(entities, cause);
        for (const Entity e : entities) {
            if (tracked_.contains(e)) dirty_.set().insert_alive(e);
        }
    }
    // The same for marks of one storage, which contains these entities.
    void mark_(std::span<const Mark> marks, std::span<const Entity> entities, std::uint32_t cause) {
        const bool kept = dirty_.causes().kept();
        for (const Mark& m : marks) {
            if (kept) {
                mark_with_(entities.subspan(m.first, m.end - m.first), cause);
                continue;
            }
            for (std::uint32_t slot = m.first; slot < m.end; ++slot) {
                if (tracked_.contains(entities[slot])) dirty_.set().insert_alive(entities[slot]);
            }
        }
    }
    void mark_with_(std::span<const Entity> entities, std::uint32_t cause);
    // Returns false, and has no effect, if it tracks the entity already.
    bool start_tracking_(Entity e) {
        const std::uint32_t before = tracked_.size();
        tracked_.insert_alive(e);
        if (tracked_.size() == before) return false;
        if (!watches_) return true;
        internal::Rollback rollback([&] { tracked_.erase(e); });
        dirty_.mark(e);  // rule D5
        rollback.cancel();
        return true;
    }
    // The same for entities that it does not track yet. If there is no memory, it tracks none of them.
    void start_tracking_(std::span<const Entity> entities) {
        tracked_.reserve(entities);
        if (watches_) dirty_.append(entities);
        tracked_.append(entities);
    }
    // It is about to track `n` entities, of which all can be dirty.
    void reserve_(std::size_t n) {
        tracked_.reserve(n);
        if (watches_) dirty_.set().reserve(n);
    }
    // Returns whether it tracked the entity.
    bool stop_tracking_(Entity e) noexcept {
        const bool erased = ordered_ ? tracked_.erase_in_order(e) : tracked_.erase(e);
        if (erased && !dirty_.set().empty()) dirty_.erase(e);
        return erased;
    }
    // Stops tracking several entities, one after the other.
    void stop_tracking_(std::span<const Entity> entities) noexcept {
        if (!tracked_.erase_end(entities)) {
            for (const Entity e : entities) stop_tracking_(e);
        } else if (!dirty_.set().empty()) {
            for (const Entity e : entities) dirty_.erase(e);
        }
    }
    void stop_tracking_all_() noexcept {
        tracked_.clear();
        dirty_.clear();
    }
    void stop_tracking_all_except_(Entity kept) noexcept {
        if (!tracked_.contains(kept)) return stop_tracking_all_();
        // Not by inserting it again: iterations would then visit it twice.
        for (std::uint32_t slot = tracked_.size(); slot-- > 0;) {
            if (tracked_[slot] != kept) stop_tracking_(tracked_[slot]);
        }
    }
    [[nodiscard]] bool is_added_() const noexcept {
        return state_ == internal::SystemState::added || state_ == internal::SystemState::removal_pending;
    }

    internal::Operations* operations_ = nullptr;  // of the ECS
    ECS* ecs_ = nullptr;
    double priority_ = 0;
    std::uint64_t sequence_ = 0;  // number of the addition in its ECS
    std::size_t rank_ = 0;        // position in the running order
    double interval_ = 0;
    double elapsed_ = 0;  // since the last run, if it has an interval
    bool requires_none_ = false;
    internal::SystemState state_ = internal::SystemState::created;
    bool enabled_;
    bool debug_;
    bool default_aspects_ = false;
    std::size_t waiting_events_ = 0;  // in its inboxes: while there are any, `only_when_dirty` lets it run (rule D11)
    bool only_when_dirty_ = false;
    bool ordered_ = false;
    bool exact_ = false;
    bool observer_ = false;
    bool watches_ = false;  // what `watches_any()` returns
    bool missed_ = false;   // it may not track all entities that it selects, for lack of memory
    bool default_hooks_ = false;
    bool has_condition_ = false;
    bool drops_skipped_ = false;
    unsigned char update_parameters_ = 3;
    std::uint32_t notifies_add_ = 1;
    std::uint32_t notifies_remove_ = 1;  // a word, because language bindings write to it
    std::array<std::vector<ComponentId>, internal::COMPONENT_USES> ids_;
    // As that of an entity: a bit for each required class, excluded class, and so on; all as long as the longest.
    std::vector<std::uint32_t> signature_;
    std::vector<std::uint32_t> excluded_signature_;
    std::vector<std::uint32_t> any_signature_;
    std::vector<internal::SystemConstraint> before_;
    std::vector<internal::SystemConstraint> after_;
    SparseSet tracked_;
    DirtySet dirty_;
    std::string_view class_name_;
    const void* class_id_ = nullptr;
    EventsManager* events_ = nullptr;                   // of the ECS
    std::unique_ptr<internal::Receptions> receptions_;  // nullptr until it receives events
    std::string clock_name_;                            // of the profiler: the name, made unique
};

template <std::derived_from<Aspect> A>
class System;

/// The entities that a system tracks, each with its aspect: `for (auto [entity, aspect] : entities)`. Any change is
/// allowed during an iteration (rule T4). It is a `std::ranges::input_range` (rule Q9).
template <std::derived_from<Aspect> A>
class Entities {
public:
    /// The number of tracked entities. O(1).
    [[nodiscard]] std::uint32_t size() const noexcept { return system_.tracked().size(); }
    /// Whether no entity is tracked. O(1).
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }
    /// Whether the entity is tracked. O(1).
    [[nodiscard]] bool contains(Entity e) const noexcept { return system_.tracks(e); }
    /// The entities without their aspects, contiguous. Valid until the set changes.
    [[nodiscard]] std::span<const Entity> ids() const noexcept { return system_.tracked().entities(); }
    /// The aspect of a tracked entity, always the same object (rule A1). Throws `bad_argument` if the system does not
    /// track the entity.
    [[nodiscard]] A& get(Entity e) const {
        if (!contains(e)) {
            internal::fail(ErrorCode::bad_argument,
                           {"entities.get: ", to_string(e), " is not tracked by system ", system_.name()});
        }
        return system_.aspect_(e);
    }

    struct End {};  ///< what `end()` returns
    /// An iteration over the entities, as `begin()` starts it.
    class Iterator {
    public:
        using iterator_concept = std::input_iterator_tag;
        using difference_type = std::ptrdiff_t;
        using value_type = std::pair<Entity, A&>;

        /// See `Entities::begin`.
        explicit Iterator(System<A>& system) : system_(&system), iteration_(system.tracked().each()) { ++*this; }
        /// The entity and its aspect.
        [[nodiscard]] value_type operator*() const { return {current_, system_->aspect_(current_)}; }
        /// The entity without its aspect, which is then not created.
        [[nodiscard]] Entity entity() const noexcept { return current_; }
        Iterator& operator++() noexcept {
            done_ = !iteration_.next(current_);
            return *this;
        }
        void operator++(int) noexcept { ++*this; }
        [[nodiscard]] bool operator==(End) const noexcept { return done_; }

    private:
        System<A>* system_;
        SparseSet::Iteration iteration_;
        Entity current_ = NONE;
        bool done_ = false;
    };
    /// O(1), and so is a step.
    [[nodiscard]] Iterator begin() const { return Iterator(system_); }
    /// See `begin()`.
    [[nodiscard]] End end() const noexcept { return {}; }

private:
    friend class System<A>;
    explicit Entities(System<A>& system) noexcept : system_(system) {}
    System<A>& system_;
};

/// A system in C++: code that runs once per frame over the entities with certain components. The
/// constructor states what it requires and what it watches. `update` is overridden with as many
/// parameters as it uses:
///
///     struct Mover : System<> {
///         Mover() { require<Position, Velocity>(); watch<Velocity>(); }
///         void update(double delta, Entities& entities, Dirty& dirty) override { … }
///     };
template <std::derived_from<Aspect> A = Aspect>
class System : public SystemBase {
public:
    using Entities = crateful::Entities<A>;  ///< the type of a parameter of `update`
    using Dirty = DirtySet;                  ///< the type of a parameter of `update`

    using SystemBase::SystemBase;

protected:
    /// Tracks the entities with components of the classes Cs (rule S2); a system that only loops over queries calls `require_none` instead,
    /// which costs nothing when components are added. The filters are `exclude<Cs...>` and `any<Cs...>` (rule S9), as in a
    /// query: `require<Position>(exclude<Frozen>, any<Player, Enemy>)`. With `parent<Place>` beside `watch_ancestors`, the children of an
    /// entity are also dirty when such a component is added to it or removed (rule D13). Call it in the constructor.
    template <class... Cs, class... Filters>
    void require(Filters... filters) {
        static_assert((... && (internal::is_filter<Filters> && !internal::is_optional<Filters>)),
                      "require: the filters are exclude, any and parent; optional is for queries, which have rows");
        use_<Cs...>(internal::ComponentUse::required);
        (filter_(filters), ...);
    }
    /// The system runs before the systems of these classes that have the same priority (rule S10). Call it in the
    /// constructor.
    template <class... Ss>
    void before() {
        (run_before_({internal::type_id<Ss>(), internal::class_name<Ss>()}), ...);
    }
    /// The same, but it runs after them.
    template <class... Ss>
    void after() {
        (run_after_({internal::type_id<Ss>(), internal::class_name<Ss>()}), ...);
    }
    /// It runs before the systems with this name, in any language. The text must outlive the system, as a literal does.
    void before(std::string_view name) { run_before_({nullptr, name}); }
    /// The same, but it runs after them.
    void after(std::string_view name) { run_after_({nullptr, name}); }
    /// Watches the classes Cs, which need not be required (rules D1, D3). Call it in the constructor.
    template <class... Cs>
    void watch() {
        use_<Cs...>(internal::ComponentUse::watched);
    }

    /// A signal of these classes makes the tracked descendants of the entity dirty, and so does another parent (rule D13). Its
    /// own signals count if the class is also watched. Call it in the constructor.
    template <class... Cs>
    void watch_ancestors() {
        use_<Cs...>(internal::ComponentUse::ancestors);
    }

    // A system overrides one of them, and hides the others on purpose.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverloaded-virtual"
#endif
    /// Called once per frame. `delta` is the effective delta in seconds; 0 while paused. `dirty` contains the
    /// entities with a watched component that signalled since the last call (rules S5, D4). Override one of the
    /// three; the class does not compile in `add_system` if it overrides none, and no other callback (rule S16).
    virtual void update(double delta, Entities& entities, Dirty&) { update(delta, entities); }
    /// The same, without the dirty set.
    virtual void update(double delta, Entities&) { update(delta); }
    /// The same, without entities.
    virtual void update(double) {}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

    /// Creates the aspect of an entity that the system starts to track. By default it is default-constructed. The
    /// aspect of a class that overrides none of `make_aspect`, `on_add` and `on_remove` is created when it is first
    /// used.
    [[nodiscard]] virtual std::unique_ptr<A> make_aspect() {
        if constexpr (std::is_default_constructible_v<A>) return std::make_unique<A>();
        else
            internal::fail(
                ErrorCode::bad_system,
                {"make_aspect: ", name(), " must override it, because its aspect class has no default constructor"});
    }
    /// Called after the system started to track the entity, which is in `entities` (rule A2).
    virtual void on_add(A&) {}
    /// Called after the system stopped tracking the entity, which is no longer in `entities`. Its components can still
    /// be read through the aspect (rules A2, A3).
    virtual void on_remove(A&) {}
    /// Called after the system was enabled (rule S4).
    virtual void on_enabled(Entities&) {}
    /// Called after the system was disabled (rule S4).
    virtual void on_disabled(Entities&) {}

    /// The entities that the system tracks, as passed to `update`.
    [[nodiscard]] Entities& entities() noexcept { return entities_; }

private:
    friend class ECS;
    friend class crateful::Entities<A>;

    template <class... Cs>
    void filter_(Exclude<Cs...> /*filter*/) {
        use_<Cs...>(internal::ComponentUse::excluded);
    }
    template <class... Cs>
    void filter_(Any<Cs...> /*filter*/) {
        use_<Cs...>(internal::ComponentUse::accepted);
    }
    template <class... Cs>
    void filter_(OfParent<Cs...> /*filter*/) {
        use_<std::remove_const_t<Cs>...>(internal::ComponentUse::parents);
    }

    // The aspect of a tracked entity.
    [[nodiscard]] A& aspect_(Entity e) {
        if (A* found = find_or_make_(e)) return *found;
        internal::fail(ErrorCode::bad_system, {"make_aspect: ", name(), " ended the tracking of this entity"});
    }
    // Calls `make_aspect`. Returns nullptr if it ended the tracking.
    [[nodiscard]] std::unique_ptr<A> make_(Entity e) {
        operations_in_progress_().require_room(true);
        const internal::Operation callback(operations_in_progress_());
        const internal::Observed observed(operations_in_progress_(), is_observer() ? this : nullptr);
        operations_in_progress_().calls("make_aspect", this);
        const internal::AspectBeingMade making(making_, e);
        std::unique_ptr<A> made = make_aspect();
        if (making.ended()) return nullptr;
        if (!made)
            internal::fail(ErrorCode::bad_system, {"make_aspect: ", name(), " returned null instead of an aspect"});
        return made;
    }
    // One that was removed, if there is any, otherwise a new one.
    [[nodiscard]] std::unique_ptr<A> spare_aspect_() {
        if (spares_.empty()) {
            spares_.reserve(most_spares_);  // for `notify_remove`, which must not fail
            return std::make_unique<A>();
        }
        std::unique_ptr<A> spare = std::move(spares_.back());
        spares_.pop_back();
        return spare;
    }
    // Creates the aspect if it does not exist yet. Returns nullptr if `make_aspect` ended the tracking.
    [[nodiscard]] A* find_or_make_(Entity e) {
        const std::size_t index = index_of(e);
        if (index < aspects_.size() && aspects_[index]) return aspects_[index].get();
        std::unique_ptr<A> made;
        if constexpr (std::is_same_v<A, Aspect>) {
            if (has_default_aspects_()) made = spare_aspect_();
        }
        if (!made) made = make_(e);
        if (!made) return nullptr;
        set_notifications_(!has_default_hooks_(), true);  // this aspect has to be destroyed
        bind_(*made, ecs(), e);
        if (index >= aspects_.size()) aspects_.resize((std::max)(index + 1, aspects_.size() * 2));
        if (!aspects_[index]) aspects_[index] = std::move(made);  // make_aspect can have asked for it
        return aspects_[index].get();
    }
    // Calls the overridden function directly: the inherited ones would add a virtual call for each omitted parameter.
    void run_(double delta) final {
        if (update_takes_() == 1) update(delta);
        else if (update_takes_() == 2) update(delta, entities_);
        else update(delta, entities_, dirty_set());
    }

    // These accept a member function of `System` only; a function of a derived class does not convert.
    static void inherited_1_(void (System::*)(double));
    static void inherited_2_(void (System::*)(double, Entities&));
    static void inherited_3_(void (System::*)(double, Entities&, Dirty&));
    template <class S>
    static constexpr bool overrides_update_ = [] {
        if constexpr (requires { std::is_member_function_pointer_v<decltype(&S::update)>; }) {
            // S declares one function: it must have one of the three signatures.
            using Update = decltype(&S::update);
            return std::is_convertible_v<Update, void (S::*)(double)> ||
                   std::is_convertible_v<Update, void (S::*)(double, Entities&)> ||
                   std::is_convertible_v<Update, void (S::*)(double, Entities&, Dirty&)>;
        } else {
            // S inherits all three, or declares several functions, or declares one that is not public.
            return !requires {
                inherited_1_(&S::update);
                inherited_2_(&S::update);
                inherited_3_(&S::update);
            };
        }
    }();
    // A function that S overrides and does not make public cannot be named here.
    template <class S>
    static constexpr bool overrides_callback_ = !requires {
        requires std::is_same_v<decltype(&S::init), void (SystemBase::*)()>;
        requires std::is_same_v<decltype(&S::on_clear), void (SystemBase::*)()>;
        requires std::is_same_v<decltype(&S::on_add), void (System::*)(A&)>;
        requires std::is_same_v<decltype(&S::on_remove), void (System::*)(A&)>;
        requires std::is_same_v<decltype(&S::on_enabled), void (System::*)(Entities&)>;
        requires std::is_same_v<decltype(&S::on_disabled), void (System::*)(Entities&)>;
    };
    // Whether S leaves it to this class to make aspects of class Aspect.
    template <class S>
    static constexpr bool inherits_aspects_ = std::is_same_v<A, Aspect> && requires {
        requires std::is_same_v<decltype(&S::make_aspect), std::unique_ptr<A> (System::*)()>;
    };
    // Whether S overrides no callback for an entity either; its aspects may then be created lazily.
    template <class S>
    static constexpr bool inherits_hooks_ = inherits_aspects_<S> && requires {
        requires std::is_same_v<decltype(&S::on_add), void (System::*)(A&)>;
        requires std::is_same_v<decltype(&S::on_remove), void (System::*)(A&)>;
    };
    // How many parameters the only `update` of S takes; 3 if S declares several of them or none that is public.
    template <class S>
    static constexpr unsigned char parameters_of_update_ = [] {
        if constexpr (requires { std::is_member_function_pointer_v<decltype(&S::update)>; }) {
            using Update = decltype(&S::update);
            if (std::is_convertible_v<Update, void (S::*)(double)>) return 1;
            if (std::is_convertible_v<Update, void (S::*)(double, Entities&)>) return 2;
        }
        return 3;
    }();
    // A function with the name of a callback and other parameters would never be called. What is not public, or declared several
    // times, cannot be named here.
    template <class S>
    static constexpr void require_callbacks_() {
        if constexpr (requires { std::is_member_function_pointer_v<decltype(&S::init)>; })
            static_assert(std::is_convertible_v<decltype(&S::init), void (S::*)()>, "a system overrides void init()");
        if constexpr (requires { std::is_member_function_pointer_v<decltype(&S::on_clear)>; })
            static_assert(std::is_convertible_v<decltype(&S::on_clear), void (S::*)()>,
                          "a system overrides void on_clear()");
        if constexpr (requires { std::is_member_function_pointer_v<decltype(&S::when)>; })
            static_assert(std::is_convertible_v<decltype(&S::when), bool (S::*)(const ECS&)>,
                          "a system overrides bool when(const ECS&), which is not const");
        if constexpr (requires { std::is_member_function_pointer_v<decltype(&S::on_add)>; })
            static_assert(std::is_convertible_v<decltype(&S::on_add), void (S::*)(A&)>,
                          "a system overrides void on_add(Aspect&), with the class of its aspects");
        if constexpr (requires { std::is_member_function_pointer_v<decltype(&S::on_remove)>; })
            static_assert(std::is_convertible_v<decltype(&S::on_remove), void (S::*)(A&)>,
                          "a system overrides void on_remove(Aspect&), with the class of its aspects");
        if constexpr (requires { std::is_member_function_pointer_v<decltype(&S::on_enabled)>; })
            static_assert(std::is_convertible_v<decltype(&S::on_enabled), void (S::*)(Entities&)>,
                          "a system overrides void on_enabled(Entities&)");
        if constexpr (requires { std::is_member_function_pointer_v<decltype(&S::on_disabled)>; })
            static_assert(std::is_convertible_v<decltype(&S::on_disabled), void (S::*)(Entities&)>,
                          "a system overrides void on_disabled(Entities&)");
    }
    // Called by `add_system<S>`.
    template <class S>
    static constexpr void describe_hooks_(internal::SystemClass& cls) {
        static_assert(overrides_update_<S> || overrides_callback_<S>,
                      "a system must override update(double), update(double, Entities&), "
                      "update(double, Entities&, Dirty&) or another callback");
        require_callbacks_<S>();
        cls.default_aspects = inherits_aspects_<S>;
        cls.default_hooks = inherits_hooks_<S>;
        cls.has_condition =
            !requires { requires std::is_same_v<decltype(&S::when), bool (SystemBase::*)(const ECS&)>; };
        cls.update_parameters = parameters_of_update_<S>;
    }
    void notify_add_(Entity e) final {
        if (A* made = find_or_make_(e)) on_add(*made);
    }
    void notify_remove_(Entity e) final {
        internal::AspectBeingMade::end(making_, e);
        if (index_of(e) >= aspects_.size() || !aspects_[index_of(e)]) return;
        // Moved out of the table, because `on_remove` may cause a new aspect for the same entity.
        std::unique_ptr<A> removed = std::move(aspects_[index_of(e)]);
        set_reads_parked_(*removed);
        on_remove(*removed);
        if (has_default_aspects_() && spares_.size() < most_spares_) spares_.push_back(std::move(removed));
    }
    void notify_enabled_() final { on_enabled(entities_); }
    void notify_disabled_() final { on_disabled(entities_); }

    std::vector<std::unique_ptr<A>> aspects_;  // by entity index
    // Default ones that were removed, to be used again without an allocation: enough for what comes and goes in a frame, and few
    // enough that a world that was once large gives its memory back.
    static constexpr std::size_t most_spares_ = 256;
    std::vector<std::unique_ptr<A>> spares_;
    Entities entities_{*this};
};

// Compiled once, in system.cpp, and not in each file with a system.
extern template class System<>;

}  // namespace crateful
