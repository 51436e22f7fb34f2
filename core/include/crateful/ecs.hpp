#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "crateful/aspect.hpp"
#include "crateful/component.hpp"
#include "crateful/detail/before.hpp"
#include "crateful/detail/frame_listener.hpp"
#include "crateful/detail/function_system.hpp"
#include "crateful/detail/message.hpp"
#include "crateful/detail/schedule.hpp"
#include "crateful/detail/structure.hpp"
#include "crateful/detail/type_info.hpp"
#include "crateful/dirty.hpp"
#include "crateful/entity.hpp"
#include "crateful/error.hpp"
#include "crateful/events.hpp"
#include "crateful/filters.hpp"
#include "crateful/found_entities.hpp"
#include "crateful/hierarchy.hpp"
#include "crateful/inbox.hpp"
#include "crateful/index.hpp"
#include "crateful/link.hpp"
#include "crateful/ordered_query.hpp"
#include "crateful/profiler.hpp"
#include "crateful/storage.hpp"
#include "crateful/string.hpp"
#include "crateful/system.hpp"
#include "crateful/time.hpp"

namespace crateful {

class DynamicEcs;
template <class... Ts>
class Prefab;
namespace internal {
class UnsignalledWrites;
}  // namespace internal

/// Options of `ECS::clone`.
struct CloneOptions {
    bool children = false;  ///< whether the descendants of the entity are cloned, too
};

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
class ECS {
public:
    ECS() { events.connect(tracking()); }
    /// Destroys the systems, then the components; what their destructors add is destroyed too (rule T5).
    ~ECS();
    ECS(const ECS&) = delete;
    ECS& operator=(const ECS&) = delete;

    // --- entities (rules E1 to E7) ------------------------------------------------------------

