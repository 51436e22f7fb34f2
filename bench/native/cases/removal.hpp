#pragma once
#include <cstddef>
#include <cstdint>

namespace bench {

/// What the components are taken from.
enum class Keeping : std::uint8_t {
    sparse,    ///< our storage: the last one moves into the gap
    linear,    ///< our storage with a slot for each entity: nothing moves
    shifting,  ///< seed 3's "List": everything behind the gap moves up, O(n)
    world,     ///< our `ecs.remove`, one by one, with one system that tracks them
};
enum class Order : std::uint8_t { linear, reverse, random };

/// The time it takes to remove all of `n` components of 8 bytes, in seconds.
[[nodiscard]] double seconds_to_remove_all(Keeping from, Order order, std::size_t n);

}  // namespace bench
