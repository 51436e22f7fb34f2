#pragma once
#include <concepts>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "crateful/aspect.hpp"
#include "crateful/component.hpp"
#include "crateful/detail/before.hpp"
#include "crateful/detail/entity_pool.hpp"
#include "crateful/detail/first_error.hpp"
#include "crateful/detail/host.hpp"
#include "crateful/detail/mark_queue.hpp"
#include "crateful/detail/message.hpp"
#include "crateful/detail/spawner.hpp"
#include "crateful/detail/type_info.hpp"
#include "crateful/dirty.hpp"
#include "crateful/entity.hpp"
#include "crateful/error.hpp"
#include "crateful/events.hpp"
#include "crateful/filters.hpp"
#include "crateful/hierarchy.hpp"
#include "crateful/profiler.hpp"
#include "crateful/storage.hpp"
#include "crateful/system.hpp"
#include "crateful/time.hpp"

namespace crateful {

class DynamicEcs;
template <class... Ts>
class Prefab;

/// A world: entities, their components, and the systems that run over them. The cost of a frame is proportional to what
/// changed, not to what exists (rule D10).
///
/// Several ECS can exist side by side and share nothing but the registry of component classes, which is thread-safe
/// (rule M3). One ECS is used by one thread at a time. Every call is allowed in every callback and takes effect
/// immediately, with two exceptions: entities are removed at the end of the update, and `update()` cannot be called in a
/// callback (rule S6). A call that is misused throws `Error` and changes nothing (rule X1). If a callback throws, the
/// call is completed, including all other callbacks; then the first exception is rethrown (rule S7).
///
/// An ECS can be neither copied nor moved, because its systems, aspects, queries and prefabs refer to it. Pass it as a
/// reference, or own it by a `std::unique_ptr<ECS>`.
class ECS : private MarkDrain {
public:
    ECS();
    ~ECS();
    ECS(const ECS&) = delete;
    ECS& operator=(const ECS&) = delete;

    // --- entities (rules E1 to E7) ------------------------------------------------------------

    /// Adds an entity without components. Throws `out_of_memory`. O(1).
    Entity add_entity();
    /// Adds `n` entities and returns them. Throws `out_of_memory`, and then adds none. O(n).
    std::vector<Entity> add_entities(std::size_t n);
    /// Fills `out` with new entities. Throws `out_of_memory`, and then adds none. O(entities).
    void add_entities(std::span<Entity> out);
    /// Adds an entity with these components, or nothing if it throws `out_of_memory` (rule E8). O(components + systems).
    template <class... Ts>
        requires(sizeof...(Ts) > 0)
    Entity add_entity(Ts... components);
    /// A list of components from which many entities can be created (rule E9). O(components).
    template <class... Ts>
    [[nodiscard]] Prefab<Ts...> prefab(Ts... components);
    /// Marks the entity for removal; it is removed at the end of the current or next update (rule E3). Calling this
    /// twice has the effect of one call. Throws `stale_entity`. O(1).
    void remove_entity(Entity e);
    /// The same for many. Throws `stale_entity` if one of them is not alive, and then marks none. O(n).
    void remove_entities(std::span<const Entity> entities);
    /// Whether the entity was added and not removed yet (rule E4). Accepts any value. O(1).
    [[nodiscard]] bool alive(Entity e) const noexcept { return pool_.alive(e); }
    /// The number of entities that are alive, without the world. O(1).
    [[nodiscard]] std::size_t count() const noexcept { return pool_.count() - 1; }
    /// An entity that exists as long as the ECS, for components that exist once (rule E10). Its handle is 0. `count()` does
    /// not count it, `clear()` keeps it and its components, and it cannot be removed.
    [[nodiscard]] static constexpr Entity world() noexcept { return Entity{0}; }
    /// Removes the entities that are marked for removal now, instead of at the end of the next update (rule E11). Throws
    /// `reentrant_update` in a callback. O(marked entities and their descendants, components and systems).
    void remove_marked();

    // --- components (rules C1 to C6, D2) ------------------------------------------------------

