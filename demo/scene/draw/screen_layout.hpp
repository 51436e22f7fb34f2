#pragma once

namespace crate_room {

/// Where overlays are on the screen, in pixels of the overlay, so that they do not cover each other: the head-up display
/// at the top, the legend of the heat view at the bottom left.
namespace screen_layout {

inline constexpr float EDGE = 6;      ///< from the edge of the screen to text
inline constexpr float HUD_ROW = 20;  ///< height of one of the two rows of the head-up display
inline constexpr float LEGEND_LINE = 11;

}  // namespace screen_layout
}  // namespace crate_room
