#include "screen.hpp"

#include <cmath>
#include <stdexcept>

#include "systems/presentation/lighting.hpp"

namespace crate_room {

Screen::Card::Card(const Atlas& pictures)
    : atlas(0, pictures.width, pictures.height, pictures.pixels.data(), GL_NEAREST),
      quads(atlas),
      floor(pictures, atlas),
      light(1) {}

Screen::Screen(const Atlas& atlas, const CanvasSize& size, std::uint32_t window_flags)
    : atlas_(atlas), size_(not_empty(size)), window_(size_.width, size_.height, window_flags) {
    restore();
}

void Screen::restore() {
    if (window_.lost()) throw std::runtime_error("The WebGL context is still lost");
    card_.reset();
    card_.emplace(atlas_);
    // A restored context has the default state.
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_DITHER);
    glEnable(GL_BLEND);
    glClearColor(13 / 255.0f, 13 / 255.0f, 22 / 255.0f, 1);
}

void Screen::resize(const CanvasSize& size) {
    size_ = not_empty(size);
    window_.resize(size_.width, size_.height);
}

int Screen::zoom() const noexcept {
    return chosen_zoom_ > 0 ? whole_pixels(static_cast<float>(chosen_zoom_), size_.pixel_ratio)
                            : automatic_zoom(size_, extent_);
}

int Screen::overlay_scale() const noexcept { return crate_room::overlay_scale(size_); }

void Screen::frame(Room& room) noexcept {
    extent_ = room.extent();
    View& view = room.view;
    view.width = static_cast<float>(size_.width) / scale();
    view.height = static_cast<float>(size_.height) / scale();
    view.overlay_width = overlay_x(static_cast<float>(size_.width));
    view.overlay_height = overlay_y(static_cast<float>(size_.height));
}

void Screen::draw(Room& room, const Overlay* above) {
    sprites_ = calls_ = 0;
    uploaded_ = 0;
    if (!card_) return;
    const View& view = room.view;
    Picture picture{
        .width = size_.width,
        .height = size_.height,
        .zoom = zoom(),
        .left = static_cast<int>(snap(view.left() * scale())),
        .top = static_cast<int>(snap(view.top() * scale())),
        .overlay_scale = overlay_scale(),
        // Game time, so that torches stop during a pause. Modulo an hour, because a float is precise enough for that.
        .time = static_cast<float>(std::fmod(room.ecs().game_time(), 3600))};
    glViewport(0, 0, size_.width, size_.height);
    glClear(GL_COLOR_BUFFER_BIT);

    card_->floor.draw(picture, room.extent());
    sprites_ = card_->sprites.draw(picture, card_->quads, room.sprites(), view);

    const ECS& ecs = room.ecs();
    const Position* player = ecs.alive(room.player()) ? ecs.try_get<Position>(room.player()) : nullptr;
    card_->light.draw(picture, player != nullptr ? *player : Position{view.x, view.y}, room.lighting().lamps(), view);

    for (const Overlay* overlay : room.room_overlays()) card_->overlays.add_in_room(picture, *overlay);
    for (const Overlay* overlay : room.screen_overlays()) card_->overlays.add_on_screen(picture, *overlay);
    if (above != nullptr) card_->overlays.add_on_screen(picture, *above);
    card_->overlays.draw(picture, card_->quads);

    calls_ = picture.calls;
    uploaded_ = picture.uploaded;
    window_.show();
}

}  // namespace crate_room
