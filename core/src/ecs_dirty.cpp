// Signals and the mark queue (rules D1 to D10, D13).
#include <algorithm>
#include <vector>

#include "crateful/detail/rollback.hpp"
#include "crateful/ecs.hpp"

namespace crateful {

// The entity must have the component.
void ECS::mark_present(Entity e, ComponentId id) {
    drain_marks();
    mark(*classes_[id], e);
}

void ECS::mark(const Entry& w, std::span<const Entity> entities) {
    if (w.system == nullptr) return;
    if (!w.descendants) return w.system->mark(entities);
    for (const Entity e : entities) mark_down(*w.system, e, w.itself);
}

void ECS::drain_queue() {
    const std::span<const Mark> all = marks_.drain();
    for (auto first = all.begin(); first != all.end();) {
        const auto end = std::find_if(first, all.end(), [&](const Mark& m) { return m.component != first->component; });
        // The components exist and are in these slots, because the queue is drained before a component is removed.
        const ComponentClass& cls = *classes_[first->component];
        for (const Entry& w : cls.watching) {
            if (w.system == nullptr) continue;
            if (!w.descendants) w.system->mark(std::span(first, end), cls.storage->entities());
            else
                for (const Mark& m : std::span(first, end))
                    mark(w, cls.storage->entities().subspan(m.first, m.end - m.first));
        }
        first = end;
    }
}

void ECS::mark_dirty(Entity e, ComponentId id) {
    if (const Storage* s = find_storage(id); s == nullptr || !s->has(e)) throw_missing(e, id, "dirty");
    mark_present(e, id);
}

void ECS::mark_dirty(std::span<const Entity> entities, ComponentId id) {
    const Storage* s = find_storage(id);
    for (const Entity e : entities) {
        if (s == nullptr || !s->has(e)) throw_missing(e, id, "dirty");
    }
    if (s == nullptr) return;  // without a storage, `entities` is empty
    // A copy, because `entities` may refer to a dirty set, which may grow now.
    const std::vector<Entity> copy(entities.begin(), entities.end());
    drain_marks();
    mark(*classes_[id], copy);
}

// Marks the tracked descendants of an entity, ancestors first, and `itself`. What is below an entity that was reached since
// the last run is in the dirty set already; so many signals in one hierarchy take no more time than one at its root.
void ECS::mark_down(SystemBase& system, Entity e, bool itself, bool moved) {
    DirtySet& dirty = system.dirty_;
    const std::uint32_t before = dirty.set().size();
    bool top_down = dirty.is_top_down();
    // A descendant that is in the set already can be in front of an ancestor that is appended now.
    const auto found = [&] { top_down = top_down && !moved && dirty.set().size() == before; };
    if (itself && system.tracks(e)) {
        dirty.mark(e);
        if (moved && dirty.set().size() == before) found();
    }
    const Hierarchy::Index root = hierarchy_.find(e);
    if (root != Hierarchy::NO_NODE && hierarchy_[root].first != Hierarchy::NO_NODE) {
        dirty.reserve_reached(hierarchy_.extent());
        if (!dirty.reach(root) && !moved) {
            found();
        } else {
            internal::Rollback rollback([&] { dirty.forget_reached(); });
            hierarchy_.each_descendant(root, [&](Hierarchy::Index at) {
                const bool is_new = dirty.reach(at);
                const std::uint32_t size = dirty.set().size();
                const bool tracked = system.tracks(hierarchy_[at].entity);
                if (tracked) dirty.mark(hierarchy_[at].entity);
                if (!is_new || (tracked && dirty.set().size() == size)) found();
                return is_new;
            });
            rollback.cancel();
        }
    }
    dirty.set_top_down(top_down);
}

}  // namespace crateful
