#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace crate_room {

/// From `first` to just before `end`.
struct Range {
    std::uint32_t first;
    std::uint32_t end;
};

/// Covers all numbers with few ranges: two numbers with at most `gap` others between them share a range, because
/// uploading some more quads is cheaper than another call. Sorts `numbers`. O(n log n).
inline void cover(std::vector<std::uint32_t>& numbers, std::uint32_t gap, std::vector<Range>& ranges) {
    ranges.clear();
    std::sort(numbers.begin(), numbers.end());
    for (const std::uint32_t n : numbers) {
        if (!ranges.empty() && n <= ranges.back().end + gap) ranges.back().end = std::max(ranges.back().end, n + 1);
        else ranges.push_back({n, n + 1});
    }
}

}  // namespace crate_room