    /// Adds a component, or replaces the one of the same class; it signals. Throws `stale_entity`.
    /// O(systems that require or watch T).
    template <class T>
    void add(Entity e, T value = {}) {
        const auto [cls, slot] = begin_add(e, component_id<T>());
        typed<T>(*cls.storage).at(slot) = std::move(value);
        added(e, cls);
    }
    /// Gives the component of an entity this value, or adds it if it is missing (rule C10). It signals only if it was added or
    /// if the value differs: as bytes if T is trivially copyable (padding included), otherwise by its `==`. In contrast to
    /// `add`, an object that another language has for the component remains attached. Throws `stale_entity`.
    /// O(systems that require or watch T).
    template <class T>
    void set(Entity e, T value);
    /// `add(e, T(args…))` or, for a class without such a constructor, `add(e, T{args…})` (rule C10). Throws
    /// `stale_entity`. O(systems that require or watch T).
    template <class T, class... Args>
    void emplace(Entity e, Args&&... args) {
        if constexpr (std::is_constructible_v<T, Args...>) add<T>(e, T(std::forward<Args>(args)...));
        else add<T>(e, T{std::forward<Args>(args)...});
    }
    /// Adds a component to each entity. `values` contains one value for each entity, or one value for all of them.
    /// Throws `stale_entity` or `bad_argument`, and then adds none. O(entities * systems that require or watch T).
    template <class T>
    void add(std::span<const Entity> entities, std::span<const T> values);
    /// Removes a component; returns whether there was one (rule C2). Throws `stale_entity`.
    /// O(systems that require or watch T).
    template <class T>
    bool remove(Entity e) {
        return remove_component(e, component_id<T>());
    }
    /// Removes a component from each entity; returns how many were removed. Throws `stale_entity`, and then removes
    /// none. O(entities * systems that require or watch T).
    template <class T>
    std::size_t remove(std::span<const Entity> entities) {
        return remove_components(entities, component_id<T>());
    }
    /// The component of an entity. Throws `missing_component` or `stale_entity`. O(1).
    template <class T>
    [[nodiscard]] const T& get(Entity e) const;
    /// The same, but nullptr if the component is missing. Throws `stale_entity`. O(1).
    template <class T>
    [[nodiscard]] const T* try_get(Entity e) const;
    /// Whether the entity has all of these components. Throws `stale_entity`. O(classes).
    template <class... Ts>
    [[nodiscard]] bool has(Entity e) const {
        return (... && has_component(e, component_id<Ts>()));
    }
    /// Calls `change(T&)` with the component, which then signals. Throws `missing_component` or `stale_entity`.
    /// O(systems that watch T).
    template <class T, std::invocable<T&> F>
    void modify(Entity e, F&& change);
    /// Signals for a component that was changed through `storage<T>()`, `each` or the row of a query. Throws
    /// `missing_component` or `stale_entity`. O(systems that watch T).
    template <class T>
    void dirty(Entity e) {
        mark_dirty(e, component_id<T>());
    }
    /// The same for many; if it throws, none signals. O(entities * systems that watch T).
    template <class T>
    void dirty(std::span<const Entity> entities) {
        mark_dirty(entities, component_id<T>());
    }
    /// All components of a class. Writing to them does not signal. The reference is valid as long as the ECS. O(1).
    template <class T>
    [[nodiscard]] TypedStorage<T>& storage() {
        return typed<T>(storage(component_id<T>()));
    }
    /// The same, to read them.
    template <class T>
    [[nodiscard]] const TypedStorage<T>& storage() const {
        return const_cast<ECS&>(*this).storage<T>();  // if it does not exist, creating it changes nothing else
    }

    // --- hierarchy (rules H1 to H4) -----------------------------------------------------------

    /// Makes `child` a child of `parent`, the last one or the one in front of `before`; with NONE, it has no parent any more.
    /// It then has a component Parent. Removing the parent removes its descendants too. Throws `stale_entity`, and
    /// `bad_argument` if `child` is `parent` or one of its ancestors, or if `before` is no other child of `parent`. O(1 + systems
    /// that require or watch Parent); O(depth) if `child` has children.
    void set_parent(Entity child, Entity parent, Entity before = NONE);
    /// The parent of an entity, or NONE. Throws `stale_entity`. O(1).
    [[nodiscard]] Entity parent(Entity e) const;
    /// The children of an entity, in their order. Throws `stale_entity`. O(1).
    [[nodiscard]] Children children(Entity e) const;

    // --- queries (rules Q1, Q5, Q7, Q9) -------------------------------------------------------

