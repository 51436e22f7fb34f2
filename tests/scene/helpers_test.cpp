// Small helpers of the screen and the devices.
#include <gtest/gtest.h>

#include "lean.hpp"
#include "ranges.hpp"
#include "scaling.hpp"

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

TEST(Scaling, the_automatic_zoom_is_two_css_pixels_in_whole_pixels_of_the_canvas) {
    const Extent large{3000, 2000};
    EXPECT_EQ(automatic_zoom({1280, 800, 1}, large), 2);
    EXPECT_EQ(automatic_zoom({2560, 1600, 2}, large), 4);
    EXPECT_EQ(automatic_zoom({1170, 1500, 3}, large), 6);
    EXPECT_EQ(automatic_zoom({1600, 1000, 1.25f}, large), 3);
    EXPECT_EQ(automatic_zoom({320, 200, 0.2f}, large), 1);
    EXPECT_EQ(automatic_zoom({1280, 800, 1}, {}), 2) << "there is no room yet";
}

TEST(Scaling, a_small_room_is_enlarged_as_long_as_all_of_it_is_visible) {
    const Extent small{320, 200};
    EXPECT_EQ(automatic_zoom({960, 3 * 228, 1}, small), 3);
    EXPECT_EQ(automatic_zoom({960, 3 * 228 - 1, 1}, small), 2) << "the doors above the room are included";
    EXPECT_EQ(automatic_zoom({959, 800, 1}, small), 2);
    EXPECT_EQ(automatic_zoom({1920, 1400, 1}, small), 6);
    EXPECT_EQ(automatic_zoom({1920, 200, 1}, small), 2) << "smaller than the view in one direction only";
    EXPECT_EQ(automatic_zoom({1920, 1400, 2}, small), 6);
}

TEST(Scaling, letters_are_at_least_14_css_pixels_high) {
    for (const float ratio : {0.5f, 0.9f, 1.0f, 1.1f, 1.25f, 1.5f, 2.0f, 2.625f, 3.0f}) {
        for (const float css_width : {320.0f, 390.0f, 862.0f, 2560.0f}) {
            const CanvasSize canvas{whole_pixels(css_width, ratio), whole_pixels(500, ratio), ratio};
            const float high = 7 * static_cast<float>(overlay_scale(canvas)) / ratio;
            EXPECT_GE(high, 13.9f) << css_width << " x " << ratio;
            EXPECT_LE(high, 28.1f) << css_width << " x " << ratio;
        }
    }
    EXPECT_EQ(overlay_scale({862, 549, 1}), 2);
    EXPECT_EQ(overlay_scale({2093, 1119, 1}), 3) << "larger on a large canvas";
    EXPECT_EQ(overlay_scale({780, 1000, 2.0000001f}), 4);
}

}  // namespace
}  // namespace crate_room
