#pragma once
#include <array>

#include "draw/frames.hpp"
#include "image.hpp"

// The common part of all figures: poses for walking, striking, defending, staggering and dying. The weapon in their hand is
// a picture of its own (weapons.cpp).
namespace crate_room::paint {

using Rows = std::vector<std::string_view>;
/// One value for each side from which a figure is seen: front, back, side.
template <class T>
using Sides = std::array<T, 3>;

inline constexpr int FIGURE_SIZE = 42;    // of a frame, including the space for the trail of a blow
inline constexpr int FIGURE_MIDDLE = 21;  // the column between a figure's two halves
inline constexpr int FIGURE_GROUND = 30;  // the row below its feet

/// The parts that differ between figures. Heads, trunks and legs are drawn row by row and joined at the centre, so
/// that each can be shifted separately.
struct Costume {
    Colour (*colour_of)(char);
    int height;  ///< from the top of its head to the row below its feet
    int neck;    ///< where the trunk starts, counted from the top
    Sides<Rows> heads;
    Rows dazed;  ///< the head from the front with closed eyes
    Rows dazed_aside;
    Sides<Rows> trunks;
    Sides<Rows> flung;  ///< trunks with spread arms
    Colour trail;       ///< the colour of a blow's trail
    /// The shield on its arm, or none.
    void (*shield)(Image& image, Side side, bool raised, int bob);
    Sides<bool> shield_in_front;
};

/// Picture `n` of a figure, in the order of frames::figure.
[[nodiscard]] Image figure(const Costume& costume, int n);

}  // namespace crate_room::paint