    /// The entities that have all of these components, as rows:
    ///
    ///     for (auto [entity, position, velocity] : ecs.query<Position, const Velocity>(exclude<Frozen>)) { … }
    ///
    /// The filters, in any order, are `exclude<Cs...>`, `any<Cs...>` and `optional<Cs...>`, which adds a pointer for
    /// each class to the row. A query can be created at any time, is always up to date, and needs no disposal. Its
    /// components are constant if their class is named so, and all are in a const ECS. O(classes).
    template <class... Ts, class... Filters>
    [[nodiscard]] auto query(Filters... /*filters*/) {
        static_assert((... && internal::is_filter<Filters>), "query: the filters are exclude, any and optional");
        return internal::QueryFor<Require<Ts...>, Filters...>(*this);
    }
    /// The same; all components in its rows are constant.
    template <class... Ts, class... Filters>
    [[nodiscard]] auto query(Filters... /*filters*/) const {
        static_assert((... && internal::is_filter<Filters>), "query: the filters are exclude, any and optional");
        return internal::ConstQueryFor<Require<Ts...>, Filters...>(*this);
    }
    /// Short for `query<Ts...>().each(visit)`, which does not signal. O(entities with the rarest class).
    template <class... Ts, class Visit>
    void each(Visit&& visit) {
        query<Ts...>().each(visit);
    }
    /// The same; all components are constant.
    template <class... Ts, class Visit>
    void each(Visit&& visit) const {
        query<Ts...>().each(visit);
    }

    // --- systems (rules S1 to S8) -------------------------------------------------------------

    /// Constructs a system from `args` and adds it. Systems with lower priority run first; those of equal priority run
    /// in the order of addition, unless `before` and `after` say otherwise (rule S10). Calls `init()`, then `on_add` for
    /// each entity that the system starts to track. Throws `bad_system`, and then adds nothing, if the system requires no
    /// class (rule S2), if its filters, constraints or interval are impossible (rules S9 to S12), or if the priority is not
    /// finite. O(systems² + entities that have the rarest required class).
    template <std::derived_from<SystemBase> S, class... Args>
    S& add_system(double priority, Args&&... args) {
        return add_system(priority, std::make_unique<S>(std::forward<Args>(args)...));
    }
    /// The same for an existing system. S must be the class of the object: its name and `get_system<S>()` depend on it.
    /// Throws `bad_system` for a null pointer too.
    template <std::derived_from<SystemBase> S>
    S& add_system(double priority, std::unique_ptr<S> system) {
        static_assert(!std::is_abstract_v<S>, "add_system takes a pointer to the system's own class");
        S* added = system.get();
        internal::SystemClass cls{.name = internal::class_name<S>(), .id = internal::type_id<S>()};
        if constexpr (requires { S::template describe_hooks<S>(cls); }) S::template describe_hooks<S>(cls);
        insert_system(priority, std::move(system), cls);
        return *added;
    }
    /// Removes a system: calls `on_remove` for each entity that it tracks, and destroys it. During an update, the
    /// removal takes effect at the end of the update (rule S3). Throws `bad_system` if it was not added to this ECS.
    /// O(systems + entities that it tracks).
    void remove_system(SystemBase& system);
    /// The first added system of exactly the class S; systems of derived classes are not found. Throws `bad_system` if
    /// none was added. O(systems).
    template <std::derived_from<SystemBase> S>
    [[nodiscard]] S& get_system() const {
        return static_cast<S&>(find_system(internal::type_id<S>(), internal::class_name<S>()));
    }
    /// The first added system with this name (rule S14). Throws `bad_system` if there is none. O(systems).
    [[nodiscard]] SystemBase& get_system(std::string_view name) const;
    /// Enables a system, and calls its `on_enabled` if it was disabled (rule S4). Throws `bad_system` if it was not added.
    void enable_system(SystemBase& system);
    /// Disables a system, and calls its `on_disabled` if it was enabled (rule S4). Throws `bad_system` if it was not added.
    void disable_system(SystemBase& system);
    /// Enables a disabled system, disables an enabled one. Throws `bad_system` if it was not added.
    void toggle_system(SystemBase& system);
    /// All systems, in the order in which they run. O(systems).
    [[nodiscard]] std::vector<SystemBase*> systems() const;

    // --- time (rules M1, M2, K1) --------------------------------------------------------------

