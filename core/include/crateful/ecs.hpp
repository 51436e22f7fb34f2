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
#include "crateful/detail/type_info.hpp"
#include "crateful/dirty.hpp"
#include "crateful/entity.hpp"
#include "crateful/error.hpp"
#include "crateful/events.hpp"
#include "crateful/first_error.hpp"
#include "crateful/host.hpp"
#include "crateful/profiler.hpp"
#include "crateful/storage.hpp"
#include "crateful/system.hpp"
#include "crateful/time.hpp"

namespace crateful {

/// A world: entities, their components, and the systems that run over them. The cost of a frame
/// follows what changed, not what exists.
///
/// Worlds share nothing and may live side by side (rule M3); one world belongs to one thread. Every
/// call is allowed inside every callback and takes effect at once, except that entities leave at the
/// end of the update, and `update()` may not be re-entered (rule S6). Misuse throws `Error` and
/// changes nothing (rule X1); if callbacks throw, the call is completed for everybody else and the
/// first exception is rethrown (rule S7).
class ECS : private MarkDrain {
public:
    ECS();
    ~ECS();
    ECS(const ECS&) = delete;
    ECS& operator=(const ECS&) = delete;

    // --- entities (E1 to E7) ------------------------------------------------------------------

    /// O(1). Throws `out_of_memory`.
    Entity add_entity();
    /// `n` entities at once; all or none.
    std::vector<Entity> add_entities(std::size_t n);
    /// Fills `out` with new entities; all or none.
    void add_entities(std::span<Entity> out);
    /// Marks the entity; it goes at the end of the current or next update. Marking twice counts once.
    void remove_entity(Entity e);
    /// Marks many; all or none.
    void remove_entities(std::span<const Entity> entities);
    /// True until the entity is really gone. Any value may be asked for.
    [[nodiscard]] bool alive(Entity e) const noexcept { return pool_.alive(e); }
    [[nodiscard]] std::size_t count() const noexcept { return pool_.count(); }

    // --- components (C1 to C6, D2) ------------------------------------------------------------

    /// Gives `e` a component, replacing one of the same class; signals it dirty. O(systems requiring T).
    template <class T>
    void add(Entity e, T value = {}) {
        add_with(e, component_id<T>(),
                 [&](Storage& s, std::uint32_t slot) { typed<T>(s).at(slot) = std::move(value); });
    }
    /// One component each; `values` is as long as `entities`, or holds one value for all.
    template <class T>
    void add(std::span<const Entity> entities, std::span<const T> values);
    /// Takes the component away; returns whether there was one. Never an error on a living entity.
    template <class T>
    bool remove(Entity e) {
        return remove_component(e, component_id<T>());
    }
    /// Takes it from many; returns from how many.
    template <class T>
    std::size_t remove(std::span<const Entity> entities) {
        return remove_components(entities, component_id<T>());
    }
    /// Throws `missing_component`. O(1).
    template <class T>
    [[nodiscard]] const T& get(Entity e) const;
    /// nullptr if there is none. O(1).
    template <class T>
    [[nodiscard]] const T* try_get(Entity e) const;
    /// Whether the entity has all of them.
    template <class... Ts>
    [[nodiscard]] bool has(Entity e) const {
        return (... && has_component(e, component_id<Ts>()));
    }
    /// Calls `change(T&)`, then signals the component dirty.
    template <class T, std::invocable<T&> F>
    void modify(Entity e, F&& change);
    /// Signals the component dirty, for changes made through `storage<T>()`. O(systems watching T).
    template <class T>
    void dirty(Entity e) {
        mark_dirty(e, component_id<T>());
    }
    template <class T>
    void dirty(std::span<const Entity> entities) {
        mark_dirty(entities, component_id<T>());
    }
    /// All components of a class; writing to its values is silent. The reference stays good.
    template <class T>
    [[nodiscard]] TypedStorage<T>& storage() {
        return typed<T>(storage(component_id<T>()));
    }

    /// Calls `visit(Ts&...)`, or `visit(Entity, Ts&...)`, for every entity that has them all: the fastest
    /// loop there is, for systems that work on everything. Stretches in which the storages hold the same
    /// entities in the same order are one pass over plain arrays, which compilers vectorise (in
    /// WebAssembly with -msimd128). Writing is silent; nothing may be added or removed meanwhile.
    template <class... Ts, class Visit>
    void each(Visit&& visit);

