// Signals and the mark queue (rules D1 to D10).
#include <algorithm>
#include <vector>

#include "crateful/ecs.hpp"

namespace crateful {

// The entity must have the component.
void ECS::mark_present(Entity e, ComponentId id) {
    drain_marks();
    mark(*classes_[id], e);
}

void ECS::drain_queue() {
    const std::span<const Mark> all = marks_.drain();
    for (auto first = all.begin(); first != all.end();) {
        const auto end = std::find_if(first, all.end(), [&](const Mark& m) { return m.component != first->component; });
        // The components exist and are in these slots, because the queue is drained before a component is removed.
        const ComponentClass& cls = *classes_[first->component];
        for (const Watcher& w : cls.watching) {
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

}  // namespace crateful
