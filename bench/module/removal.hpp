#pragma once
#include <cstddef>

namespace bench {

/// The time to remove all of `n` components of 8 bytes from a storage in random order, in seconds. In a linear storage, no value moves; in
/// a sparse one, the last value moves into the gap.
[[nodiscard]] double seconds_to_remove_all(bool linear, std::size_t n);

}  // namespace bench
