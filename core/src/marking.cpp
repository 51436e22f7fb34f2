// Signals and the mark queue (rules D1 to D10).
#include <algorithm>
#include <vector>

#include "crateful/detail/rollback.hpp"
#include "crateful/detail/structure.hpp"

namespace crateful::internal {

void Structure::dirty(Entity e, ComponentId id) {
    tracking.require_unobserved("dirty");
    if (const Storage* s = tracking.find_storage(id); s == nullptr || !s->has(e)) fail_missing(e, id, "dirty");
    tracking.signal(e, id);
}

void Structure::dirty(std::span<const Entity> entities, ComponentId id) {
    tracking.require_unobserved("dirty");
    const Storage* s = tracking.find_storage(id);
    for (const Entity e : entities) {
        if (s == nullptr || !s->has(e)) fail_missing(e, id, "dirty");
    }
    if (s == nullptr) return;  // without a storage, `entities` is empty
    // A copy, because `entities` may refer to a dirty set, which may grow now.
    const std::vector<Entity> copy(entities.begin(), entities.end());
    tracking.signal(copy, id);
}

void Tracking::signal(std::span<const Entity> entities, ComponentId id) {
    drain_marks();
    const ComponentClass& cls = *classes_[id];
    if (cls.storage->lists_changes()) {
        for (const Entity e : entities) cls.storage->changed(e);
    }
    for (const ListedSystem& w : cls.watching) mark(w, entities);
}

void Tracking::mark(const ListedSystem& w, std::span<const Entity> entities) {
    if (w.system == nullptr) return;
    if (!w.descendants) return w.system->mark_(entities, w.cause);
    for (const Entity e : entities) mark_down(w, e, w.itself);
}

void Tracking::drain_queue() {
    const std::span<const Mark> all = marks_.drain();
    Rollback rollback([&] { marks_.restore(all); });  // marking twice has no effect
    for (auto first = all.begin(); first != all.end();) {
        const auto end = std::find_if(first, all.end(), [&](const Mark& m) { return m.component != first->component; });
        // The components exist and are in these slots, because the queue is drained before a component is removed.
        const ComponentClass& cls = *classes_[first->component];
        if (cls.storage->lists_changes()) cls.storage->changed(std::span(first, end));
        for (const ListedSystem& w : cls.watching) {
            if (w.system == nullptr) continue;
            if (!w.descendants) w.system->mark_(std::span(first, end), cls.storage->entities(), w.cause);
            else
                for (const Mark& m : std::span(first, end))
                    mark(w, cls.storage->entities().subspan(m.first, m.end - m.first));
        }
        first = end;
    }
    rollback.cancel();
}

}  // namespace crateful::internal
