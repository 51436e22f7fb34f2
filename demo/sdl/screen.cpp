#include "screen.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "systems/presentation/lighting.hpp"

namespace crate_room {
namespace {

// The automatic zoom shows about this much of the room, in pixels of the art.
constexpr float VISIBLE_WIDTH = 440;
constexpr float VISIBLE_HEIGHT = 275;
// The approximate size of the overlay in its own pixels. It decides how large letters are.
constexpr float OVERLAY_WIDTH = 480;
constexpr float OVERLAY_HEIGHT = 300;
constexpr int WIDE = 700;  // from this width on a pixel of the overlay is at least two pixels of the canvas

}  // namespace

Screen::Card::Card(const Atlas& pictures)
    : atlas(0, pictures.width, pictures.height, pictures.pixels.data(), GL_NEAREST),
      quads(atlas),
      floor(pictures, atlas),
      light(1) {}

Screen::Screen(const Atlas& atlas, int width, int height, std::uint32_t window_flags)
    : atlas_(atlas), width_(std::max(1, width)), height_(std::max(1, height)), window_(width_, height_, window_flags) {
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

void Screen::resize(int width, int height) {
    width_ = std::max(1, width);
    height_ = std::max(1, height);
    window_.resize(width_, height_);
}

int Screen::zoom() const noexcept {
    if (wanted_zoom_ > 0) return wanted_zoom_;
    // Computed by area, so that portrait and landscape screens show about the same amount.
    const float fits =
        std::sqrt(static_cast<float>(width_) / VISIBLE_WIDTH * static_cast<float>(height_) / VISIBLE_HEIGHT);
    return std::max(1, static_cast<int>(fits));
}

int Screen::overlay_scale() const noexcept {
    const float fits =
        std::min(static_cast<float>(width_) / OVERLAY_WIDTH, static_cast<float>(height_) / OVERLAY_HEIGHT);
    return std::max(width_ >= WIDE ? 2 : 1, static_cast<int>(std::lround(fits)));
}

void Screen::frame(View& view) const noexcept {
    view.width = static_cast<float>(width_) / scale();
    view.height = static_cast<float>(height_) / scale();
    view.overlay_width = overlay_x(static_cast<float>(width_));
    view.overlay_height = overlay_y(static_cast<float>(height_));
}

void Screen::draw(Room& room, const Overlay* above) {
    sprites_ = calls_ = 0;
    uploaded_ = 0;
    if (!card_) return;
    const View& view = room.view;
    Picture picture{
        .width = width_,
        .height = height_,
        .zoom = zoom(),
        .left = static_cast<int>(snap(view.left() * scale())),
        .top = static_cast<int>(snap(view.top() * scale())),
        .overlay_scale = overlay_scale(),
        // Game time, so that torches stop during a pause. Modulo an hour, because a float is precise enough for that.
        .time = static_cast<float>(std::fmod(room.ecs().game_time(), 3600))};
    glViewport(0, 0, width_, height_);
    glClear(GL_COLOR_BUFFER_BIT);

    card_->floor.draw(picture, room.extent);
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