    /// Runs one frame: delivers delayed events, runs each enabled system, then removes the entities that are marked for
    /// removal. `wall_delta` is in seconds; returns the effective delta in seconds. Throws `bad_argument` unless
    /// `wall_delta` is finite and not negative, `reentrant_update` in a callback. A frame in which nothing changed
    /// costs O(systems) (rule D10).
    double update(double wall_delta = 1.0 / 60);
    /// Removes all entities immediately, and then calls `on_clear` for each system (rule K1). Systems stay. In a callback of
    /// `clear()` it has no effect. O(entities and their components + systems).
    void clear();

    /// Events and their handlers.
    EventsManager events;
    /// Measures the time of systems.
    Profiler profiler;
    /// Game time, slow motion and pause.
    [[nodiscard]] Clock& clock() noexcept { return clock_; }
    /// The same, to read it.
    [[nodiscard]] const Clock& clock() const noexcept { return clock_; }
    /// Slow motion of the game time (rule M2).
    [[nodiscard]] SlowMotion& slow_motion() noexcept { return clock_.slow_motion; }
    /// The same, to read it.
    [[nodiscard]] const SlowMotion& slow_motion() const noexcept { return clock_.slow_motion; }
    /// While the ECS is paused, the effective delta is 0, and only debug systems run (rules M2, S5).
    [[nodiscard]] bool paused() const noexcept { return clock_.paused; }
    /// Pauses the ECS, or continues it; takes effect at the next update.
    void set_paused(bool on) noexcept { clock_.paused = on; }
    /// The sum of all effective deltas, in seconds.
    [[nodiscard]] double game_time() const noexcept { return clock_.game_time(); }
    /// The sum of all wall deltas, in seconds.
    [[nodiscard]] double wall_time() const noexcept { return clock_.wall_time(); }
    /// The memory of each storage, compared with the other policy (rule T3). O(classes).
    [[nodiscard]] std::vector<StorageReport> memory_report() const;

    /// The same operations for classes that are known by id only, and access for language bindings.
    [[nodiscard]] DynamicEcs by_id() noexcept;

private:
    friend class Aspect;
    friend class DynamicEcs;
    template <class, class, class, class>
    friend class Query;
    template <class...>
    friend class Prefab;

    // The state of one component class in this ECS.
    // A system in the lists of a class.
    struct Entry {
        SystemBase* system;        // nullptr if removed during a callback
        std::uint32_t first_word;  // of its signature, so that most systems are ruled out without a look at them
        bool has_more;             // there are other conditions
        bool itself;               // it watches the class: the entity of the component becomes dirty
        bool descendants;          // and its descendants (rule D13)
    };
    using Entries = std::vector<Entry>;  // in running order
    struct ComponentClass {
        ComponentClass(std::unique_ptr<Storage> components, ComponentId id) : storage(std::move(components)), bit(id) {}
        std::unique_ptr<Storage> storage;
        EntityPool::ClassBit bit;
        Entries requiring;  // the systems that require the class
        Entries filtering;  // that exclude the class, or accept it among others
        Entries leading;    // the requiring systems of whose required classes this is the first
        Entries watching;
        [[nodiscard]] bool unused() const noexcept {
            return requiring.empty() && watching.empty() && filtering.empty();
        }
    };
    // A component that is being added: the caller writes its value, and then calls `added`.
    struct Added {
        ComponentClass& cls;
        std::uint32_t slot;
    };
    struct Parked {
        Entity entity;
        ComponentId id;
    };
    class Operation;

    // Components by id; see DynamicEcs.
    void add_component(Entity e, ComponentId id, const std::byte* packed, std::uint8_t flags);
    template <class Write>
    void add_components(std::span<const Entity> entities, ComponentId id, Write&& write);
    bool remove_component(Entity e, ComponentId id);
    std::size_t remove_components(std::span<const Entity> entities, ComponentId id);
    [[nodiscard]] bool has_component(Entity e, ComponentId id) const;
    void mark_dirty(Entity e, ComponentId id);
    void mark_dirty(std::span<const Entity> entities, ComponentId id);
    void set_host(Host* host) noexcept;
    [[nodiscard]] Storage& storage(ComponentId id) { return *component_class(id).storage; }
    [[nodiscard]] Storage* find_storage(ComponentId id) const noexcept {
        return id < classes_.size() && classes_[id] ? classes_[id]->storage.get() : nullptr;
    }
    [[nodiscard]] ComponentClass* find_class(ComponentId id) const noexcept {
        return id < classes_.size() ? classes_[id].get() : nullptr;
    }
    [[nodiscard]] int find_parked(Entity e, ComponentId id) const noexcept;
    [[nodiscard]] int parked_count(Entity e, ComponentId id) const noexcept;
    [[noreturn]] void throw_missing(Entity e, ComponentId id, const char* call) const;