    // --- systems (S1 to S8) -------------------------------------------------------------------

    /// Adds a system made from `args`. Lower priorities run first, equal ones in order of addition.
    /// Calls `init()`, then `on_add` for what already matches. Throws `bad_system`.
    template <std::derived_from<SystemBase> S, class... Args>
    S& add_system(double priority, Args&&... args) {
        return add_system(priority, std::make_unique<S>(std::forward<Args>(args)...));
    }
    /// The same for an existing system. S is the class of the object: its name and `get_system<S>()` depend on it.
    template <std::derived_from<SystemBase> S>
    S& add_system(double priority, std::unique_ptr<S> system) {
        static_assert(!std::is_abstract_v<S>, "add_system takes a pointer to the system's own class");
        S* added = system.get();
        bool default_hooks = false;
        if constexpr (requires { S::template check_hooks<S>(); }) default_hooks = S::template check_hooks<S>();
        insert_system(priority, std::move(system), {internal::class_name<S>(), internal::type_id<S>(), default_hooks});
        return *added;
    }
    /// Calls `on_remove` for all it tracks, and destroys it. During an update: when that ends.
    void remove_system(SystemBase& system);
    /// The first added system of exactly the class S: a base class finds nothing. Throws `bad_system` if
    /// none was added. O(systems).
    template <std::derived_from<SystemBase> S>
    [[nodiscard]] S& get_system() const {
        return static_cast<S&>(find_system(internal::type_id<S>(), internal::class_name<S>()));
    }
    void enable_system(SystemBase& system);
    void disable_system(SystemBase& system);
    void toggle_system(SystemBase& system);
    /// In the order in which they run.
    [[nodiscard]] std::vector<SystemBase*> systems() const;

    // --- time ---------------------------------------------------------------------------------

    /// Runs one frame: delayed events, then each enabled system, then removals. Returns the effective
    /// delta in seconds. A frame in which nothing changed costs O(systems) (rule D10).
    double update(double wall_delta = 1.0 / 60);
    /// Removes every entity at once, then lets each system start afresh (rule K1). Systems stay.
    void clear();

    EventsManager events;
    Profiler profiler;
    [[nodiscard]] Clock& clock() noexcept { return clock_; }
    [[nodiscard]] SlowMotion& slow_motion() noexcept { return clock_.slow_motion; }
    [[nodiscard]] const SlowMotion& slow_motion() const noexcept { return clock_.slow_motion; }
    [[nodiscard]] bool paused() const noexcept { return clock_.paused; }
    void set_paused(bool on) noexcept { clock_.paused = on; }
    [[nodiscard]] double game_time() const noexcept { return clock_.game_time(); }
    [[nodiscard]] double wall_time() const noexcept { return clock_.wall_time(); }
    /// What each class's storage costs, and whether the other policy would cost less (rule T3).
    [[nodiscard]] std::vector<StorageReport> memory_report() const;

    // --- the same by id, for bindings ---------------------------------------------------------

