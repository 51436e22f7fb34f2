#pragma once
#include <array>

#include "draw/frames.hpp"
#include "image.hpp"

// What the pictures of all figures have in common: how they walk, strike, defend themselves and die.
namespace crate_room::paint {

using Rows = std::vector<std::string_view>;
/// Something for each side a figure is seen from: front, back, side.
template <class T>
using Sides = std::array<T, 3>;

inline constexpr int FIGURE_SIZE = 42;    // of a frame, with room for a swung weapon
inline constexpr int FIGURE_MIDDLE = 21;  // the column between a figure's two halves
inline constexpr int FIGURE_GROUND = 30;  // the row below its feet

/// Where a figure's hand is, and which way the weapon in it points: 0 is right, a quarter turn is down.
struct Grip {
    float x = 0;
    float y = 0;
    float angle = 0;
};

/// What makes one figure another than the next. Heads, trunks and legs are drawn row by row and put
/// together centred, so that each can lean or sink by itself.
struct Costume {
    Colour (*colour_of)(char);
    int height;  ///< from the top of its head to the row below its feet
    int neck;    ///< where the trunk starts, counted from the top
    Sides<Rows> heads;
    Rows dazed;  ///< the head from the front, eyes shut
    Rows dazed_aside;
    Sides<Rows> trunks;
    Sides<Rows> flung;  ///< trunks with the arms thrown out
    Image (*weapon)(Grip);
    Sides<Grip> carried;
    Sides<bool> carried_in_front;  ///< of the figure, as seen
    float reach;                   ///< how far from the shoulder a struck weapon is held
    Colour trail;                  ///< of a blow
    /// The shield on its arm, or none.
    void (*shield)(Image& image, Side side, bool raised, int bob);
    Sides<bool> shield_in_front;
};

/// Picture `n` of a figure, in the order of frames::figure.
[[nodiscard]] Image figure(const Costume& costume, int n);

}  // namespace crate_room::paint
