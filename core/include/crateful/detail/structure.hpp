#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "crateful/component.hpp"
#include "crateful/detail/prefab_classes.hpp"
#include "crateful/detail/tracking.hpp"
#include "crateful/entity.hpp"
#include "crateful/hierarchy.hpp"

namespace crateful::internal {

class StateAccess;

/// Structural changes: which entities exist, and which components and parents they have (rules E1 to E11, C1, C2, H1 to H3, K1).
/// Errors and effects are those of the calls of ECS with the same names. Components are named by the ids of their classes.
class Structure {
public:
    /// Creates the world, which gets the handle 0.
    Structure() { static_cast<void>(add_entity()); }
    ~Structure() = default;
    Structure(const Structure&) = delete;
    Structure& operator=(const Structure&) = delete;

    static constexpr Entity WORLD{0};
    Tracking tracking;

    /// The ECS is destroyed: removes all entities and components, which no system tracks. Destructors may add others.
    void destroy_all();
    /// Whether no component is left whose destructor may use the ECS.
    [[nodiscard]] bool empty() const noexcept;

    // --- entities: entities.cpp -------------------------------------------------------------------

    [[nodiscard]] bool alive(Entity e) const noexcept { return tracking.pool.alive(e); }
    void require_alive(Entity e, const char* call) const {
        if (!alive(e)) fail_stale(e, call);
    }
    Entity add_entity();
    void add_entities(std::span<Entity> out);
    std::size_t mark_for_removal(std::span<const Entity> entities);
    /// Removes the entities that are marked for removal.
    void remove_marked(FirstError& error);
    /// Whether there are such entities.
    [[nodiscard]] bool has_marked() const noexcept { return !pending_removals_.empty(); }
    /// Removes these entities, unless they are dead already, with their children, but no others that are marked. The world must not be
    /// among them. It must not be called in callbacks. Throws `std::bad_alloc`, and then does nothing.
    void remove_now(std::span<const Entity> entities, FirstError& error);
    /// Calls `on_remove` for all entities except the world, and removes them. It must not be called in its own callbacks.
    void clear(FirstError& error);
    /// Ends the calls that were abandoned.
    void recover() noexcept;

    // --- components: components.cpp ---------------------------------------------------------------

    [[nodiscard]] Storage& storage(ComponentId id) { return *tracking.component_class(id).storage; }
    /// A component that is being added: the caller writes its value, and then calls `tracking.added`.
    struct Added {
        ComponentClass& cls;
        std::uint32_t slot;
        bool is_new;  ///< otherwise it replaces one
    };
    [[nodiscard]] Added begin_add(Entity e, ComponentId id);
    /// The same with values in the form of `Storage::write_packed`; the flags of the new slot are `flags`.
    void add(Entity e, ComponentId id, const std::byte* packed, std::uint8_t flags);
    /// Adds several components to one entity, either all or none; `fill` writes their values.
    void add(Entity e, std::span<const ComponentId> ids, Fill fill, void* context);
    /// Adds components of one class; `fill` writes their values.
    void add(std::span<const Entity> entities, ComponentId id, Fill fill, void* context);
    /// Moves the value in a slot, which is removed next, to `context`.
    using Take = void (*)(void* context, Storage& storage, std::uint32_t slot);
    /// If a callback can read the value, or `take` is nullptr, it is destroyed at the end; otherwise the caller takes it.
    bool remove(Entity e, ComponentId id, Take take = nullptr, void* context = nullptr);
    /// Removes several components of one entity, in this order; returns whether there was one.
    bool remove(Entity e, std::span<const ComponentId> ids);
    std::size_t remove(std::span<const Entity> entities, ComponentId id);
    /// The storage of a class that is about to be sorted: sorting.cpp.
    [[nodiscard]] Storage& begin_sort(ComponentId id);
    /// The function that compares components has changed which ones exist.
    [[noreturn]] static void fail_sort(const Storage& s);
    [[nodiscard]] bool has(Entity e, ComponentId id) const noexcept;
    void dirty(Entity e, ComponentId id);
    void dirty(std::span<const Entity> entities, ComponentId id);
    [[noreturn]] void fail_missing(Entity e, ComponentId id, const char* call) const;
    /// Throws if a call other than `set_parent` concerns Parent.
    static void require_free(ComponentId id, const char* call) {
        if (id == PARENT_ID) fail_parent(call);
    }
    [[noreturn]] static void fail_parent(const char* call);

