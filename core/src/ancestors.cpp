// Changes of ancestors (rule D13): signals make descendants dirty, and a dirty set can be sorted so that ancestors are in front.
#include <algorithm>

#include "crateful/detail/rollback.hpp"
#include "crateful/detail/tracking.hpp"

namespace crateful::internal {

// Marks the tracked descendants of an entity, ancestors first, and `itself`. What is below an entity that was reached since
// the last run is in the dirty set already; so many signals in one hierarchy take no more time than one at its root.
void Tracking::mark_down(const ListedSystem& w, Entity e, bool itself) {
    SystemBase& system = *w.system;
    DirtySet& dirty = system.dirty_set();
    const bool moved = w.cause == DirtyCauses::MOVED;
    const bool kept = dirty.causes().kept();
    const auto reach = [&](Hierarchy::Index at) { return kept ? dirty.reach_with(at, w.cause) : dirty.reach(at); };
    const std::uint32_t before = dirty.set().size();
    bool top_down = dirty.is_top_down();
    // A descendant that is in the set already can be in front of an ancestor that is appended now.
    const auto found = [&] { top_down = top_down && !moved && dirty.set().size() == before; };
    if (itself && system.tracks(e)) {
        dirty.mark(e, w.cause, kept);
        if (moved && dirty.set().size() == before) found();
    }
    const Hierarchy::Index root = hierarchy.find(e);
    if (root != Hierarchy::NO_NODE && hierarchy[root].first != Hierarchy::NO_NODE) {
        dirty.reserve_reached(hierarchy.extent());
        if (!reach(root) && !moved) {
            found();
        } else {
            Rollback rollback([&] { dirty.forget_reached(); });
            hierarchy.each_descendant(root, [&](Hierarchy::Index at) {
                const bool is_new = reach(at);
                const std::uint32_t size = dirty.set().size();
                const bool tracked = system.tracks(hierarchy[at].entity);
                if (tracked) dirty.mark(hierarchy[at].entity, w.cause, kept);
                if (!is_new || (tracked && dirty.set().size() == size)) found();
                return is_new;
            });
            rollback.cancel();
        }
    }
    dirty.set_top_down(top_down);
}

void Tracking::presence_changed(Entity e, const ComponentClass& cls) {
    if (cls.reading_parents.empty()) return;
    const Hierarchy::Index node = hierarchy.find(e);
    if (node == Hierarchy::NO_NODE) return;
    for (const ListedSystem& r : cls.reading_parents) {
        for (Hierarchy::Index at = hierarchy[node].first; r.system != nullptr && at != Hierarchy::NO_NODE;
             at = hierarchy[at].next)
            mark_down(r, hierarchy[at].entity, true);
    }
}

void Tracking::parent_changed(Entity e) {
    for (const ListedSystem& w : inheriting_) {
        if (w.system != nullptr) mark_down(w, e, true);
    }
}

// Each entity is preceded by those of its ancestors that are not in front of it yet. Elements do not move across the
// positions of iterations, so that these still visit each element once. Linear in the number of entities and ancestors,
// because no ancestor is looked at twice.
void Tracking::sort_top_down(DirtySet& dirty) {
    SparseSet& set = dirty.set();
    set.take_back_positions();
    dirty.reserve_reached(hierarchy.extent());
    struct Forget {  // also if there is no memory: what is below the entities that were looked at may not be in the set
        DirtySet& dirty;
        ~Forget() { dirty.forget_reached(); }
    } const forget{dirty};
    const bool at_once = set.boundary_above(0) == 0 || set.boundary_above(0) == set.size();
    for (std::uint32_t first = 0, end = 0; first < set.size(); first = end) {
        end = set.boundary_above(first);
        if (end == 0) end = set.size();
        dirty.forget_reached();
        for (std::uint32_t at = first; at < end; ++at) {
            const Entity e = set[at];
            const Hierarchy::Index node = hierarchy.find(e);
            if (node == Hierarchy::NO_NODE || !dirty.reach(node)) continue;
            // The ancestors behind it, up to one that is in front of it, or that was looked at before.
            above_.clear();
            for (Hierarchy::Index up = hierarchy[node].parent; up != Hierarchy::NO_NODE && dirty.reach(up);) {
                const std::uint32_t slot = set.slot(hierarchy[up].entity);
                if (slot > at && slot < end) above_.push_back(hierarchy[up].entity);
                up = hierarchy[up].parent;
            }
            if (above_.empty()) continue;
            for (std::size_t i = above_.size(); i-- > 0; ++at) set.swap(at, set.slot(above_[i]));
            set.swap(at, set.slot(e));
        }
    }
    // Without `watch_ancestors`, another parent changes nothing in the set, so that it may have to be sorted again.
    const auto inherits = [&](const ListedSystem& w) {
        return w.system != nullptr && &w.system->dirty_set() == &dirty;
    };
    dirty.set_top_down(at_once && std::any_of(inheriting_.begin(), inheriting_.end(), inherits));
}

}  // namespace crateful::internal
