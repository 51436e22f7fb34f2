#include "shelves.hpp"

#include <algorithm>
#include <stdexcept>

namespace crate_room {
namespace {

constexpr int GAP = 1;

bool clear_at_its_sides(const Image& image) {
    for (int y = 0; y < image.height(); ++y) {
        if (image.at(0, y).a != 0 || image.at(image.width() - 1, y).a != 0) return false;
    }
    return true;
}

}  // namespace

void Shelves::make_room(int width) {
    if (x_ + width + GAP <= width_) return;
    x_ = GAP;
    y_ += shelf_ + GAP;
    shelf_ = 0;
    if (x_ + width + GAP > width_) throw std::logic_error("Shelves: wider than the atlas");
}

void Shelves::place(const Image& image, Anchor anchor) {
    placed_.push_back({image, x_, y_});
    frames_.push_back({static_cast<std::uint16_t>(x_), static_cast<std::uint16_t>(y_),
                       static_cast<std::uint16_t>(image.width()), static_cast<std::uint16_t>(image.height()), anchor.x,
                       anchor.y});
    x_ += image.width();
    shelf_ = std::max(shelf_, image.height());
}

void Shelves::add(const Image& image, Anchor anchor) {
    make_room(image.width());
    place(image, anchor);
    x_ += GAP;
}

void Shelves::add_all(const std::vector<Image>& images, Anchor anchor) {
    for (const Image& image : images) add(image, anchor);
}

void Shelves::add_loop(const std::vector<Image>& images, Anchor anchor) {
    int width = 0;
    for (const Image& image : images) {
        if (image.width() != images.front().width()) throw std::logic_error("Shelves: a loop's frames differ in width");
        if (!clear_at_its_sides(image)) throw std::logic_error("Shelves: a loop's frame is not clear at its sides");
        width += image.width();
    }
    make_room(width);
    for (const Image& image : images) place(image, anchor);
    x_ += GAP;
}

void Shelves::add_white() {
    constexpr int BLOCK = 5;
    Image block(BLOCK, BLOCK);
    block.box(0, 0, BLOCK, BLOCK, rgb(0xFFFFFF));
    add(block, {});
    Frame& frame = frames_.back();
    frame.x = static_cast<std::uint16_t>(frame.x + BLOCK / 2);
    frame.y = static_cast<std::uint16_t>(frame.y + BLOCK / 2);
    frame.width = 1;
    frame.height = 1;
}

Atlas Shelves::finish() {
    const int height = y_ + shelf_ + GAP;
    Image all(width_, height);
    for (const auto& [image, x, y] : placed_) all.paste(image, x, y);
    Atlas atlas;
    atlas.width = static_cast<std::uint16_t>(width_);
    atlas.height = static_cast<std::uint16_t>(height);
    atlas.frames = frames_;
    atlas.pixels.reserve(static_cast<std::size_t>(width_ * height * 4));
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width_; ++x) {
            const Colour c = all.at(x, y);
            atlas.pixels.insert(atlas.pixels.end(), {c.r, c.g, c.b, c.a});
        }
    }
    return atlas;
}

}  // namespace crate_room
