#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

#include "draw/frames.hpp"
#include "floor_layer.hpp"
#include "gl.hpp"
#include "light_layer.hpp"
#include "overlay_layer.hpp"
#include "picture.hpp"
#include "quad_program.hpp"
#include "room.hpp"
#include "scaling.hpp"
#include "sprite_layer.hpp"
#include "window.hpp"

namespace crate_room {

/// Draws the room: floor, sprites, light and overlays, with one or two draw calls each. Data stays in the graphics
/// card's memory; only changes since the last picture are uploaded.
class Screen {
public:
    /// Opens a window; on a page it uses the element `#canvas`. `window_flags` are SDL's. The atlas must exist longer
    /// than the screen. Throws `std::runtime_error` if the window or its OpenGL context cannot be created.
    Screen(const Atlas& atlas, const CanvasSize& size, std::uint32_t window_flags = 0);

    void resize(const CanvasSize& size);
    [[nodiscard]] int width() const noexcept { return size_.width; }
    [[nodiscard]] int height() const noexcept { return size_.height; }
    /// CSS pixels per pixel of the art; 0: see `automatic_zoom`.
    void choose_zoom(int css_pixels) noexcept { chosen_zoom_ = css_pixels; }
    /// Pixels of the canvas per pixel of the art.
    [[nodiscard]] int zoom() const noexcept;
    /// Pixels of the canvas per pixel of the overlay.
    [[nodiscard]] int overlay_scale() const noexcept;
    /// Whether `draw` waits for the screen's next refresh. Has an effect in the native program only.
    void wait_for_screen(bool on) noexcept { window_.wait_for_screen(on); }

    /// Sets the size of the room's view to that of the canvas. Call it before the world's update, which moves the view,
    /// and after the room's extent changed.
    void frame(Room& room) noexcept;
    /// Draws a picture. `above` is drawn over everything else, in pixels of the overlay.
    void draw(Room& room, const Overlay* above = nullptr);

    /// The OpenGL context was lost: `draw` draws nothing until `restore()`.
    void lose() noexcept { card_.reset(); }
    /// Uploads everything again. Throws `std::runtime_error` if the context is still lost.
    void restore();

    /// Converts between coordinates of the room and of the canvas.
    [[nodiscard]] float screen_x(const View& view, float x) const noexcept { return (x - view.left()) * scale(); }
    [[nodiscard]] float screen_y(const View& view, float y) const noexcept { return (y - view.top()) * scale(); }
    [[nodiscard]] float room_x(const View& view, float x) const noexcept { return x / scale() + view.left(); }
    [[nodiscard]] float room_y(const View& view, float y) const noexcept { return y / scale() + view.top(); }
    /// Converts from the canvas to the overlay.
    [[nodiscard]] float overlay_x(float x) const noexcept { return x / static_cast<float>(overlay_scale()); }
    [[nodiscard]] float overlay_y(float y) const noexcept { return y / static_cast<float>(overlay_scale()); }

    /// How many sprites and draw calls the last picture had.
    [[nodiscard]] int sprites_drawn() const noexcept { return sprites_; }
    [[nodiscard]] int draw_calls() const noexcept { return calls_; }
    /// Bytes of vertices, indices and lamps that were uploaded for the last picture.
    [[nodiscard]] std::size_t uploaded_bytes() const noexcept { return uploaded_; }

private:
    // Everything in the graphics card's memory.
    struct Card {
        explicit Card(const Atlas& atlas);
        gl::Texture atlas;
        QuadProgram quads;
        FloorLayer floor;
        SpriteLayer sprites;
        LightLayer light;
        OverlayLayer overlays;
    };

    [[nodiscard]] float scale() const noexcept { return static_cast<float>(zoom()); }

    const Atlas& atlas_;
    CanvasSize size_;
    Extent extent_;  // of the room, for the automatic zoom
    Window window_;
    std::optional<Card> card_;
    int chosen_zoom_ = 0;
    int sprites_ = 0;
    int calls_ = 0;
    std::size_t uploaded_ = 0;
};

}  // namespace crate_room
