// Parents and children (rules H1 to H4).
#include "crateful/detail/message.hpp"
#include "crateful/detail/structure.hpp"

namespace crateful::internal {

Entity Structure::parent(Entity e) const noexcept { return alive(e) ? tracking.hierarchy.parent(e) : NONE; }

void Structure::check_parent(Entity child, Entity parent, Entity before) const {
    require_alive(child, "set_parent");
    if (parent != NONE) require_alive(parent, "set_parent");
    const auto refuse = [&](const char* why) {
        fail(ErrorCode::bad_argument, {"set_parent: ", to_string(child), why, to_string(parent)});
    };
    if (child == Entity{0} && parent != NONE) refuse(" is the world, which cannot get the parent ");
    if (child == parent) refuse(" cannot be its own parent: ");
    const Hierarchy::Index node = tracking.hierarchy.find(child);
    const Hierarchy::Index above = parent == NONE ? Hierarchy::NO_NODE : tracking.hierarchy.find(parent);
    // An entity without children is no ancestor.
    if (node != Hierarchy::NO_NODE && tracking.hierarchy[node].first != Hierarchy::NO_NODE &&
        tracking.hierarchy.contains(node, above) && above != Hierarchy::NO_NODE)
        refuse(" is an ancestor of ");
    if (before == NONE) return;
    require_alive(before, "set_parent");
    const Hierarchy::Index sibling = tracking.hierarchy.find(before);
    if (before == child || above == Hierarchy::NO_NODE || sibling == Hierarchy::NO_NODE ||
        tracking.hierarchy[sibling].parent != above) {
        fail(ErrorCode::bad_argument, {"set_parent: ", to_string(child), " cannot be inserted in front of ",
                                       to_string(before), ", which is no other child of ", to_string(parent)});
    }
}

void Structure::set_parent(Entity child, Entity parent, Entity before) {
    tracking.require_possible("set_parent");
    check_parent(child, parent, before);
    const Entity old = this->parent(child);
    if (parent == NONE && old == NONE) return;
    ComponentClass& cls = tracking.component_class(PARENT_ID);
    cls.storage->reserve(child, std::size_t{cls.storage->count()} + 1);
    pending_removals_.reserve(pending_removals_.size() + 1);
    if (parent == NONE) reserve_parked(*cls.storage);
    const Hierarchy::Index above = parent == NONE ? Hierarchy::NO_NODE : tracking.hierarchy.make(parent);
    const Hierarchy::Index node = tracking.hierarchy.make(child);
    tracking.drain_marks();
    // From here on, nothing throws but callbacks and signals.
    Operation operation(tracking);
    FirstError error;
    if (parent == NONE) {
        detach_from_parent(child);
        error.guard([&] { tracking.parent_changed(child); });
        error.guard([&] { remove(child, cls, cls.storage->slot(child)); });
        return error.rethrow();
    }
    if (old != NONE) tracking.hierarchy.detach(node);
    tracking.hierarchy.attach(node, above, before == NONE ? Hierarchy::NO_NODE : tracking.hierarchy.find(before));
    if (old == parent) return cls.storage->moved(child);  // only its position among the children changes
    if (old != NONE) tracking.hierarchy.remove_single(tracking.hierarchy.find(old));

    const auto [slot, is_new] = cls.storage->place_reserved(child);
    const std::uint64_t packed = static_cast<std::uint32_t>(parent);
    cls.storage->write_packed(slot, reinterpret_cast<const std::byte*>(&packed));
    if (is_new) tracking.set_class(child, cls);
    // In the removal phase, the children of this parent may have been marked already.
    if (next_parent_ > 0 && (*tracking.pool.signature(parent) & EntityPool::REMOVAL_PENDING) != 0)
        error.guard([&] { mark_child(child); });
    error.guard([&] { tracking.parent_changed(child); });
    error.guard([&, added = is_new] { tracking.added(child, cls, added); });
    error.rethrow();
}

void Structure::place_below(Entity child, Entity parent) {
    ComponentClass& cls = tracking.component_class(PARENT_ID);
    cls.storage->reserve(child, std::size_t{cls.storage->count()} + 1);
    const Hierarchy::Index above = tracking.hierarchy.make(parent);
    tracking.hierarchy.attach(tracking.hierarchy.make(child), above, Hierarchy::NO_NODE);
    const std::uint64_t packed = static_cast<std::uint32_t>(parent);
    cls.storage->write_packed(place(cls, child), reinterpret_cast<const std::byte*>(&packed));
}

void Structure::detach_from_parent(Entity child) noexcept {
    const Hierarchy::Index node = tracking.hierarchy.find(child);
    const Hierarchy::Index above = tracking.hierarchy[node].parent;
    tracking.hierarchy.detach(node);
    tracking.hierarchy.remove_single(node);
    tracking.hierarchy.remove_single(above);
}

}  // namespace crateful::internal
