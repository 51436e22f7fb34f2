// Small helpers of the screen and the devices.
#include <gtest/gtest.h>

#include "lean.hpp"
#include "ranges.hpp"

namespace crate_room {
namespace {

std::vector<std::pair<std::uint32_t, std::uint32_t>> covered(std::vector<std::uint32_t> numbers, std::uint32_t gap) {
    std::vector<Range> ranges{{7, 9}};  // the result of an earlier call
    cover(numbers, gap, ranges);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const auto& [first, end] : ranges) pairs.emplace_back(first, end);
    return pairs;
}
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

TEST(Ranges, near_numbers_share_a_range_and_distant_ones_do_not) {
    EXPECT_EQ(covered({5, 3, 4, 20}, 0), (Pairs{{3, 6}, {20, 21}}));
    EXPECT_EQ(covered({3, 6, 12}, 2), (Pairs{{3, 7}, {12, 13}}));
    EXPECT_EQ(covered({3, 6, 12}, 5), (Pairs{{3, 13}}));
    EXPECT_EQ(covered({4, 4, 4}, 0), (Pairs{{4, 5}}));
    EXPECT_TRUE(covered({}, 3).empty());
}

TEST(Lean, its_length_is_at_most_one_and_zero_in_the_dead_zone) {
    const Lean both = (Lean{1, 0} + Lean{0, 1}).clamped();
    EXPECT_NEAR(std::hypot(both.x, both.y), 1, 1e-6);
    EXPECT_EQ((Lean{0.1f, 0.1f}.without(0.2f).x), 0);
    EXPECT_NEAR((Lean{0.2f, 0}.without(0.2f).x), 0, 1e-6);
    EXPECT_NEAR((Lean{0.6f, 0}.without(0.2f).x), 0.5, 1e-6);
    EXPECT_NEAR((Lean{0, -1}.without(0.2f).y), -1, 1e-6);
}

}  // namespace
}  // namespace crate_room
