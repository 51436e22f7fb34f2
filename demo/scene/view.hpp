#pragma once

namespace crate_room {

/// The part of the room that is on the screen, in the room's pixels.
struct View {
    float x = 0;  ///< its middle
    float y = 0;
    float width = 320;
    float height = 200;

    /// The screen in pixels of the overlay, whose (0, 0) is the screen's upper left corner.
    float overlay_width = 320;
    float overlay_height = 200;

    [[nodiscard]] float left() const noexcept { return x - width / 2; }
    [[nodiscard]] float top() const noexcept { return y - height / 2; }
    [[nodiscard]] float right() const noexcept { return x + width / 2; }
    [[nodiscard]] float bottom() const noexcept { return y + height / 2; }

    bool operator==(const View&) const = default;
};

/// The size of the room, walls included, in its pixels; (0, 0) is its upper left corner.
struct Extent {
    float width = 0;
    float height = 0;
};

}  // namespace crate_room
