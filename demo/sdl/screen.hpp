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
#include "sprite_layer.hpp"
#include "window.hpp"

namespace crate_room {

/// The picture of the room, drawn by the graphics card from what it remembers: floor, sprites, light and
/// overlays in a call or two each. Only what changed since the last picture is sent.
class Screen {
public:
    /// Opens the window, on a page the element `#canvas`; `window_flags` are SDL's. The atlas has to outlive
    /// it. Throws `std::runtime_error` if that can't be.
    Screen(const Atlas& atlas, int width, int height, std::uint32_t window_flags = 0);

    /// In pixels of the canvas.
    void resize(int width, int height);
    [[nodiscard]] int width() const noexcept { return width_; }
    [[nodiscard]] int height() const noexcept { return height_; }
    /// Pixels of the canvas for one of the art; 0 chooses by size.
    void set_zoom(int zoom) noexcept { wanted_zoom_ = zoom; }
    [[nodiscard]] int zoom() const noexcept;
    /// Pixels of the canvas for one of the overlay.
    [[nodiscard]] int overlay_scale() const noexcept;
    /// Natively: whether each picture waits for the screen.
    void wait_for_screen(bool on) noexcept { window_.wait_for_screen(on); }

    /// Fits the room's view to the canvas. Before the world's update, which moves the view.
    void frame(View& view) const noexcept;
    /// `above` is drawn over everything else, in pixels of the overlay.
    void draw(Room& room, const Overlay* above = nullptr);

    /// The graphics card forgot everything: nothing is drawn until `restore()`.
    void lose() noexcept { card_.reset(); }
    /// Tells the graphics card everything anew. Throws `std::runtime_error` if that can't be.
    void restore();

    /// From the room to the canvas and back.
    [[nodiscard]] float screen_x(const View& view, float x) const noexcept { return (x - view.left()) * scale(); }
    [[nodiscard]] float screen_y(const View& view, float y) const noexcept { return (y - view.top()) * scale(); }
    [[nodiscard]] float room_x(const View& view, float x) const noexcept { return x / scale() + view.left(); }
    [[nodiscard]] float room_y(const View& view, float y) const noexcept { return y / scale() + view.top(); }
    /// From the canvas to the overlay.
    [[nodiscard]] float overlay_x(float x) const noexcept { return x / static_cast<float>(overlay_scale()); }
    [[nodiscard]] float overlay_y(float y) const noexcept { return y / static_cast<float>(overlay_scale()); }

    /// Of the last picture.
    [[nodiscard]] int sprites_drawn() const noexcept { return sprites_; }
    [[nodiscard]] int draw_calls() const noexcept { return calls_; }
    /// Bytes of vertices, indices and lamps that were sent to the graphics card for it.
    [[nodiscard]] std::size_t uploaded_bytes() const noexcept { return uploaded_; }

private:
    // All that is in the graphics card's memory.
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
    int width_;
    int height_;
    Window window_;
    std::optional<Card> card_;
    int wanted_zoom_ = 0;
    int sprites_ = 0;
    int calls_ = 0;
    std::size_t uploaded_ = 0;
};

}  // namespace crate_room
