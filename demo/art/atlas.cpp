#include "atlas.hpp"

#include <stdexcept>

#include "font.hpp"
#include "paint.hpp"
#include "shelves.hpp"

namespace crate_room {
namespace {

constexpr int WIDTH = 512;  // a power of two

template <class Paint>
std::vector<Image> strip(int count, Paint&& paint) {
    std::vector<Image> images;
    for (int n = 0; n < count; ++n) images.push_back(paint(n));
    return images;
}

void add_figure(Shelves& shelves, Image (*paint)(int)) {
    using namespace frames;
    constexpr Shelves::Anchor ANCHOR{21, 27};
    for (int n = figure::WALK; n < figure::STRIKE; n += WALK_STEPS) {
        shelves.add_loop(strip(WALK_STEPS, [&](int step) { return paint(n + step); }), ANCHOR);
    }
    shelves.add_all(strip(figure::COUNT - figure::STRIKE, [&](int n) { return paint(figure::STRIKE + n); }), ANCHOR);
}

}  // namespace

Atlas paint_atlas() {
    using namespace frames;
    Shelves shelves(WIDTH);
    // In the order of the frame numbers. An anchor is the centre of the ground that the object stands on.
    shelves.add_all(strip(FLOORS, paint::floor), {8, 8});
    shelves.add_all(strip(WALLS, paint::wall), {8, 24});
    shelves.add(paint::pillar(), {7, 24});
    shelves.add_loop(strip(TORCH_FLAMES, paint::torch), {5, 15});
    shelves.add_all(strip(DOOR_STEPS, paint::door), {16, 36});
    for (int kind = 0; kind < CRATES; ++kind) {
        shelves.add_loop(strip(CRATE_STEPS, [&](int step) { return paint::crate(kind, step); }), {10, 16});
    }
    for (int which = 0; which < BURSTS; ++which) {
        shelves.add_all(strip(BURST_STEPS, [&](int step) { return paint::burst(which, step); }), {32, 42});
    }
    shelves.add_all(strip(BLAST_STEPS, paint::blast), {40, 48});
    shelves.add_all(strip(SPARK_STEPS, paint::spark), {8, 15});  // at the height of a shield
    shelves.add_all(strip(PUFF_STEPS, paint::puff), {6, 8});
    shelves.add_loop(strip(PICKUP_STEPS, paint::pickup), {6, 16});
    add_figure(shelves, paint::hero);
    add_figure(shelves, paint::guard);
    shelves.add_all(strip(WEAPON_ANGLES, paint::hammer), {15.5f, 15.5f});  // the middle of the pixel in the hand
    shelves.add_all(strip(WEAPON_ANGLES, paint::sword), {15.5f, 15.5f});
    shelves.add(paint::marker(), {11, 20});
    shelves.add(paint::heart(true), {});
    shelves.add(paint::heart(false), {});
    shelves.add(paint::arrow(), {5.5f, 4.5f});
    shelves.add(paint::disc(), {16, 16});
    shelves.add(paint::ring(), {16, 16});
    shelves.add_white();
    shelves.add_all(strip(GLYPHS, paint::glyph), {});
    Atlas atlas = shelves.finish();
    if (atlas.frames.size() != COUNT)
        throw std::logic_error("paint_atlas: not as many pictures as there are numbers for");
    return atlas;
}

}  // namespace crate_room
