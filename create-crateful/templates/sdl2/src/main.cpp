// SDL: the window, the pictures, the input and the loop.
#include <SDL.h>
#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#endif

#include "rules.hpp"

constexpr int CELL = 64, PIXEL = CELL / 8, WIDTH = COLUMNS * CELL, HEIGHT = ROWS * CELL;
// Two hexadecimal digits are a row of 8 pixels; in DIGITS, an octal digit is a row of 3.
constexpr Uint64 BOX = 0xff83858991a1c1ff, BODY = 0x3c7e7e7effbd2466, EYES = 0x242400000000, PLAY = 0x6070787c7c787060;
constexpr std::array DIGITS{075557, 026227, 071747, 071717, 055711, 074717, 074757, 071111, 075757, 075717};

struct Screen {
    SDL_Window* window = SDL_CreateWindow("Crates", 0, 0, WIDTH, HEIGHT, 0);
    SDL_Renderer* renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_TARGETTEXTURE);
    SDL_Texture* heaps = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_TARGET, WIDTH, HEIGHT);

    void fill(SDL_Rect area, Uint32 rgb) const {
        SDL_SetRenderDrawColor(renderer, rgb >> 16, rgb >> 8 & 255, rgb & 255, 255);
        SDL_RenderFillRect(renderer, &area);
    }
    void picture(Uint64 bits, int columns, int rows, int x, int y, int size, Uint32 rgb) const {
        for (int i = columns * rows; i-- > 0; bits >>= 1)
            if (bits & 1) fill({x + i % columns * size, y + i / columns * size, size, size}, rgb);
    }
    void crate(const Crate& at) const {
        const int x = at.column * CELL, y = HEIGHT - static_cast<int>((at.y + 1) * CELL);
        fill({x, y, CELL, CELL}, 0xd9a066);
        picture(BOX, 8, 8, x, y, PIXEL, 0x8f563b);
    }
};

/// Paints the crates at rest that are new or have moved. If all have, it begins with an empty picture.
struct Paint : crateful::System<> {
    explicit Paint(const Screen& screen) : screen_(screen) {
        require<Crate>(crateful::exclude<Falling>);
        watch<Crate>();
    }
    void update(double, Entities& crates, Dirty& dirty) override {
        SDL_SetRenderTarget(screen_.renderer, screen_.heaps);
        if (dirty.size() == crates.size()) screen_.fill({0, 0, WIDTH, HEIGHT}, 0x222034);
        for (auto [e, crate] : ecs().query<const Crate>().of(dirty)) screen_.crate(crate);
        SDL_SetRenderTarget(screen_.renderer, nullptr);
    }
    const Screen& screen_;
};

void draw(const Screen& screen, const crateful::ECS& ecs, const Game& game) {
    SDL_RenderCopy(screen.renderer, screen.heaps, nullptr, nullptr);
    ecs.query<Crate>(crateful::any<Falling>).each([&](const Crate& crate) { screen.crate(crate); });
    const int x = game.player * CELL, y = HEIGHT - (game.heights[game.player] + 1) * CELL;
    screen.picture(BODY, 8, 8, x, y, PIXEL, game.playing ? 0x5fcde4 : 0xd95763);
    screen.picture(EYES, 8, 8, x, y, PIXEL, 0x222034);
    for (int left = WIDTH, score = game.score; left == WIDTH || score > 0; score /= 10)
        screen.picture(DIGITS[score % 10], 3, 5, left -= 4 * PIXEL, PIXEL, PIXEL, 0xffffff);
    if (!game.playing) screen.picture(PLAY, 8, 8, WIDTH / 2 - CELL, HEIGHT / 3, 2 * PIXEL, 0xffffff);
    SDL_RenderPresent(screen.renderer);
}

bool frame(const Screen& screen, crateful::ECS& ecs) {  // returns false when the window was closed
    const Game& game = ecs.get<Game>(ecs.world());
    for (SDL_Event event; SDL_PollEvent(&event) != 0;) {
        if (event.type == SDL_QUIT) return false;
        const auto key = event.type == SDL_KEYDOWN ? event.key.keysym.sym : SDLK_UNKNOWN;
        const bool pressed = event.type == SDL_MOUSEBUTTONDOWN;  // also by a touch
        if (game.playing)
            walk(ecs, pressed ? event.button.x / CELL - game.player : (key == SDLK_RIGHT) - (key == SDLK_LEFT));
        else if (pressed || key == SDLK_SPACE) ecs.clear();  // calls on_clear
    }
    static Uint64 before = SDL_GetTicks64();
    const Uint64 now = SDL_GetTicks64();
    ecs.update(game.playing ? std::min<double>(now - before, 100) / 1000 : 0);  // with 0, no system runs
    before = now;
    draw(screen, ecs, game);
    return true;
}

int main(int, char**) {
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return SDL_Log("%s", SDL_GetError()), 1;
    static const Screen screen;  // static, because a page uses it after main has returned
    static crateful::ECS ecs;
    if (screen.heaps == nullptr) return SDL_Log("%s", SDL_GetError()), 1;
    ecs.add_system<Drop>(0);
    ecs.add_system<Fall>(10);
    ecs.add_system<Rows>(20);
    ecs.add_system<Paint>(30, screen);
    ecs.clear();
#ifdef __EMSCRIPTEN__
    emscripten_set_main_loop([] { frame(screen, ecs); }, 0, false);
#else
    SDL_Log("Dodge: arrow keys, or click left or right of the figure. Space or click: play again.");
    SDL_RenderSetVSync(screen.renderer, 1);
    while (frame(screen, ecs)) {
    }
#endif
}
