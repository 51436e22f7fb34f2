#pragma once
#include <cstddef>
#include <cstdint>

namespace bench {

/// The container from which components are removed.
enum class Keeping : std::uint8_t {
    sparse,    ///< a storage: the last value moves into the gap
    linear,    ///< a storage with a slot for each entity index: no value moves
    shifting,  ///< a list without gaps, in order: all values behind the gap move, O(n)
};

/// The time to remove all of `n` components of 8 bytes in random order, in seconds.
[[nodiscard]] double seconds_to_remove_all(Keeping from, std::size_t n);

}  // namespace bench
