#pragma once

namespace crate_room {

/// Where overlays are on the screen, in pixels of the overlay, so that they do not cover each other: the head-up display
/// at the top, the legend of the heat view at the bottom left, the timing view on the right.
namespace screen_layout {

inline constexpr float EDGE = 6;      ///< from the edge of the screen to text
inline constexpr float HUD_ROW = 20;  ///< height of one of the two rows of the head-up display
inline constexpr float DOOR = 70;     ///< width of the direction of the door in the middle of the first row, at most
inline constexpr float LEGEND = 146;  ///< right edge of the legend, at most
inline constexpr float LEGEND_LINE = 11;
inline constexpr float LEGEND_LINES = 9;  ///< at most

}  // namespace screen_layout
}  // namespace crate_room