    template <class T>
    [[nodiscard]] static TypedStorage<T>& typed(Storage& s) noexcept {
        return static_cast<TypedStorage<T>&>(s);
    }
    Added begin_add(Entity e, ComponentId id);
    void added(Entity e, ComponentClass& cls) {
        if (!cls.unused()) notify_added(e, cls);
    }
    void notify_added(Entity e, ComponentClass& cls);
    void detach_object(Entity e, ComponentId id, std::uint8_t& flags);
    void add_filled(std::span<const Entity> entities, ComponentId id, internal::Fill fill, void* context);
    void remove_and_notify(Entity e, ComponentClass& cls, std::uint32_t slot, FirstError& error);
    // Throws if a call other than `set_parent` concerns Parent.
    static void require_free(ComponentId id, const char* call) {
        if (id == PARENT_ID) fail_parent(call);
    }
    [[noreturn]] static void fail_parent(const char* call);
    void check_parent(Entity child, Entity parent, Entity before) const;
    void detach_from_parent(Entity child) noexcept;
    ComponentClass& component_class(ComponentId id) {
        return id < classes_.size() && classes_[id] ? *classes_[id] : make_component_class(id);
    }
    ComponentClass& make_component_class(ComponentId id);
    [[nodiscard]] static bool calls_no_on_remove(const ComponentClass& cls) noexcept;

    void spawn(internal::Spawner& spawner, std::span<Entity> out, internal::Fill fill, void* context);
    // Adds the components to living entities that have none; destroys the entities if it fails.
    void compose(internal::Spawner& spawner, std::span<const Entity> entities, internal::Fill fill, void* context);
    void compose_one(internal::Spawner& spawner, Entity e, internal::Fill fill, void* context);
    void compose_many(internal::Spawner& spawner, std::span<const Entity> entities, internal::Fill fill, void* context);
    void find_systems(internal::Spawner& spawner);
    void place(ComponentClass& cls, std::span<const Entity> entities, internal::Fill fill, void* context);
    void start_tracking(internal::Spawner& spawner, std::span<const Entity> entities);

    void require_alive(Entity e, const char* call) const {
        if (!alive(e)) throw_stale(e, call);
    }
    [[noreturn]] void throw_stale(Entity e, const char* call) const;
    void update_handles() noexcept;
    [[nodiscard]] bool may_call_on_remove() const;
    [[nodiscard]] bool calls_on_remove(Entity e) const;
    [[nodiscard]] std::size_t count_silent(std::span<const Entity> entities) const;
    void remove_silently(std::span<const Entity> entities);
    void erase_from(Storage& s, Entity e);
    void erase_from(Storage& s, Entity e, std::uint32_t slot) {
        if (s.has_object(slot) && host_ != nullptr) host_->component_detached(e, s.type().id, true);
        s.erase(e, slot);
    }
    void erase_from(ComponentClass& cls, std::span<const Entity> entities, std::size_t n);
    static void stop_tracking(const Entry& r, const ComponentClass& cls, std::span<const Entity> entities) noexcept;
    void erase_all(Storage& s);
    void erase_all_except(Storage& s, Entity kept);
    void destroy_handle(Entity e);
    void mark_for_removal(Entity e);
    void mark_children();
    void mark_children(Entity parent);
    void run_removal_phase(FirstError& error);

    // The bit of a class in the signature of an entity.
    void set_class(Entity e, const ComponentClass& cls) noexcept { pool_.signature(e)[cls.bit.word] |= cls.bit.mask; }
    void reset_class(Entity e, const ComponentClass& cls) noexcept {
        pool_.signature(e)[cls.bit.word] &= ~cls.bit.mask;
    }
    // Whether the system selects entities with these components.
    [[nodiscard]] bool selects(const Entry& r, Entity e) const noexcept {
        const std::uint32_t* bits = pool_.signature(e);
        return (bits[0] & r.first_word) == r.first_word &&
               (!r.has_more || (r.system != nullptr && selects(*r.system, bits)));
    }
    [[nodiscard]] static bool selects(const SystemBase& system, const std::uint32_t* bits) noexcept;
    // Whether they include all that the system requires.
    [[nodiscard]] static bool has_required(const SystemBase& system, const std::uint32_t* bits) noexcept;
    // Whether systems may start to track the entity.
    [[nodiscard]] bool can_be_tracked(Entity e) const noexcept {
        return alive(e) && e != being_removed_ && (clearing_ != Clearing::removing || e == world());
    }
    [[nodiscard]] bool matches(const SystemBase& system, Entity e) const noexcept;

