// Setting the parents and the order of siblings of many entities at once (rule N7).
#pragma once
#include <span>
#include <vector>

#include "crateful/detail/hierarchy.hpp"

namespace crateful::internal {

/// Where an entity is among the children of its parent.
struct Placement {
    Entity child = NONE;   ///< NONE: there is no entity with this index
    Entity parent = NONE;  ///< NONE: it has none
    Entity next = NONE;    ///< the sibling behind it
};
/// The position of an entity.
[[nodiscard]] Placement placement_of(const Hierarchy& hierarchy, Entity e) noexcept;

/// Removes the entities from their parents, and then puts each at its position. `before` are the entities with the same indices as
/// `after` now; `after` is sorted by the index of its entities, and those without a parent may be left out. Other siblings keep their order. `waiting` is
/// used as memory. Throws `std::bad_alloc` unless it has room for all of `after`, and the hierarchy for its nodes.
void move_siblings(Hierarchy& hierarchy, std::span<const Entity> before, std::span<const Placement> after,
                   std::vector<const Placement*>& waiting);

}  // namespace crateful::internal
