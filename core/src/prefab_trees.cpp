// Prefabs with children (rule E12).
#include <algorithm>
#include <cstddef>
#include <vector>

#include "crateful/detail/message.hpp"
#include "crateful/detail/rollback.hpp"
#include "crateful/detail/structure.hpp"

namespace crateful::internal {

void fail_child() {
    fail(ErrorCode::bad_argument, {"child: the prefab belongs to another ECS; create it with the same one"});
}

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

    for (const ComponentId id : prefab.ids) require_free(id, "add");
    place(prefab, entities(0), fill, context);
    systems.front() = prefab.systems;
    bool silent = Tracking::creates_silently(prefab);
    for (std::size_t k = 0; k < children.size(); ++k) {
        place_below(children[k], entities(k + 1), entities(children[k].parent));
        systems[k + 1] = children[k].classes.systems;
        silent = silent && Tracking::creates_silently(children[k].classes);
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
    const Fill fill = [](void* context, std::size_t k, std::size_t i, Storage& s, std::uint32_t slot, std::size_t n) {
        const Below& to = *static_cast<const Below*>(context);
        if (k > 0) return to.child.fill(to.child.values.get(), k - 1, i, s, slot, n);
        for (std::size_t j = 0; j < n; ++j) {  // Parent
            const std::uint64_t packed = static_cast<std::uint32_t>(to.parents[i + j]);
            s.write_packed(slot + static_cast<std::uint32_t>(j), reinterpret_cast<const std::byte*>(&packed));
        }
    };
    for (const ComponentId id : child.classes.ids.subspan(1)) require_free(id, "add");
    for (std::size_t i = 0; i < entities.size(); ++i) {
        const Hierarchy::Index above = tracking.hierarchy.make(parents[i]);
        tracking.hierarchy.attach(tracking.hierarchy.make(entities[i]), above, Hierarchy::NO_NODE);
    }
    place(child.classes, entities, fill, &below);
}

}  // namespace crateful::internal
