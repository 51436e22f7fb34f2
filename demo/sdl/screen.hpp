#pragma once
#include <SDL.h>

#include <memory>
#include <vector>

#include "frames.hpp"
#include "lights.hpp"
#include "room.hpp"

namespace crate_room {

/// The picture of the room, drawn through SDL's renderer: floor and sprites in one call from one
/// texture, then the light in two more.
class Screen {
public:
    /// Opens the window, on a page the element `#canvas`. Throws `std::runtime_error` if that can't be.
    Screen(const Atlas& atlas, int width, int height);

    /// In pixels of the screen.
    void resize(int width, int height);
    /// Pixels of the screen for one of the art; 0 chooses by size.
    void set_zoom(int zoom) noexcept { wanted_zoom_ = zoom; }
    [[nodiscard]] int zoom() const noexcept;
    /// Fits the room's view to the screen. Before the world's update, which moves the view.
    void frame(View& view) const noexcept;
    void draw(const Room& room);

    /// From the room to the screen and back.
    [[nodiscard]] float screen_x(const View& view, float x) const noexcept { return (x - view.left()) * scale(); }
    [[nodiscard]] float screen_y(const View& view, float y) const noexcept { return (y - view.top()) * scale(); }
    [[nodiscard]] float room_x(const View& view, float x) const noexcept { return x / scale() + view.left(); }
    [[nodiscard]] float room_y(const View& view, float y) const noexcept { return y / scale() + view.top(); }

    /// Of the last picture.
    [[nodiscard]] int sprites_drawn() const noexcept { return sprites_; }
    [[nodiscard]] int draw_calls() const noexcept { return calls_; }

private:
    struct Free {
        void operator()(SDL_Window* w) const noexcept { SDL_DestroyWindow(w); }
        void operator()(SDL_Renderer* r) const noexcept { SDL_DestroyRenderer(r); }
        void operator()(SDL_Texture* t) const noexcept { SDL_DestroyTexture(t); }
    };
    using Texture = std::unique_ptr<SDL_Texture, Free>;

    [[nodiscard]] float scale() const noexcept { return static_cast<float>(zoom()); }
    [[nodiscard]] Texture texture(int width, int height, const std::uint8_t* pixels, SDL_BlendMode blend, SDL_ScaleMode scale);
    void add_floor(const Room& room);
    void add(const Quad& quad, float u = 0);
    void add_disc(float x, float y, float radius, SDL_Color tint);
    void flush(const Texture& texture);

    std::unique_ptr<SDL_Window, Free> window_;
    std::unique_ptr<SDL_Renderer, Free> renderer_;
    Texture pictures_, dusk_, glow_;
    int width_;
    int height_;
    int wanted_zoom_ = 0;
    float left_ = 0;  // what part of the room is drawn, in whole pixels of the screen
    float top_ = 0;
    std::vector<Vertex> vertices_;
    std::vector<int> indices_;
    int sprites_ = 0;
    int calls_ = 0;
};

}  // namespace crate_room