    /// `row` as for `Storage::write_row`; `flags` go to the new slot.
    void add_component(Entity e, ComponentId id, const std::byte* row, std::uint8_t flags = 0);
    /// `write(i, storage, slot)` fills the slot of the i-th entity; `write(i, storage, slot, n)` those of
    /// the i-th to the (i + n - 1)-th, which follow one another. All or none.
    template <class Write>
    void add_components(std::span<const Entity> entities, ComponentId id, Write&& write);
    bool remove_component(Entity e, ComponentId id);
    std::size_t remove_components(std::span<const Entity> entities, ComponentId id);
    [[nodiscard]] bool has_component(Entity e, ComponentId id) const;
    void mark_dirty(Entity e, ComponentId id);
    void mark_dirty(std::span<const Entity> entities, ComponentId id);
    [[nodiscard]] Storage& storage(ComponentId id);
    /// nullptr if this world has none for the class yet.
    [[nodiscard]] Storage* find_storage(ComponentId id) const noexcept {
        return id < classes_.size() && classes_[id] ? classes_[id]->storage.get() : nullptr;
    }
    /// Which of the storage's parked values `aspect.get` reads in `on_remove`; -1 if none.
    [[nodiscard]] int find_parked(Entity e, ComponentId id) const noexcept;
    /// How many removals of that component from that entity are under way: callbacks may nest them.
    [[nodiscard]] int parked_count(Entity e, ComponentId id) const noexcept;
    /// Says that the entity has no such component, or is not alive.
    [[noreturn]] void throw_missing(Entity e, ComponentId id, const char* call) const;
    void drain_marks() override;
    [[nodiscard]] MarkQueue& marks() noexcept { return marks_; }
    [[nodiscard]] const EntityPool& pool() const noexcept { return pool_; }
    void set_host(Host* host) noexcept { host_ = host; }

private:
    // All that belongs to one component class in this world.
    struct ComponentClass {
        std::unique_ptr<Storage> storage;
        std::vector<SystemBase*> requiring;  // in running order; nullptr: removed during a callback
        std::vector<SystemBase*> watching;
    };
    struct Parked {
        Entity entity;
        ComponentId id;
    };
    // While one is alive, callbacks may be on the stack: systems are not destroyed, lists not compacted.
    class Operation;
    using FillSlots = void (*)(void* context, std::size_t i, Storage& storage, std::uint32_t slot, std::size_t n);

    template <class T>
    [[nodiscard]] static TypedStorage<T>& typed(Storage& s) noexcept {
        return static_cast<TypedStorage<T>&>(s);
    }
    template <class Fill>
    void add_with(Entity e, ComponentId id, Fill&& fill) {
        add_components(std::span(&e, 1), id, [&](std::size_t, Storage& s, std::uint32_t slot) { fill(s, slot); });
    }
    void add_filled(std::span<const Entity> entities, ComponentId id, FillSlots fill, void* context);
    bool take(Entity e, ComponentId id, FirstError& error);
    bool take_out(Entity e, ComponentId id);

    void require_alive(Entity e, const char* call) const {
        if (!alive(e)) throw_stale(e, call);
    }
    [[noreturn]] void throw_stale(Entity e, const char* call) const;
    void pool_grown() noexcept;

    // Signatures: the classes an entity has, as bits.
    [[nodiscard]] std::uint64_t* signature(Entity e) noexcept { return &signatures_[index_of(e) * signature_words_]; }
    template <class Visit>
    void each_class(Entity e, Visit&& visit);
    void reserve_signatures(std::size_t entities, std::size_t words);
    [[nodiscard]] bool matches(const SystemBase& system, Entity e) const noexcept;

    ComponentClass& component_class(ComponentId id);
    void mark(ComponentClass& cls, Entity e);
    void mark_present(Entity e, ComponentId id);
    [[nodiscard]] static bool unheard(const ComponentClass& cls) noexcept;
    void reconcile(Entity e, ComponentClass& cls, FirstError& error);
    void reconcile(std::span<const Entity> entities, ComponentClass& cls, FirstError& error);
    void track(SystemBase& system, Entity e, FirstError& error);
    void untrack(SystemBase& system, Entity e, FirstError& error);
    void leave_all_systems(Entity e, FirstError& error);
    void bury(Entity e);
    void sweep(FirstError& error);

    void insert_system(double priority, std::unique_ptr<SystemBase> owned, const internal::SystemClass& cls);
    [[nodiscard]] SystemBase& find_system(const void* class_id, std::string_view class_name) const;
    void require_mine(const SystemBase& system, const char* call) const;
    void enter_lists(SystemBase& system);
    void leave_lists(SystemBase& system);
    void detach(SystemBase& system, FirstError& error);
    void compact();
    void run_systems(double delta, FirstError& error);

