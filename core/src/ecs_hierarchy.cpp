// Parents and children (rules H1 to H4).
#include <algorithm>

#include "crateful/ecs.hpp"
#include "operation.hpp"

namespace crateful {

void ECS::fail_parent(const char* call) {
    internal::fail(ErrorCode::bad_argument,
                   {call, ": Parent is added, changed and removed only by setting the parent of an entity"});
}

Entity ECS::parent(Entity e) const {
    require_alive(e, "parent");
    const Hierarchy::Index node = hierarchy_.find(e);
    if (node == Hierarchy::NO_NODE || hierarchy_[node].parent == Hierarchy::NO_NODE) return NONE;
    return hierarchy_[hierarchy_[node].parent].entity;
}

Children ECS::children(Entity e) const {
    require_alive(e, "children");
    return {const_cast<Hierarchy&>(hierarchy_), e};  // an iteration links its position
}

void ECS::check_parent(Entity child, Entity parent, Entity before) const {
    require_alive(child, "set_parent");
    if (parent != NONE) require_alive(parent, "set_parent");
    const auto fail = [&](const char* why) {
        internal::fail(ErrorCode::bad_argument, {"set_parent: ", describe(child), why, describe(parent)});
    };
    if (child == world()) fail(" is the world, which cannot get the parent ");
    if (child == parent) fail(" cannot be its own parent: ");
    const Hierarchy::Index node = hierarchy_.find(child);
    const Hierarchy::Index above = parent == NONE ? Hierarchy::NO_NODE : hierarchy_.find(parent);
    // An entity without children is no ancestor.
    if (node != Hierarchy::NO_NODE && hierarchy_[node].first != Hierarchy::NO_NODE &&
        hierarchy_.contains(node, above) && above != Hierarchy::NO_NODE)
        fail(" is an ancestor of ");
    if (before == NONE) return;
    require_alive(before, "set_parent");
    const Hierarchy::Index sibling = hierarchy_.find(before);
    if (before == child || above == Hierarchy::NO_NODE || sibling == Hierarchy::NO_NODE ||
        hierarchy_[sibling].parent != above) {
        internal::fail(ErrorCode::bad_argument, {"set_parent: ", describe(child), " cannot be inserted in front of ",
                                                 describe(before), ", which is no other child of ", describe(parent)});
    }
}

void ECS::set_parent(Entity child, Entity parent, Entity before) {
    check_parent(child, parent, before);
    const Entity old = this->parent(child);
    if (parent == NONE && old == NONE) return;
    ComponentClass& cls = component_class(PARENT_ID);
    cls.storage->reserve(child, std::size_t{cls.storage->count()} + 1);
    drain_marks();
    Operation operation(*this);
    FirstError error;
    if (parent == NONE) {
        detach_from_parent(child);
        error.guard([&] { mark_moved(child); });
        remove_and_notify(child, cls, cls.storage->slot(child), error);
        return error.rethrow();
    }
    const Hierarchy::Index above = hierarchy_.make(parent);
    const Hierarchy::Index node = hierarchy_.make(child);
    if (old != NONE) hierarchy_.detach(node);
    hierarchy_.attach(node, above, before == NONE ? Hierarchy::NO_NODE : hierarchy_.find(before));
    if (old == parent) return;  // only its position among the children changes
    if (old != NONE) hierarchy_.remove_single(hierarchy_.find(old));

    const auto [slot, is_new] = cls.storage->place_reserved(child);
    const std::uint64_t packed = static_cast<std::uint32_t>(parent);
    cls.storage->write_packed(slot, reinterpret_cast<const std::byte*>(&packed));
    if (is_new) set_class(child, cls);
    // In the removal phase, the children of this parent may have been marked already.
    if (next_parent_ > 0 && (*pool_.signature(parent) & EntityPool::REMOVAL_PENDING) != 0)
        error.guard([&] { mark_for_removal(child); });
    error.guard([&] { mark_moved(child); });
    error.guard([&] { mark(cls, child); });
    if (is_new) update_tracking(child, cls, error);
    error.rethrow();
}

void ECS::detach_from_parent(Entity child) noexcept {
    const Hierarchy::Index node = hierarchy_.find(child);
    const Hierarchy::Index above = hierarchy_[node].parent;
    hierarchy_.detach(node);
    hierarchy_.remove_single(node);
    hierarchy_.remove_single(above);
}

// --- dirty sets (rule D13) ------------------------------------------------------------------------

// An entity has another parent or none: it and its descendants are dirty.
void ECS::mark_moved(Entity e) {
    for (const Entry& w : inheriting_) {
        if (w.system != nullptr) mark_down(*w.system, e, true, true);
    }
}

// Each entity is preceded by those of its ancestors that are not in front of it yet. Elements do not move across the
// positions of iterations, so that these still visit each element once. Linear in the number of entities and ancestors,
// because no ancestor is looked at twice.
void ECS::sort_top_down(DirtySet& dirty) {
    SparseSet& set = dirty.set();
    set.take_back_positions();
    dirty.reserve_reached(hierarchy_.extent());
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
            // The ancestors behind it, up to one that is in front of it, or that was looked at before.
            above_.clear();
            Hierarchy::Index node = hierarchy_.find(set[at]);
            while (node != Hierarchy::NO_NODE && dirty.reach(node)) {
                const std::uint32_t slot = set.slot(hierarchy_[node].entity);
                if (slot >= at && slot < end) above_.push_back(hierarchy_[node].entity);
                node = hierarchy_[node].parent;
            }
            if (above_.size() < 2) continue;
            for (std::size_t i = above_.size(); i-- > 0;)
                set.swap(at + static_cast<std::uint32_t>(above_.size() - 1 - i), set.slot(above_[i]));
            at += static_cast<std::uint32_t>(above_.size()) - 1;
        }
    }
    // Without `watch_ancestors`, another parent changes nothing in the set, so that it may have to be sorted again.
    const auto inherits = [&](const Entry& w) { return w.system != nullptr && &w.system->dirty_set() == &dirty; };
    dirty.set_top_down(at_once && std::any_of(inheriting_.begin(), inheriting_.end(), inherits));
}

}  // namespace crateful
