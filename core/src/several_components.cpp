// Adding and removing several components of one entity (rules C2, E14).
#include "crateful/detail/rollback.hpp"
#include "crateful/detail/structure.hpp"

namespace crateful::internal {

void Structure::add(Entity e, std::span<const ComponentId> ids, Fill fill, void* context) {
    tracking.require_possible("add");
    require_alive(e, "add");
    for (const ComponentId id : ids) require_free(id, "add");
    std::vector<ComponentId> first;
    for (const ComponentId id : ids) {
        const ComponentClass& cls = tracking.component_class(id);
        cls.storage->reserve(e, std::size_t{cls.storage->count()} + 1);
        if (!cls.reading_parents.empty() && !cls.storage->has(e)) first.push_back(id);
    }
    tracking.drain_marks();
    FirstError error;
    for (std::size_t k = 0; k < ids.size(); ++k) {
        ComponentClass& cls = *tracking.find_class(ids[k]);
        const std::uint32_t slot = place(cls, e);
        error.guard([&] { fill(context, k, 0, *cls.storage, {slot, 1}); });
    }
    error.guard([&] { tracking.added(e, ids, first); });  // also if a value could not be written
    error.rethrow();
}

bool Structure::remove(Entity e, std::span<const ComponentId> ids) {
    tracking.require_possible("remove");
    require_alive(e, "remove");
    for (const ComponentId id : ids) require_free(id, "remove");
    const Operation operation(tracking);
    FirstError error;
    bool removed = false;
    for (const ComponentId id : ids) {
        if (!alive(e)) break;  // a callback has removed it
        error.guard([&] { removed = remove(e, id) || removed; });
    }
    error.rethrow();
    return removed;
}

void Tracking::created(Entity e, FirstError& error) {
    if (!pool.alive(e)) return;  // a callback has removed it
    std::vector<ComponentId> ids;
    if (error.guard([&] { pool.each_class(e, [&](ComponentId id) { ids.push_back(id); }); }))
        error.guard([&] { added(e, ids, {}); });  // also if a callback throws, the systems know all of it
    else pool.each_class(e, [&](ComponentId id) { missed(*classes_[id]); });
}

// The systems start and stop in running order, each once, when all components are there.
void Tracking::added(Entity e, std::span<const ComponentId> ids, std::span<const ComponentId> first) {
    FirstError error;
    const Operation operation(*this);
    std::vector<SystemBase*> systems;
    error.guard([&] {
        Rollback rollback([&] {
            for (const ComponentId id : ids) missed(*classes_[id]);
        });
        for (const ComponentId id : ids) {
            const ComponentClass& cls = *classes_[id];
            if (!cls.watching.empty()) mark(cls, e);
            for (const SystemList* list : {&cls.requiring, &cls.filtering}) {
                for (const ListedSystem& r : *list) {
                    if (r.system != nullptr) insert_in_order(systems, 0, *r.system);
                }
            }
        }
        for (const ComponentId id : first) presence_changed(e, *classes_[id]);
        rollback.cancel();
    });
    for (SystemBase* system : systems) {
        if (may_track(*system, e)) start(*system, e, error);
        else stop(*system, e, error);
    }
    error.rethrow();
}

}  // namespace crateful::internal