    EntityPool pool_;
    std::vector<std::uint64_t> signatures_;
    std::size_t signature_words_ = 1;
    std::vector<std::unique_ptr<ComponentClass>> classes_;  // by ComponentId
    std::vector<std::unique_ptr<SystemBase>> systems_;      // in running order
    std::vector<std::unique_ptr<SystemBase>> graveyard_;    // removed, perhaps still on the stack
    std::vector<SystemBase*> frame_;                        // those the running update goes through
    std::vector<SystemBase*> leavers_;                      // stack of leave_all_systems()
    std::vector<Parked> parked_;
    std::vector<Entity> marked_;  // for removal, from marked_head_ on
    std::size_t marked_head_ = 0;
    MarkQueue marks_;
    Clock clock_;
    Host* host_ = nullptr;
    std::uint64_t next_sequence_ = 0;
    int depth_ = 0;               // of operations under way
    bool holes_ = false;          // in the lists of systems
    bool systems_leave_ = false;  // when the update ends
    bool updating_ = false;
    enum class Clearing : unsigned char { no, removing, telling } clearing_ = Clearing::no;
};

// --- templates ------------------------------------------------------------------------------------

template <class Write>
void ECS::add_components(std::span<const Entity> entities, ComponentId id, Write&& write) {
    const auto fill = [](void* context, std::size_t i, Storage& s, std::uint32_t slot, std::size_t n) {
        auto& call = *static_cast<std::remove_reference_t<Write>*>(context);
        if constexpr (std::is_invocable_v<Write, std::size_t, Storage&, std::uint32_t, std::size_t>)
            call(i, s, slot, n);
        else
            for (std::size_t k = 0; k < n; ++k) call(i + k, s, slot + static_cast<std::uint32_t>(k));
    };
    add_filled(entities, id, fill, &write);
}

template <class T>
void ECS::add(std::span<const Entity> entities, std::span<const T> values) {
    if (values.size() != 1 && values.size() != entities.size()) {
        throw Error(ErrorCode::bad_argument, "add: one value for all, or one for each entity");
    }
    const auto value = [&](std::size_t i) -> const T& { return values[values.size() == 1 ? 0 : i]; };
    if constexpr (std::is_nothrow_copy_assignable_v<T>) {
        add_components(entities, component_id<T>(),
                       [&](std::size_t i, Storage& s, std::uint32_t slot) { typed<T>(s).at(slot) = value(i); });
    } else {
        // A copy may throw, and then nothing must have been added yet (rule X1).
        std::vector<T> copies;
        copies.reserve(entities.size());
        for (std::size_t i = 0; i < entities.size(); ++i) copies.push_back(value(i));
        add_components(entities, component_id<T>(), [&](std::size_t i, Storage& s, std::uint32_t slot) {
            typed<T>(s).at(slot) = std::move(copies[i]);
        });
    }
}

template <class T>
const T* ECS::try_get(Entity e) const {
    require_alive(e, "try_get");
    const Storage* s = find_storage(component_id<T>());
    return s == nullptr ? nullptr : static_cast<const TypedStorage<T>*>(s)->find(e);
}

template <class T>
const T& ECS::get(Entity e) const {
    const Storage* s = find_storage(component_id<T>());
    const T* value = s == nullptr ? nullptr : static_cast<const TypedStorage<T>*>(s)->find(e);
    if (value == nullptr) throw_missing(e, component_id<T>(), "get");
    return *value;
}

template <class T, std::invocable<T&> F>
void ECS::modify(Entity e, F&& change) {
    Storage* s = find_storage(component_id<T>());
    const std::uint32_t slot = s == nullptr ? Storage::ABSENT : s->slot(e);
    if (slot == Storage::ABSENT) throw_missing(e, component_id<T>(), "modify");
    change(typed<T>(*s).at(slot));
    if (s->has(e)) mark_present(e, component_id<T>());  // else `change` has taken it away
}

template <class T>
const T* Aspect::try_get() const {
    const ComponentId id = component_id<T>();
    const Storage* s = ecs_->find_storage(id);
    if (s == nullptr) return nullptr;
    const auto& storage = static_cast<const TypedStorage<T>&>(*s);
    const T* value = storage.find(entity_);
    if (value == nullptr && leaving_) {
        if (const int at = ecs_->find_parked(entity_, id); at >= 0)
            value = storage.find_parked(static_cast<std::size_t>(at));
    }
    return value;
}

template <class T>
const T& Aspect::get() const {
    const T* value = try_get<T>();
    if (value == nullptr) ecs_->throw_missing(entity_, component_id<T>(), "get");
    return *value;
}

}  // namespace crateful

#include "crateful/each.hpp"  // IWYU pragma: export
