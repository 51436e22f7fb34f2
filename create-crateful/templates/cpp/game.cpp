// The C++ part: component classes that TypeScript uses too, and the system that moves the grains.
#include <emscripten/bind.h>

#include <array>
#include <crateful/guarded.hpp>

namespace {

constexpr int WIDTH = 120, HEIGHT = 200, LINE = 150;  // in cells; the bowl is on the line

struct Grain {
    int cell = 0;  // x + y * WIDTH
};
struct Falling {};
struct Bowl {
    float x = 0;
};
struct Game {
    bool playing = false;
    unsigned score = 0;
};

/// Moves each falling grain by one cell. A grain at rest is not Falling any more, and costs nothing.
struct Fall : crateful::System<> {
    Fall() {
        require<Grain, Falling>();
        ordered();  // the oldest grain is the first, because it is the lowest
    }
    void on_clear() override { cells_ = {}; }
    void update(double, Entities& falling) override {
        const int bowl = static_cast<int>(ecs().get<Bowl>(ecs().world()).x);
        for (auto [e, grain] : ecs().query<const Grain>().of(falling)) {
            const int x = grain.cell % WIDTH, y = grain.cell / WIDTH;
            cells_[grain.cell] = EMPTY;
            if (y == LINE && x > bowl - 12 && x < bowl + 12) {
                ecs().modify<Game>(ecs().world(), [](Game& game) { game.score += 1; });
                ecs().remove_entity(e);
                continue;
            }
            int to = grain.cell;
            bool rests = true;
            const int side = grain.cell % 2 * 2 - 1;
            for (const int below : {x - side, x + side, x}) {
                const State state = at(below, y + 1);
                if (state == EMPTY) to = below + (y + 1) * WIDTH;
                if (state != RESTING) rests = false;
            }
            cells_[to] = rests ? RESTING : FALLING;
            ecs().set<Grain>(e, {to});  // signals if it differs, so that TypeScript draws it
            if (rests) ecs().remove<Falling>(e);
            if (rests && y <= LINE) ecs().modify<Game>(ecs().world(), [](Game& game) { game.playing = false; });
        }
    }

private:
    enum State : unsigned char { EMPTY, FALLING, RESTING };
    State at(int x, int y) const { return x < 0 || x >= WIDTH || y >= HEIGHT ? RESTING : cells_[x + y * WIDTH]; }

    std::array<State, WIDTH * HEIGHT> cells_{};
};

// TypeScript passes `ecs.raw` for a World.
void add_fall(crateful::World& world, double priority) { world.ecs().add_system<Fall>(priority); }

EMSCRIPTEN_BINDINGS(game) {
    crateful::describe_component<Grain>("Grain").field("cell", &Grain::cell);
    crateful::describe_component<Falling>("Falling");
    crateful::describe_component<Bowl>("Bowl").field("x", &Bowl::x);
    crateful::describe_component<Game>("Game").field("playing", &Game::playing).field("score", &Game::score);
    emscripten::function("addFall(world, priority)", crateful::guarded<add_fall>);
}

}  // namespace
