#pragma once
#include <vector>

#include "draw/frames.hpp"
#include "image.hpp"

namespace crate_room {

/// Places frames in rows of one image. Transparent pixels separate them, so that enlarged drawings do not show pixels
/// of a neighbour.
class Shelves {
public:
    struct Anchor {
        float x = 0;
        float y = 0;
    };

    explicit Shelves(int width) : width_(width) {}

    void add(const Image& image, Anchor anchor);
    void add_all(const std::vector<Image>& images, Anchor anchor);
    /// Adds the frames of a loop side by side, so that the distance from one to the next is always the width of a
    /// frame. Their outermost columns must be transparent.
    void add_loop(const std::vector<Image>& images, Anchor anchor);
    /// Adds a white block; the frame is the pixel in its centre.
    void add_white();

    [[nodiscard]] Atlas finish();

private:
    struct Placed {
        Image image;
        int x, y;
    };
    // Finds space on this shelf, or on the next one.
    void make_room(int width);
    void place(const Image& image, Anchor anchor);

    int width_;
    std::vector<Placed> placed_;
    std::vector<Frame> frames_;
    int x_ = 1;
    int y_ = 1;
    int shelf_ = 0;  // the height of the highest frame on this shelf
};

}  // namespace crate_room
