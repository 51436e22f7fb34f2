#include "sibling_moves.hpp"

#include <algorithm>

namespace crateful::internal {

Placement placement_of(const Hierarchy& hierarchy, Entity e) noexcept {
    Placement position{.child = e};
    const Hierarchy::Index node = e == NONE ? Hierarchy::NO_NODE : hierarchy.find(e);
    if (node == Hierarchy::NO_NODE || hierarchy[node].parent == Hierarchy::NO_NODE) return position;
    position.parent = hierarchy[hierarchy[node].parent].entity;
    if (hierarchy[node].next != Hierarchy::NO_NODE) position.next = hierarchy[hierarchy[node].next].entity;
    return position;
}

void move_siblings(Hierarchy& hierarchy, std::span<const Entity> before, std::span<const Placement> after,
                   std::vector<const Placement*>& waiting) {
    for (const Entity e : before) {
        const Hierarchy::Index node = e == NONE ? Hierarchy::NO_NODE : hierarchy.find(e);
        if (node == Hierarchy::NO_NODE || hierarchy[node].parent == Hierarchy::NO_NODE) continue;
        const Hierarchy::Index parent = hierarchy[node].parent;
        hierarchy.detach(node);
        hierarchy.remove_single(node);
        hierarchy.remove_single(parent);
    }
    const auto find = [&](Entity e) {
        const auto by_index = [](const Placement& p, std::uint32_t index) { return index_of(p.child) < index; };
        const auto at = std::lower_bound(after.begin(), after.end(), index_of(e), by_index);
        return at != after.end() && at->child == e && at->parent != NONE ? &*at : nullptr;
    };
    const auto is_placed = [&](const Placement& position) {
        const Hierarchy::Index node = hierarchy.find(position.child);
        return node != Hierarchy::NO_NODE && hierarchy[node].parent != Hierarchy::NO_NODE;
    };
    // Each behind the sibling that it must be in front of.
    waiting.clear();
    for (const Placement& first : after) {
        if (first.parent == NONE) continue;
        for (const Placement* at = &first; at != nullptr && !is_placed(*at); at = find(at->next)) {
            waiting.push_back(at);
            if (at->next == NONE) break;
        }
        for (; !waiting.empty(); waiting.pop_back()) {
            const Placement& position = *waiting.back();
            const Hierarchy::Index parent = hierarchy.make(position.parent);
            const Hierarchy::Index child = hierarchy.make(position.child);
            hierarchy.attach(child, parent, position.next == NONE ? Hierarchy::NO_NODE : hierarchy.find(position.next));
        }
    }
}

}  // namespace crateful::internal