    // They must be alive, and must not be a list of the systems.
    void mark(const ComponentClass& cls, Entity e) {
        for (const Entry& w : cls.watching) {
            if (w.system == nullptr) continue;
            if (w.descendants) mark_down(*w.system, e, w.itself);
            else if (w.system->tracks(e)) w.system->dirty_.mark(e);
        }
    }
    void mark(const Entry& w, std::span<const Entity> entities);
    void mark(const ComponentClass& cls, std::span<const Entity> entities) {
        for (const Entry& w : cls.watching) mark(w, entities);
    }
    void mark_down(SystemBase& system, Entity e, bool itself, bool moved = false);
    void mark_moved(Entity e);
    void sort_top_down(DirtySet& dirty) final;
    void mark_present(Entity e, ComponentId id);
    void drain_queue() final;

    void update_tracking(Entity e, ComponentClass& cls, FirstError& error, std::size_t first = 0);
    void update_tracking(SystemBase* system, Entity e, FirstError& error);
    void update_tracking(std::span<const Entity> entities, ComponentClass& cls, FirstError& error);
    void track(SystemBase& system, Entity e, FirstError& error);
    void untrack(SystemBase& system, Entity e, FirstError& error);
    void untrack_from_all(Entity e, FirstError& error);

    void insert_system(double priority, std::unique_ptr<SystemBase> owned, const internal::SystemClass& cls);
    template <class Fits>
    [[nodiscard]] SystemBase* first_added(Fits&& fits) const;
    [[nodiscard]] SystemBase& find_system(const void* class_id, std::string_view class_name) const;
    void require_added(const SystemBase& system, const char* call) const;
    static void require_valid(const SystemBase& system, double priority);
    [[nodiscard]] std::vector<SystemBase*> running_order(SystemBase& added) const;
    template <class Visit>
    static void each_watched(const SystemBase& system, Visit&& visit);
    void add_to_lists(SystemBase& system, bool only_room);
    void remove_from_lists(SystemBase& system);
    void remove_now(SystemBase& system, FirstError& error);
    void compact();
    void run_systems(double delta, FirstError& error);

    EntityPool pool_;
    Hierarchy hierarchy_;
    std::vector<std::unique_ptr<ComponentClass>> classes_;      // by ComponentId
    std::vector<std::unique_ptr<SystemBase>> systems_;          // in running order
    std::vector<std::unique_ptr<SystemBase>> removed_systems_;  // destroyed when no operation is in progress
    Entries inheriting_;                                        // the systems with `watch_ancestors`
    std::vector<Entity> above_;                                 // of sort_top_down()
    std::vector<SystemBase*> frame_;                            // the systems of the running or last update
    std::vector<SystemBase*> untracking_;                       // stack of untrack_from_all()
    std::vector<Parked> parked_;
    std::vector<Entity> pending_removals_;  // those before `next_removal_` were removed
    std::size_t next_removal_ = 0;
    std::size_t next_parent_ = 0;  // the first of them whose children may not be in the list yet
    Entity being_removed_ = NONE;  // its removal has begun: no system starts to track it
    Clock clock_;
    Host* host_ = nullptr;
    std::uint64_t next_sequence_ = 0;
    std::uint64_t systems_version_ = 1;     // incremented when a system is added or removed
    int depth_ = 0;                         // number of operations in progress
    bool lists_have_gaps_ = false;          // of ComponentClass
    bool system_removals_pending_ = false;  // until the end of the update
    bool updating_ = false;
    enum class Clearing : unsigned char { no, removing, notifying } clearing_ = Clearing::no;
};

}  // namespace crateful

#include "crateful/detail/dynamic_ecs.hpp"
#include "crateful/detail/ecs_templates.hpp"
#include "crateful/prefab.hpp"
#include "crateful/query.hpp"
