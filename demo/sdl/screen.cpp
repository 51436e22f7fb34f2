#include "screen.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "random.hpp"

namespace crate_room {
namespace {

// About so much of the room is to be seen, whatever the size of the screen.
constexpr float SEEN_WIDTH = 440;
constexpr float SEEN_HEIGHT = 275;
constexpr SDL_Color GLOW_COLOUR{84, 48, 20, 255};

[[noreturn]] void fail(const char* what) { throw std::runtime_error(std::string(what) + ": " + SDL_GetError()); }

// Mostly plain slabs; a crack, some moss or another pattern here and there.
std::uint16_t floor_frame(int x, int y) {
    const std::uint32_t h = scramble(77, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
    const auto special = h % 16 == 0;
    return static_cast<std::uint16_t>(frames::FLOOR + (special ? 5 + h / 16 % 5 : h / 16 % 5));
}

}  // namespace

Screen::Screen(const Atlas& atlas, int width, int height) : width_(width), height_(height) {
    // SDL would take every key on the page; only those for the canvas are ours.
    SDL_SetHint(SDL_HINT_EMSCRIPTEN_KEYBOARD_ELEMENT, "#canvas");
    if (SDL_Init(SDL_INIT_VIDEO) != 0) fail("SDL_Init");
    window_.reset(SDL_CreateWindow("Crate room", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, width, height, 0));
    if (!window_) fail("SDL_CreateWindow");
    renderer_.reset(SDL_CreateRenderer(window_.get(), -1, SDL_RENDERER_ACCELERATED | SDL_RENDERER_PRESENTVSYNC));
    if (!renderer_) fail("SDL_CreateRenderer");
    // Text input would let some keys through to the page, and the space bar would scroll it.
    SDL_StopTextInput();

    const Light dusk = paint_dusk();
    const Light glow = paint_glow();
    pictures_ = texture(atlas.width, atlas.height, atlas.pixels.data(), SDL_BLENDMODE_BLEND, SDL_ScaleModeNearest);
    dusk_ = texture(dusk.size, dusk.size, dusk.pixels.data(), SDL_BLENDMODE_MOD, SDL_ScaleModeLinear);
    glow_ = texture(glow.size, glow.size, glow.pixels.data(), SDL_BLENDMODE_ADD, SDL_ScaleModeLinear);
}

Screen::Texture Screen::texture(int width, int height, const std::uint8_t* pixels, SDL_BlendMode blend, SDL_ScaleMode scale) {
    Texture made(SDL_CreateTexture(renderer_.get(), SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STATIC, width, height));
    if (!made || SDL_UpdateTexture(made.get(), nullptr, pixels, width * 4) != 0) fail("SDL_CreateTexture");
    SDL_SetTextureBlendMode(made.get(), blend);
    SDL_SetTextureScaleMode(made.get(), scale);
    return made;
}

void Screen::resize(int width, int height) {
    width_ = std::max(1, width);
    height_ = std::max(1, height);
    SDL_SetWindowSize(window_.get(), width_, height_);
}

int Screen::zoom() const noexcept {
    if (wanted_zoom_ > 0) return wanted_zoom_;
    const float fits = std::min(static_cast<float>(width_) / SEEN_WIDTH, static_cast<float>(height_) / SEEN_HEIGHT);
    return std::max(1, static_cast<int>(fits));
}

void Screen::frame(View& view) const noexcept {
    view.width = static_cast<float>(width_) / scale();
    view.height = static_cast<float>(height_) / scale();
}

void Screen::draw(const Room& room) {
    const auto time = static_cast<float>(std::fmod(room.ecs().game_time(), 3600));
    left_ = std::round(room.view.left() * scale());
    top_ = std::round(room.view.top() * scale());
    calls_ = 0;
    SDL_SetRenderDrawColor(renderer_.get(), 13, 13, 22, 255);
    SDL_RenderClear(renderer_.get());

    const auto& visible = room.sprites().visible(room.view);
    sprites_ = static_cast<int>(visible.size());
    add_floor(room);
    for (const Quad* q : visible) {
        // Neighbouring flames are not in step.
        const int step = q->loop > 1 ? static_cast<int>(time * 9 + q->depth + q->corners[0].x) % q->loop : 0;
        add(*q, static_cast<float>(step) * q->loop_step);
    }
    flush(pictures_);

    if (room.ecs().alive(room.player())) {
        // Wherever on the screen the player is, it has to reach the corner furthest away.
        const auto& at = room.ecs().get<Position>(room.player());
        add_disc(at.x, at.y, std::hypot(static_cast<float>(width_), static_cast<float>(height_)) / scale(), {255, 255, 255, 255});
        flush(dusk_);
    }
    for (const Quad* q : visible) {
        if (q->glow == 0) continue;
        const float x = (q->corners[0].x + q->corners[1].x) / 2;
        const float flicker = 1 + 0.04f * std::sin(time * 9 + x) + 0.03f * std::sin(time * 23 + x * 3);
        add_disc(x, q->depth - TILE / 2, static_cast<float>(q->glow) * 2 * flicker, GLOW_COLOUR);
    }
    flush(glow_);

    if (const crateful::Entity e = room.inspector().found(); e != crateful::NONE) {
        add(room.sprites().quad(frames::MARKER, room.ecs().get<Position>(e)));
        flush(pictures_);
    }
    SDL_RenderPresent(renderer_.get());
}

void Screen::add_floor(const Room& room) {
    const View& view = room.view;
    const auto tile = [](float at, float all) { return static_cast<int>(std::floor(std::clamp(at, 0.0f, all - 1) / TILE)); };
    const auto [width, height] = room.extent();
    if (width <= 0) return;
    for (int y = tile(view.top(), height); y <= tile(view.top() + view.height, height); ++y) {
        for (int x = tile(view.left(), width); x <= tile(view.left() + view.width, width); ++x) {
            add(room.sprites().quad(floor_frame(x, y), {(static_cast<float>(x) + 0.5f) * TILE, (static_cast<float>(y) + 0.5f) * TILE}));
        }
    }
}

void Screen::add(const Quad& quad, float u) {
    for (Vertex v : quad.corners) {
        v.x = std::round(v.x * scale()) - left_;
        v.y = std::round(v.y * scale()) - top_;
        v.u += u;
        vertices_.push_back(v);
    }
}

void Screen::add_disc(float x, float y, float radius, SDL_Color tint) {
    constexpr float CORNERS[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (const auto& [u, v] : CORNERS) {
        vertices_.push_back({(x + (2 * u - 1) * radius) * scale() - left_, (y + (2 * v - 1) * radius) * scale() - top_,
                             tint.r, tint.g, tint.b, tint.a, u, v});
    }
}

void Screen::flush(const Texture& texture) {
    if (vertices_.empty()) return;
    const std::size_t quads = vertices_.size() / 4;
    while (indices_.size() < quads * 6) {
        const int first = static_cast<int>(indices_.size() / 6 * 4);
        for (const int corner : {0, 1, 2, 0, 2, 3}) indices_.push_back(first + corner);
    }
    const Vertex& v = vertices_.front();
    SDL_RenderGeometryRaw(renderer_.get(), texture.get(), &v.x, sizeof v, reinterpret_cast<const SDL_Color*>(&v.r), sizeof v, &v.u, sizeof v,
                          static_cast<int>(vertices_.size()), indices_.data(), static_cast<int>(quads * 6), sizeof(int));
    ++calls_;
    vertices_.clear();
}

}  // namespace crate_room
