#include "atlas.hpp"

#include <algorithm>

#include "paint.hpp"

namespace crate_room {
namespace {

constexpr int WIDTH = 512;

// Lays frames in rows, one after the other.
class Shelves {
public:
    /// Frames added in one go lie side by side.
    void add(const std::vector<Image>& strip, float anchor_x, float anchor_y) {
        int width = 0;
        for (const Image& image : strip) width += image.width();
        if (x_ + width > WIDTH) next_shelf();
        for (const Image& image : strip) {
            if (x_ + image.width() > WIDTH) next_shelf();
            placed_.push_back({image, x_, y_});
            atlas_.frames.push_back({static_cast<std::uint16_t>(x_), static_cast<std::uint16_t>(y_), static_cast<std::uint16_t>(image.width()),
                                     static_cast<std::uint16_t>(image.height()), anchor_x, anchor_y});
            x_ += image.width();
            shelf_ = std::max(shelf_, image.height());
        }
    }
    [[nodiscard]] Atlas finish() {
        next_shelf();
        Image all(WIDTH, y_);
        for (const auto& [image, x, y] : placed_) all.paste(image, x, y);
        atlas_.width = WIDTH;
        atlas_.height = static_cast<std::uint16_t>(y_);
        for (int y = 0; y < y_; ++y) {
            for (int x = 0; x < WIDTH; ++x) {
                const Colour c = all.at(x, y);
                atlas_.pixels.insert(atlas_.pixels.end(), {c.r, c.g, c.b, c.a});
            }
        }
        return std::move(atlas_);
    }

private:
    struct Placed {
        Image image;
        int x, y;
    };
    void next_shelf() {
        x_ = 0;
        y_ += shelf_;
        shelf_ = 0;
    }
    Atlas atlas_;
    std::vector<Placed> placed_;
    int x_ = 0;
    int y_ = 0;
    int shelf_ = 0;
};

template <class Paint>
std::vector<Image> strip(int count, Paint&& paint) {
    std::vector<Image> images;
    for (int n = 0; n < count; ++n) images.push_back(paint(n));
    return images;
}

}  // namespace

Atlas paint_atlas() {
    using namespace frames;
    Shelves shelves;
    // In the order of their numbers. An anchor is the middle of the ground the thing stands on.
    shelves.add(strip(FLOORS, paint::floor), 8, 8);
    shelves.add(strip(CRATES, paint::crate), 7, 16);
    shelves.add(strip(WALLS, paint::wall), 8, 24);
    shelves.add({paint::pillar()}, 7, 24);
    shelves.add(strip(TORCH_FLAMES, paint::torch), 5, 15);
    shelves.add(strip(3 * WALK_STEPS, paint::walk), 21, 27);
    shelves.add(strip(3 * STRIKE_STEPS, paint::strike), 21, 27);
    for (int which = 0; which < BURSTS; ++which) {
        shelves.add(strip(BURST_STEPS, [&](int step) { return paint::burst(which, step); }), 32, 42);
    }
    shelves.add({paint::marker()}, 11, 20);
    return shelves.finish();
}

}  // namespace crate_room
