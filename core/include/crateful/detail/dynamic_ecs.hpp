#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "crateful/ecs.hpp"

namespace crateful {

/// Access to an ECS for language bindings: `ecs.by_id()`. Components are named by the id of their class; the calls have
/// the effects and errors of those with the same names in `ECS`. A DynamicEcs only refers to its ECS, and all calls are
/// forwarded inline.
class DynamicEcs {
public:
    explicit DynamicEcs(ECS& ecs) noexcept : ecs_(ecs) {}

    /// `packed` is as for `Storage::write_packed`. The flags of the new slot are `flags`.
    void add(Entity e, ComponentId id, const std::byte* packed, std::uint8_t flags = 0) const {
        ecs_.structure_.add(e, id, packed, flags);
    }
    /// Adds several components to an entity; `fill` writes their values.
    void add(Entity e, std::span<const ComponentId> ids, internal::Fill fill, void* context) const {
        ecs_.structure_.add(e, ids, fill, context);
    }
    /// Adds a component to each entity. `write(i, storage, slot)` is called to set the value for entity number `i`; or
    /// `write(i, storage, slots)` for those from number `i` on.
    template <class Write>
    void add(std::span<const Entity> entities, ComponentId id, Write&& write) const {
        internal::add_components(ecs_.structure_, entities, id, std::forward<Write>(write));
    }
    /// Adds the components of the prefab to living entities that have none. Destroys the entities if there is no memory.
    void compose(internal::PrefabClasses& prefab, std::span<const Entity> entities, internal::Fill fill,
                 void* context) const {
        ecs_.structure_.compose(prefab, entities, fill, context);
    }
    bool remove(Entity e, ComponentId id) const { return ecs_.structure_.remove(e, id); }
    bool remove(Entity e, std::span<const ComponentId> ids) const { return ecs_.structure_.remove(e, ids); }
    /// See `Structure::find_cloned`.
    [[nodiscard]] std::vector<Entity> find_cloned(Entity e, bool children) const {
        return ecs_.structure_.find_cloned(e, children);
    }
    /// See `Structure::clone`.
    void clone(std::span<const Entity> from, std::span<const Entity> made, bool children,
               const internal::CloneOverrides& overrides) const {
        ecs_.structure_.clone(from, made, children, overrides);
    }
    std::size_t remove(std::span<const Entity> entities, ComponentId id) const {
        return ecs_.structure_.remove(entities, id);
    }
    [[nodiscard]] bool has(Entity e, ComponentId id) const { return ecs_.structure_.has(e, id); }
    void dirty(Entity e, ComponentId id) const { ecs_.structure_.dirty(e, id); }
    void dirty(std::span<const Entity> entities, ComponentId id) const { ecs_.structure_.dirty(entities, id); }

    /// The storage of a class, created if necessary. Throws `bad_argument` if no class has this id.
    [[nodiscard]] Storage& storage(ComponentId id) const { return ecs_.structure_.storage(id); }
    /// The storage of a class, or nullptr if this ECS has none yet.
    [[nodiscard]] Storage* find_storage(ComponentId id) const noexcept { return ecs_.tracking().find_storage(id); }
    /// The number, in its storage, of the parked value that `on_remove` can read for this entity; -1 if there is none.
    [[nodiscard]] int find_parked(Entity e, ComponentId id) const noexcept {
        return ecs_.tracking().find_parked(e, id);
    }
    /// The number of removals of this component in progress; more than one if callbacks nest them.
    [[nodiscard]] int parked_count(Entity e, ComponentId id) const noexcept {
        return ecs_.tracking().parked_count(e, id);
    }

    /// The entities that refer to `e` by a link field, `field` or the only one (rule C15), in the order of their indices.
    [[nodiscard]] std::vector<Entity> linked(ComponentId id, std::size_t field, Entity e) const {
        return ecs_.linked_by(id, field, e).entities();
    }

    /// The order of the entities by a field of a class (rule Q10).
    [[nodiscard]] internal::Order& order(const internal::SortField& field) const {
        return ecs_.tracking().order(field);
    }

    [[nodiscard]] internal::Strings& strings() const noexcept { return ecs_.tracking().strings; }
    /// Frees strings that nothing uses, if that is due and no callback runs (rule C13).
    void collect_strings() const noexcept { ecs_.tracking().collect_strings(); }

    /// See `Schedule::shuffle`.
    void shuffle(std::uint32_t seed) const noexcept { ecs_.schedule_.shuffle(seed); }
    /// What `ECS::replaying` returns, which language bindings set in memory.
    [[nodiscard]] bool& replaying() const noexcept { return ecs_.replaying_; }

    /// A callback of another language begins, which the core does not call itself (rule S6).
    void begin_callback() const noexcept { ecs_.tracking().begin(); }
    /// See `Operations::observe`: a callback of an observer that the core does not call itself.
    const SystemBase* observe(const SystemBase* observer) const noexcept { return ecs_.tracking().observe(observer); }
    /// The observer whose callback runs, or nullptr.
    [[nodiscard]] const SystemBase* observer() const noexcept { return ecs_.tracking().observer(); }
    /// Throws `bad_system` in a callback of an observer (rule S18).
    void require_unobserved(const char* call) const { ecs_.tracking().require_unobserved(call); }
    /// It has ended.
    void end_callback() const noexcept { ecs_.tracking().end(); }
    /// Ends the calls that were abandoned because JavaScript's stack was exhausted, so that the ECS can be used; no call may be in
    /// progress.
    void recover() const noexcept;

    /// The queue to which language bindings append marks.
    [[nodiscard]] MarkQueue& marks() const noexcept { return ecs_.tracking().marks(); }
    /// Adds the queued marks to the dirty sets.
    void drain_marks() const { ecs_.tracking().drain_marks(); }
    [[nodiscard]] const internal::Operations::Control& operations() const noexcept { return ecs_.tracking().control(); }
    [[nodiscard]] const EntityPool& pool() const noexcept { return ecs_.tracking().pool; }
    [[nodiscard]] const Hierarchy& hierarchy() const noexcept { return ecs_.tracking().hierarchy; }
    /// Sets the listener of the ECS; nullptr for none. It must exist as long as it is set.
    void set_host(Host* host) const noexcept { ecs_.tracking().set_host(host); }

private:
    ECS& ecs_;
};

inline DynamicEcs ECS::by_id() noexcept { return DynamicEcs(*this); }

}  // namespace crateful
