// Creating entities with all their components (rules E8, E9, E12).
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "crateful/detail/message.hpp"
#include "crateful/detail/rollback.hpp"
#include "crateful/detail/structure.hpp"

namespace crateful::internal {

void fail_spawn(std::span<const ComponentId> ids, std::size_t values, std::size_t entities) {
    std::string names;
    for (const ComponentId id : ids) names += join({names.empty() ? "" : ", ", registry::type(id).name});
    fail(ErrorCode::bad_argument,
         {"spawn: prefab of ", names, ": ", number_text(static_cast<double>(values)), " values for ",
          number_text(static_cast<double>(entities)), " entities; pass one value for each entity"});
}

void fail_child() {
    fail(ErrorCode::bad_argument, {"child: the prefab belongs to another ECS; create it with the same one"});
}

std::size_t next_class_list() noexcept {
    static std::atomic<std::size_t> next{0};
    return next++;
}
PrefabClasses& Structure::make_prefab_classes(std::size_t number, std::span<const ComponentId> ids) {
    if (number >= class_lists_.size()) class_lists_.resize(number + 1);
    return *(class_lists_[number] = std::make_unique<PrefabClasses>(PrefabClasses{ids}));
}

// Adds the components of a prefab, and determines its systems, which do not track the entities yet. If it throws, the entities
// must be removed. None of the classes from number `first` on may be Parent. Inlined, because most entities have few components.
[[gnu::always_inline]] inline void Structure::place(PrefabClasses& prefab, std::size_t first,
                                                    std::span<const Entity> entities, Fill fill, void* context) {
    tracking.require_possible("spawn");
    for (std::size_t k = first; k < prefab.ids.size(); ++k) require_free(prefab.ids[k], "add");
    if (entities.size() != 1) return place_many(prefab, entities, fill, context);
    for (const ComponentId id : prefab.ids) {
        Storage& s = storage(id);
        s.reserve(entities.front(), std::size_t{s.count()} + 1);
    }
    tracking.find_systems(prefab);
    tracking.drain_marks();
    for (std::size_t k = 0; k < prefab.ids.size(); ++k) {
        const ComponentClass& cls = *tracking.find_class(prefab.ids[k]);
        tracking.set_class(entities.front(), cls);
        fill(context, k, 0, *cls.storage, {cls.storage->place_reserved(entities.front()).slot, 1});
    }
}

// All components are there before a value is written, because writing one can throw.
void Structure::place_many(PrefabClasses& prefab, std::span<const Entity> entities, Fill fill, void* context) {
    EntityList list(entities);
    for (const ComponentId id : prefab.ids) storage(id).reserve(list);
    tracking.find_systems(prefab);
    tracking.drain_marks();
    std::vector<SlotList> slots;
    slots.reserve(prefab.ids.size());
    for (const ComponentId id : prefab.ids) slots.push_back(tracking.find_storage(id)->append(list));
    tracking.set_classes(entities, prefab.signature);
    for (std::size_t k = 0; k < prefab.ids.size() && !entities.empty(); ++k)
        fill(context, k, 0, *tracking.find_storage(prefab.ids[k]), slots[k]);
}

void Structure::spawn_one(PrefabClasses& prefab, Entity& out, Fill fill, void* context) {
    const Entity e = add_entity();
    out = e;
    compose(prefab, std::span(&e, 1), fill, context);
}
void Structure::spawn(PrefabClasses& prefab, std::span<Entity> out, Fill fill, void* context) {
    // Not `out`, which may be in a component (rule X3).
    std::vector<Entity> made(out.size());
    add_entities(made);
    std::copy(made.begin(), made.end(), out.begin());
    compose(prefab, made, fill, context);
}

// Determines the systems of a prefab whose values were assigned, which can add and remove systems: `version` is that of the systems
// before. Then they may track the entities already, and it returns false.
[[gnu::always_inline]] inline bool Structure::creates_silently(PrefabClasses& prefab, std::uint64_t version) {
    if (version == tracking.systems_version()) return Tracking::creates_silently(prefab);
    tracking.find_systems(prefab);
    return false;
}

void Structure::compose(PrefabClasses& prefab, std::span<const Entity> entities, Fill fill, void* context) {
    Rollback rollback([&] { remove_silently(entities); });
    const std::uint64_t version = tracking.systems_version();
    place(prefab, 0, entities, fill, context);
    if (creates_silently(prefab, version)) {
        rollback.cancel();
        return tracking.created(prefab.systems, entities);
    }
    // Copies, because callbacks may change both lists.
    const std::vector<SystemBase*> systems = prefab.systems;
    const std::vector<Entity> copy(entities.begin(), entities.end());
    rollback.cancel();
    tracking.created_one_by_one(systems, copy);
}

// --- prefabs with children ------------------------------------------------------------------------

void Structure::spawn(PrefabClasses& prefab, std::span<ChildPrefab> children, std::span<Entity> out, Fill fill,
                      void* context) {
    const std::size_t n = out.size();
    std::vector<std::vector<SystemBase*>> systems(children.size() +
                                                  1);  // copies, because callbacks may change the lists
    std::vector<Entity> made(n * systems.size());      // first those of `prefab`, then those of each child
    const auto entities = [&](std::size_t number) { return std::span<const Entity>(made).subspan(number * n, n); };
    add_entities(made);
    Rollback rollback([&] { remove_silently(made); });
    std::copy_n(made.begin(), n, out.begin());

    const std::uint64_t version = tracking.systems_version();
    place(prefab, 0, entities(0), fill, context);
    for (std::size_t k = 0; k < children.size(); ++k)
        place_below(children[k], entities(k + 1), entities(children[k].parent));
    bool silent = true;
    for (std::size_t k = 0; k < systems.size(); ++k) {
        PrefabClasses& classes = k == 0 ? prefab : children[k - 1].classes;
        silent = creates_silently(classes, version) && silent;
        systems[k] = classes.systems;
    }
    rollback.cancel();

    const Operation operation(tracking);
    FirstError error;
    for (std::size_t k = 0; k < systems.size(); ++k) {
        error.guard([&] {
            if (silent) tracking.created(systems[k], entities(k));
            else tracking.created_one_by_one(systems[k], entities(k));
        });
    }
    error.rethrow();
}

// The same as `place` for the entities of a child, which get these parents.
void Structure::place_below(ChildPrefab& child, std::span<const Entity> entities, std::span<const Entity> parents) {
    struct Below {
        ChildPrefab& child;
        std::span<const Entity> parents;
    } below{child, parents};
    const Fill fill = [](void* context, std::size_t k, std::size_t i, Storage& s, const SlotList& slots) {
        const Below& to = *static_cast<const Below*>(context);
        if (k > 0) return to.child.fill(to.child.values.get(), k - 1, i, s, slots);
        for (std::size_t j = 0; j < slots.n; ++j) {  // Parent
            const std::uint64_t packed = static_cast<std::uint32_t>(to.parents[i + j]);
            s.write_packed(slots[j], reinterpret_cast<const std::byte*>(&packed));
        }
    };
    for (std::size_t i = 0; i < entities.size(); ++i) {
        const Hierarchy::Index above = tracking.hierarchy.make(parents[i]);
        tracking.hierarchy.attach(tracking.hierarchy.make(entities[i]), above, Hierarchy::NO_NODE);
    }
    place(child.classes, 1, entities, fill, &below);
}

}  // namespace crateful::internal
