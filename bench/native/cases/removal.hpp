#pragma once
#include <cstddef>
#include <cstdint>

namespace bench {

/// The container from which components are removed.
enum class Keeping : std::uint8_t {
    sparse,    ///< a storage: the last value moves into the gap
    linear,    ///< a storage with a slot for each entity index: no value moves
    shifting,  ///< a list without gaps, in order: all values behind the gap move, O(n)
    world,     ///< an ECS with one system that tracks the entities: `ecs.remove`, one by one
};
enum class Order : std::uint8_t { linear, reverse, random };

/// The time to remove all of `n` components of 8 bytes, in seconds.
[[nodiscard]] double seconds_to_remove_all(Keeping from, Order order, std::size_t n);

}  // namespace bench