    // --- entities with components: spawning.cpp -----------------------------------------------------

    /// What is known about the list of classes with this number. It stays at its address.
    [[nodiscard]] PrefabClasses& prefab_classes(std::size_t number, std::span<const ComponentId> ids) {
        if (number < class_lists_.size() && class_lists_[number] != nullptr) return *class_lists_[number];
        return make_prefab_classes(number, ids);
    }
    /// Creates an entity that has the components of a prefab.
    void spawn_one(PrefabClasses& prefab, Entity& out, Fill fill, void* context);
    /// Fills `out` with new entities that have the components of a prefab.
    void spawn(PrefabClasses& prefab, std::span<Entity> out, Fill fill, void* context);
    /// Adds the components of a prefab to living entities that have none. Destroys the entities if it fails.
    void compose(PrefabClasses& prefab, std::span<const Entity> entities, Fill fill, void* context);
    /// The same with the children of the prefab, each behind its parent. They have no entities if one cannot be created.
    void spawn(PrefabClasses& prefab, std::span<ChildPrefab> children, std::span<Entity> out, Fill fill, void* context);

    // --- copies of entities: cloning.cpp ------------------------------------------------------------

    /// The entity and, with `children`, its descendants, parents first. Throws unless it can be cloned.
    [[nodiscard]] std::vector<Entity> find_cloned(Entity e, bool children) const;
    /// Creates clones of these, and returns that of `e`.
    Entity clone(Entity e, bool children, const CloneOverrides& overrides);
    /// Makes new entities, which have no components, the clones of what `find_cloned` has returned. Removes them if it fails.
    void clone(std::span<const Entity> from, std::span<const Entity> made, bool children,
               const CloneOverrides& overrides);

    // --- hierarchy: parents.cpp -------------------------------------------------------------------

    void set_parent(Entity child, Entity parent, Entity before);
    [[nodiscard]] Entity parent(Entity e) const noexcept;

private:
    friend class StateAccess;
    [[noreturn]] void fail_stale(Entity e, const char* call) const;

    void mark_one(Entity e);
    void mark_child(Entity e);
    void mark_children();
    void mark_children(Entity parent);
    [[nodiscard]] std::size_t count_silent(std::span<const Entity> entities);
    void remove_silently(std::span<const Entity> entities);
    bool remove_one(Entity e, FirstError& error);
    void remove_all(Entity kept, FirstError& error);
    void destroy(Entity e);

    PrefabClasses& make_prefab_classes(std::size_t number, std::span<const ComponentId> ids);
    void add(EntityList& list, ComponentClass& cls, Fill fill, void* context);
    std::uint32_t place(ComponentClass& cls, Entity e);
    void place(ComponentClass& cls, std::span<const Entity> entities, Fill fill, void* context);
    void place(PrefabClasses& prefab, std::size_t first, std::span<const Entity> entities, Fill fill, void* context);
    void place_many(PrefabClasses& prefab, std::span<const Entity> entities, Fill fill, void* context);
    bool creates_silently(PrefabClasses& prefab, std::uint64_t version);
    void place_below(ChildPrefab& child, std::span<const Entity> entities, std::span<const Entity> parents);
    void detach_object(Entity e, const Storage& s, std::uint8_t& flags);
    void erase(Storage& s, Entity e, std::uint32_t slot);
    void erase(Storage& s, Entity e);
    void erase(ComponentClass& cls, std::span<const Entity> entities, std::size_t n);
    void detach_objects(Storage& s, Entity kept);
    void remove(Entity e, ComponentClass& cls, std::uint32_t slot, Take take = nullptr, void* context = nullptr);
    void reserve_parked(Storage& s);
    void park(Entity e, Storage& s, std::uint32_t slot) noexcept;
    void unpark();

    void check_parent(Entity child, Entity parent, Entity before) const;
    // A new entity becomes the last child; no system is notified.
    void place_below(Entity child, Entity parent);
    void detach_from_parent(Entity child) noexcept;

    std::vector<Entity> pending_removals_;  // those before `next_removal_` were removed
    std::uint32_t clears_ = 0;              // how often everything was removed
    std::size_t next_removal_ = 0;
    std::vector<Entity>* set_aside_ = nullptr;  // while `remove_now` removes others: what is marked
    std::size_t next_parent_ = 0;               // the first of them whose children may not be in the list yet
    std::vector<std::unique_ptr<PrefabClasses>> class_lists_;  // by number
};

}  // namespace crateful::internal