    /// Adds an entity without components. Throws `out_of_memory`. O(1).
    Entity add_entity() { return structure_.add_entity(); }
    /// Adds `n` entities and returns them. Throws `out_of_memory`, and then adds none. O(n).
    std::vector<Entity> add_entities(std::size_t n);
    /// Fills `out` with new entities. Throws `out_of_memory`, and then adds none. O(entities).
    void add_entities(std::span<Entity> out) { structure_.add_entities(out); }
    /// Adds an entity with these components, or nothing if it throws `out_of_memory` (rule E8). O(components + systems).
    template <class... Ts>
        requires(sizeof...(Ts) > 0)
    Entity add_entity(Ts... components);
    /// A list of components from which many entities can be created (rule E9). O(components).
    template <class... Ts>
    [[nodiscard]] Prefab<Ts...> prefab(Ts... components);
    /// Creates an entity with copies of the components of `e`, with the same parent, as its last child, or nothing if it throws (rule E13).
    /// `overrides` are used in place of components of the same classes, or added. Classes that are not trivially copyable are copied by
    /// their codec (`describe_component`). Throws `stale_entity`, and `bad_argument` for the world, and for a class that can be copied
    /// neither way. O(components + systems that track it).
    template <class... Ts>
    Entity clone(Entity e, Ts... overrides) {
        return clone(e, CloneOptions{}, std::move(overrides)...);
    }
    /// As the function above, with options: `ecs.clone(ship, {.children = true})`.
    template <class... Ts>
    Entity clone(Entity e, CloneOptions options, Ts... overrides);
    /// Marks the entity for removal; it is removed at the end of the current or next update (rule E3). Returns whether this
    /// call marked it: false if it was marked already. Throws `stale_entity`. O(1).
    bool remove_entity(Entity e) { return remove_entities(std::span(&e, 1)) != 0; }
    /// Marks several entities for removal; returns how many this call marked. Throws `stale_entity` if one of them is not alive,
    /// and then marks none. O(n).
    std::size_t remove_entities(std::span<const Entity> entities) { return structure_.mark_for_removal(entities); }
    /// Whether the entity was added and not removed yet (rule E4). Accepts any value. O(1).
    [[nodiscard]] bool alive(Entity e) const noexcept { return structure_.alive(e); }
    /// The number of entities that are alive, without the world. O(1).
    [[nodiscard]] std::size_t count() const noexcept { return tracking().pool.count() - 1; }
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
    void add(Entity e, T value = {});
    /// Adds several components to an entity, either all or none, and replaces those of the same classes (rule E14): systems see all
    /// of them when they start to track the entity. Throws `stale_entity`, and then adds none.
    /// O(components + systems that require or watch their classes).
    template <class T, class U, class... Rest>
    void add(Entity e, T first, U second, Rest... rest);
    /// Gives the component of an entity this value, or adds it if it is missing (rule C10). It signals only if it was added or
    /// if the value differs: equal bytes never differ. Others do if T is trivially copyable, unless it has an `==` of its own for which
    /// they are equal and bytes that do not matter, as between members. For other classes, `==` decides. In contrast to
    /// `add`, an object that another language has for the component remains attached. Throws `stale_entity`.
    /// O(systems that require or watch T).
    template <class T>
    void set(Entity e, T value);
    /// `add(e, T(args…))` or, for an aggregate, `add(e, T{args…})`, in which arguments are converted to the types of the members
    /// (rule C10). Throws `stale_entity`. O(systems that require or watch T).
    template <class T, class... Args>
    void emplace(Entity e, Args&&... args);
    /// Adds a component to each entity. `values` contains one value for each entity, or one value for all of them.
    /// Throws `stale_entity` or `bad_argument`, and then adds none. O(entities * systems that require or watch T).
    template <class T>
    void add(std::span<const Entity> entities, std::span<const T> values);
    /// Adds the same value to each entity; by default that of `T()`, for tags: `ecs.add<Parked>(cars)`.
    template <class T>
    void add(std::span<const Entity> entities, const T& value = T()) {
        add<T>(entities, std::span(&value, 1));
    }
    /// Removes a component; returns whether there was one (rule C2). Throws `stale_entity`.
    /// O(systems that require or watch T).
    template <class T>
    bool remove(Entity e);
    /// Removes several components, in this order; returns whether there was one (rule C2).
    template <class T, class U, class... Rest>
    bool remove(Entity e) {
        static constexpr std::size_t N = sizeof...(Rest) + 2;
        const std::array<ComponentId, N> ids{component_id<T>(), component_id<U>(), component_id<Rest>()...};
        return structure_.remove(e, ids);
    }
    /// Removes a component from each entity; returns how many were removed. Throws `stale_entity`, and then removes
    /// none. O(entities * systems that require or watch T).
    template <class T>
    std::size_t remove(std::span<const Entity> entities) {
        return structure_.remove(entities, component_id<T>());
    }
    /// The component of an entity. Throws `missing_component` or `stale_entity`. O(1).
    template <class T>
    [[nodiscard]] const T& get(Entity e) const;
    /// The same, but nullptr if the component is missing, or the entity is not alive (rule E5). O(1).
    template <class T>
    [[nodiscard]] const T* try_get(Entity e) const;
    /// Whether the entity is alive and has all of these components (rule E5). O(classes).
    template <class... Ts>
    [[nodiscard]] bool has(Entity e) const {
        return (... && structure_.has(e, component_id<Ts>()));
    }
    /// Calls `change(T&)` with the component, which then signals. Throws `missing_component` or `stale_entity`.
    /// O(systems that watch T).
    template <class T, std::invocable<T&> F>
    void modify(Entity e, F&& change);
    /// Signals for a component that was changed through `storage<T>()`, `each` or the row of a query. Throws
    /// `missing_component` or `stale_entity`. O(systems that watch T).
    template <class T>
    void dirty(Entity e) {
        structure_.dirty(e, component_id<T>());
    }
    /// Signals for the components of several entities; if it throws, none signals. O(entities * systems that watch T).
    template <class T>
    void dirty(std::span<const Entity> entities) {
        structure_.dirty(entities, component_id<T>());
    }
    /// Sorts the components of a class, and with them its entities (rule T6): `less(const T&, const T&)` or
    /// `less(Entity, Entity)` returns whether the first one is in front of the second. Equal ones keep their order. Loops over
    /// the storage, and over queries of which T is the rarest required class, follow the new order. Nothing signals.
    ///
    /// Throws `bad_argument`, and changes nothing, if the policy of T is `linear`, if an iteration over the storage is in
    /// progress, or if `less` adds or removes components of T. O(n) comparisons if they are sorted, and then nothing is moved or
    /// allocated; otherwise O(n log n) comparisons and O(n) moves, for n components.
    template <class T, class Less>
    void sort(Less less);
    /// All components of a class. Writing to them does not signal. The reference is valid as long as the ECS. O(1).
    template <class T>
    [[nodiscard]] TypedStorage<T>& storage() {
        return static_cast<TypedStorage<T>&>(structure_.storage(component_id<T>()));
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
    void set_parent(Entity child, Entity parent, Entity before = NONE) { structure_.set_parent(child, parent, before); }
    /// The parent of an entity, or NONE; also NONE if the entity is not alive. O(1).
    [[nodiscard]] Entity parent(Entity e) const { return structure_.parent(e); }
    /// The children of an entity, in their order. An entity that is not alive has none. O(1).
    [[nodiscard]] Children children(Entity e) const;

    // --- links (rule C15) ---------------------------------------------------------------------

    /// The entities whose component of class T refers to `e` by its only member of type Link, in the order of their indices. An
    /// entity that is not alive has none. Throws `bad_argument` if T has no such member that is described, or several. O(result +
    /// components of class T that changed since the last call). It updates lists, so two threads cannot call it at the same time, also for
    /// a const ECS.
    template <class T>
    [[nodiscard]] FoundEntities linked(Entity e) const {
        return linked_by(component_id<T>(), internal::Tracking::ONLY_LINK, e);
    }
    /// The same for one of several members: `ecs.linked(&Cable::from, e)`; of a member of a base class,
    /// `ecs.linked<Cable>(&Cable::from, e)`.
    template <class T>
    [[nodiscard]] FoundEntities linked(Link T::* member, Entity e) const;
    /// The same for the member that is described under this name: `ecs.linked<Cable>("from", e)`. That of an element of an array
    /// ends with its number: "ends0".
    template <class T>
    [[nodiscard]] FoundEntities linked(std::string_view field, Entity e) const;

    /// Finds entities by the value of a member, `ecs.index(&Unit::name).first("guard")` (rule Q11): a number, bool, enum, Entity, Link or
    /// described String; of a member of a base class, `ecs.index<Unit>(&Named::name)`. Indices of the same member share their memory,
    /// which exists as long as the ECS. O(1).
    template <class T, class M>
    [[nodiscard]] Index<M> index(M T::* member) const;
    template <class T, class Base, class M>
        requires(std::is_base_of_v<Base, T> && !std::is_same_v<Base, T>)
    [[nodiscard]] Index<M> index(M Base::* member) const {
        return index(static_cast<M T::*>(member));
    }

    // --- strings (rule C13) -------------------------------------------------------------------

    /// The string with this text, which is added if necessary: `ecs.add<Name>(e, {ecs.string("crate")})`. The text is UTF-8, and may
    /// contain any bytes. Outside of callbacks, a call can free strings that nothing uses: see `String` for how long one is valid.
    /// Throws `std::bad_alloc`. O(bytes), amortised.
    [[nodiscard]] String string(std::string_view text) { return tracking().string(text); }
    /// The text of a string of this ECS, at the same address as long as the string is valid. Throws `bad_argument` if there is none with
    /// its number. O(1).
    [[nodiscard]] std::string_view text(String s) const { return tracking().strings.text(s); }

    // --- queries (rules H5, Q1, Q5, Q7, Q9) ---------------------------------------------------

    /// The entities that have all of these components, as rows:
    ///
    ///     for (auto [entity, position, velocity] : ecs.query<Position, const Velocity>(exclude<Frozen>)) { … }
    ///
    /// The filters, in any order, are `exclude<Cs...>`, `any<Cs...>` and `optional<Cs...>`, which adds a pointer for
    /// each class to the row; behind these, `parent<Cs...>` adds one to each of these components of the entity's parent
    /// (rule H5). With `order_by(&Sprite::depth)`, rows are sorted (rule Q10): the result is an OrderedQuery. A query can be created at any time, is always up to date, and needs no disposal. Its
    /// components are constant if their class is named so, and all are in a const ECS. O(classes).
    template <class... Ts, class... Filters>
    [[nodiscard]] auto query([[maybe_unused]] Filters... filters) {
        static_assert((... && (internal::is_filter<Filters> || internal::is_order<Filters>)),
                      "query: the filters are exclude, any, optional and parent; order_by sorts");
        const internal::QueryFor<Require<Ts...>, Filters...> query(*this);
        if constexpr ((... || internal::is_order<Filters>)) return ordered<Ts...>(query, filters...);
        else return query;
    }
    /// The same; all components in its rows are constant.
    template <class... Ts, class... Filters>
    [[nodiscard]] auto query([[maybe_unused]] Filters... filters) const {
        static_assert((... && (internal::is_filter<Filters> || internal::is_order<Filters>)),
                      "query: the filters are exclude, any, optional and parent; order_by sorts");
        const internal::ConstQueryFor<Require<Ts...>, Filters...> query(*this);
        if constexpr ((... || internal::is_order<Filters>)) return ordered<Ts...>(query, filters...);
        else return query;
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
        if constexpr (requires { S::template describe_hooks_<S>(cls); }) {
            S::template describe_hooks_<S>(cls);
            if (added != nullptr) static_cast<SystemBase*>(added)->check_class_(cls.name);
        }
        schedule_.add(*this, priority, std::move(system), cls);
        return *added;
    }
    /// Adds a function as a system that uses no entities (rule S12): `ecs.add_system(10, "Move", [](ECS& ecs, double delta) { … })`
    /// calls it once per frame. It can use queries; it tracks nothing, and has no dirty set.
    template <std::invocable<ECS&, double> F>
    SystemBase& add_system(double priority, std::string name, F function) {
        using Made = internal::FunctionSystem<F>;
        return add_system(priority, std::make_unique<Made>(std::move(name), std::move(function)));
    }
    /// The same with options: `ecs.add_system(10, "Spawn", spawn, {.interval = 0.5})`. Throws `bad_system` for an interval or
    /// constraints that are impossible (rules S10, S11).
    template <std::invocable<ECS&, double> F>
    SystemBase& add_system(double priority, std::string name, F function, FunctionOptions options) {
        using Made = internal::FunctionWithOptions<F>;
        return add_system(priority, std::make_unique<Made>(std::move(name), std::move(function), std::move(options)));
    }
    /// A function with other parameters does not compile.
    template <class F>
        requires(!std::invocable<F, ECS&, double> && !std::derived_from<F, SystemBase>)
    void add_system(double /*priority*/, std::string /*name*/, F /*update*/, const FunctionOptions& /*options*/ = {}) {
        static_assert(!sizeof(F),
                      "add_system: a function that is a system has the parameters (ECS& ecs, double delta)");
    }
    /// Removes a system: calls `on_remove` for each entity that it tracks, and destroys it. During an update, the
    /// removal takes effect at the end of the update (rule S3). Throws `bad_system` if it was not added to this ECS.
    /// O(systems + entities that it tracks).
    void remove_system(SystemBase& system) { schedule_.remove(system); }
    /// The first added system of exactly the class S; systems of derived classes are not found. Throws `bad_system` if
    /// none was added. O(systems).
    template <std::derived_from<SystemBase> S>
    [[nodiscard]] S& get_system() const {
        return static_cast<S&>(schedule_.find(internal::type_id<S>(), internal::class_name<S>()));
    }
    /// The first added system with this name (rule S14). Throws `bad_system` if there is none. O(systems).
    [[nodiscard]] SystemBase& get_system(std::string_view name) const { return schedule_.find(name); }
    /// Enables a system, and calls its `on_enabled` if it was disabled (rule S4). Throws `bad_system` if it was not added.
    void enable_system(SystemBase& system) { schedule_.set_enabled(system, true, "enable_system"); }
    /// Disables a system, and calls its `on_disabled` if it was enabled (rule S4). Throws `bad_system` if it was not added.
    void disable_system(SystemBase& system) { schedule_.set_enabled(system, false, "disable_system"); }
    /// Enables a disabled system, disables an enabled one. Throws `bad_system` if it was not added.
    void toggle_system(SystemBase& system) { schedule_.set_enabled(system, !system.enabled(), "toggle_system"); }
    /// All systems, in the order in which they run. O(systems).
    [[nodiscard]] std::vector<SystemBase*> systems() const { return schedule_.systems(); }

    // --- time (rules M1, M2, K1) --------------------------------------------------------------

    /// Runs one frame: delivers delayed events, runs each enabled system, then removes the entities that are marked for
    /// removal. `wall_delta` is in seconds; returns the effective delta in seconds. Throws `bad_argument` unless
    /// `wall_delta` is finite and not negative, `reentrant_update` in a callback. A frame in which nothing changed
    /// costs O(systems) (rule D10).
    double update(double wall_delta = 1.0 / 60) { return update(wall_delta, clock_.time_scale()); }
    /// The same with this time scale in place of that of the clock (rule M5): a loop with fixed steps passes 1, because the scale
    /// decides how many steps it makes.
    double update(double wall_delta, double time_scale);
    /// Runs systems in this order, each once, outside of updates (rule S19): for tests, and servers that run some systems at another
    /// rate. Each finds its dirty set, which is empty afterwards. No time passes, marked entities stay, and it is not asked whether the
    /// systems are enabled or due. If one throws, the others do not run, and its error is rethrown. Throws `bad_system` if one was not
    /// added to this ECS, `bad_argument` unless `delta` is finite and not negative, and `reentrant_update` in a callback.
    void run(std::span<SystemBase* const> systems, double delta = 1.0 / 60);
    /// The same: `ecs.run({&move, &collide}, 0.1)`.
    void run(std::initializer_list<SystemBase*> systems, double delta = 1.0 / 60) {
        run(std::span(systems.begin(), systems.size()), delta);
    }
    /// The same for one system.
    void run(SystemBase& system, double delta = 1.0 / 60) { run({&system}, delta); }
    /// Calls `f`, which makes frames again: `ecs.replay([&] { rewind.to(3); ecs.update(); })` (rule S20). Until it has ended, `replaying()` is
    /// true, and updates skip observers (rule S18), which track entities all the same, and find in the next update after it what has changed.
    /// Calls can be nested; what `f` throws is rethrown.
    template <std::invocable F>
    void replay(F&& f) {
        struct Replaying {
            bool& is;
            const bool before;
            ~Replaying() { is = before; }
        };
        [[maybe_unused]] const Replaying replaying{replaying_, std::exchange(replaying_, true)};
        std::forward<F>(f)();
    }
    /// Whether a call of `replay` is in progress, for what must not happen again: sounds, effects, messages.
    [[nodiscard]] bool replaying() const noexcept { return replaying_; }
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
    friend class internal::StateAccess;
    friend class internal::UnsignalledWrites;
    template <class, class, class, class, class>
    friend class Query;
    template <class...>
    friend class Prefab;

    [[nodiscard]] internal::Tracking& tracking() noexcept { return structure_.tracking; }
    [[nodiscard]] const internal::Tracking& tracking() const noexcept { return structure_.tracking; }
    template <class... Ts, class Query, class... Filters>
    [[nodiscard]] OrderedQuery<Query> ordered(const Query& query, const Filters&... filters) const;
    template <class T, class M>
    [[nodiscard]] internal::Order& order(const char* call, M T::* member, bool descending);
    [[nodiscard]] FoundEntities linked_by(ComponentId id, std::size_t field, Entity e) const;
    [[nodiscard]] bool frame_stays() const noexcept;
    void end_frame(bool destroyed) noexcept;
    bool run_systems(const std::vector<SystemBase*>& frame, double delta, bool paused, FirstError& error);
    bool run_system(SystemBase& system, double delta, FirstError& error);

    Clock clock_;
    bool clearing_ = false;         // a call of clear() is in progress
    bool replaying_ = false;        // one of replay()
    std::shared_ptr<void> writes_;  // the UnsignalledWrites, in builds without NDEBUG
    internal::FrameListener* listeners_ = nullptr;
    internal::Structure structure_;
    internal::Schedule schedule_{structure_.tracking};
};

}  // namespace crateful

#include "crateful/detail/ecs_templates.hpp"

#include "crateful/detail/dynamic_ecs.hpp"
#include "crateful/prefab.hpp"
#include "crateful/query.hpp"
