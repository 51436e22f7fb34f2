#pragma once

namespace crate_room {

/// The visible part of the room, in the room's pixels.
struct View {
    float x = 0;  ///< its centre
    float y = 0;
    float width = 320;
    float height = 200;

    /// The size of the screen in pixels of the overlay; (0, 0) is the upper left corner.
    float overlay_width = 320;
    float overlay_height = 200;

    [[nodiscard]] float left() const noexcept { return x - width / 2; }
    [[nodiscard]] float top() const noexcept { return y - height / 2; }
    [[nodiscard]] float right() const noexcept { return x + width / 2; }
    [[nodiscard]] float bottom() const noexcept { return y + height / 2; }

    bool operator==(const View&) const = default;
};

}  // namespace crate_room
