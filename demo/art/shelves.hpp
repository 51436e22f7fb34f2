#pragma once
#include <vector>

#include "draw/frames.hpp"
#include "image.hpp"

namespace crate_room {

/// Lays frames in rows, one after the other, into one image. What is added is kept apart by clear pixels,
/// so that no picture shows at the edge of its neighbour when they are drawn enlarged.
class Shelves {
public:
    struct Anchor {
        float x = 0;
        float y = 0;
    };

    explicit Shelves(int width) : width_(width) {}

    void add(const Image& image, Anchor anchor);
    void add_all(const std::vector<Image>& images, Anchor anchor);
    /// The frames of a loop lie side by side, each a frame's width from the one before: how to get from
    /// one to the next is then a single step. The outermost columns have to be clear.
    void add_loop(const std::vector<Image>& images, Anchor anchor);
    /// A block of white, of which one pixel in its middle is the frame.
    void add_white();

    [[nodiscard]] Atlas finish();

private:
    struct Placed {
        Image image;
        int x, y;
    };
    // Finds room on this shelf, or on the next.
    void make_room(int width);
    void place(const Image& image, Anchor anchor);

    int width_;
    std::vector<Placed> placed_;
    std::vector<Frame> frames_;
    int x_ = 1;
    int y_ = 1;
    int shelf_ = 0;  // the height of the highest frame on it
};

}  // namespace crate_room
