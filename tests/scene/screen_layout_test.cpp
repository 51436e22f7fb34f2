// Overlays on screens of different sizes, with the real letters.
#include <algorithm>
#include <limits>

#include "atlas.hpp"
#include "play.hpp"
#include "systems/presentation/hud.hpp"

namespace crate_room {
namespace {

struct Bounds {
    float left = std::numeric_limits<float>::max();
    float top = std::numeric_limits<float>::max();
    float right = std::numeric_limits<float>::lowest();
    float bottom = std::numeric_limits<float>::lowest();

    void include(const Quad& quad) {
        for (const Vertex& v : quad) {
            left = std::min(left, v.x), right = std::max(right, v.x);
            top = std::min(top, v.y), bottom = std::max(bottom, v.y);
        }
    }
    [[nodiscard]] bool overlaps(const Bounds& o) const {
        return left < o.right && o.left < right && top < o.bottom && o.top < bottom;
    }
};

Bounds bounds(const Overlay& overlay) {
    Bounds all;
    for (const Quad& quad : overlay.quads()) all.include(quad);
    return all;
}

/// The boxes of the head-up display: hearts, room, door.
std::vector<Bounds> hud_boxes(const Hud& hud) {
    std::vector<Bounds> boxes;
    for (const Quad& quad : hud.overlay().quads()) {
        if (quad[0].colour.r != 10) continue;
        boxes.emplace_back().include(quad);
    }
    return boxes;
}

/// A room whose overlays are all visible.
struct Screenful {
    Screenful(float width, float height) : room(ecs, atlas()) {
        room.view.overlay_width = width, room.view.overlay_height = height;
        room.begin(7, 1000, 0);
        room.set_enabled("DebugHeat", true);
        room.tracking.on = false;  // large numbers in the legend
        ecs.add<Dead>(room.player());
        for (int i = 0; i < 60; ++i) room.end_frame(ecs.update(room.begin_frame(1.0 / 60)));
    }
    static const Atlas& atlas() {
        static const Atlas painted = paint_atlas();
        return painted;
    }
    ECS ecs;
    Room room;
};

TEST(ScreenLayout, overlays_are_inside_the_screen_and_do_not_cover_each_other) {
    // From a narrow phone in portrait and landscape to a large screen, in pixels of the overlay.
    constexpr std::array<std::array<float, 2>, 9> SIZES{
        {{150, 220}, {185, 252}, {195, 300}, {300, 170}, {323, 183}, {431, 275}, {512, 300}, {697, 373}, {1280, 560}}};
    for (const auto& [width, height] : SIZES) {
        SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(height));
        Screenful screen(width, height);
        const auto& hud = screen.ecs.get_system<Hud>();
        std::vector<Bounds> all = hud_boxes(hud);
        ASSERT_EQ(all.size(), 3u);
        all.push_back(bounds(screen.room.heat().legend()));
        for (std::size_t i = 0; i < all.size(); ++i) {
            EXPECT_GE(all[i].left, 0);
            EXPECT_GE(all[i].top, 0);
            EXPECT_LE(all[i].right, width);
            EXPECT_LE(all[i].bottom, height);
            for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(all[i].overlaps(all[j])) << i << " and " << j;
        }
        const Bounds words = bounds(hud.words());
        EXPECT_GE(words.left, 0);
        EXPECT_LE(words.right, width);
    }
}

TEST(ScreenLayout, the_words_after_a_death_are_wrapped_if_they_are_too_long) {
    const auto lines = [](float width) {
        Screenful screen(width, 250);
        const Bounds words = bounds(screen.ecs.get_system<Hud>().words());
        return (words.bottom - words.top) / static_cast<float>(frames::GLYPH_HEIGHT);
    };
    EXPECT_LT(lines(185), 1.5f);
    EXPECT_GT(lines(160), 2);
}

}  // namespace
}  // namespace crate_room
