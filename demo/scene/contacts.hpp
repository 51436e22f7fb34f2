#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "components.hpp"

namespace crate_room {

/// Two shapes that overlap; `a` is of the first kind of the set, `b` of the second.
struct TouchingPair {
    Entity a;
    Entity b;
};

/// The pairs of kinds for which CollisionDetection searches.
enum class CollisionSet : std::uint8_t {
    mobile_solid,
    mobile_mobile,
    attack_vulnerable,
    shield_attack,
    sensor_mobile,
    count
};

/// The touches of the current frame, by set. CollisionDetection writes them; the systems after it handle them.
struct Contacts {
    /// Each pair once. The order depends only on positions, so it does not depend on the order of the search.
    [[nodiscard]] const std::vector<TouchingPair>& touches(CollisionSet set) const noexcept {
        return sets[static_cast<std::size_t>(set)];
    }
    void clear() noexcept {
        for (auto& touches : sets) touches.clear();
    }

    std::array<std::vector<TouchingPair>, static_cast<std::size_t>(CollisionSet::count)> sets;
};

}  // namespace crate_room
