// The rules, without SDL: crates fall, the player dodges them, and a full row disappears. Lengths are crates.
#pragma once
#include <algorithm>
#include <array>
#include <crateful/ecs.hpp>
#include <random>

constexpr int COLUMNS = 7, ROWS = 11;

struct Crate {
    int column = 0;
    float y = 0;  // above the floor
};
struct Falling {};
struct Game {  // a component of the world, because it exists once
    bool playing = true;
    int score = 0, player = COLUMNS / 2;  // the column
    std::array<int, COLUMNS> heights{};
};

/// The player walks to the column on its left or right, and climbs at most one crate.
inline void walk(crateful::ECS& ecs, int direction) {
    Game game = ecs.get<Game>(ecs.world());
    const int to = std::clamp(game.player + std::clamp(direction, -1, 1), 0, COLUMNS - 1);
    if (game.heights[to] <= game.heights[game.player] + 1) game.player = to;
    ecs.set<Game>(ecs.world(), game);
}

/// Drops crates, some of them above the player.
struct Drop : crateful::System<> {
    Drop() { require_none(); }
    void on_clear() override { ecs().set<Game>(ecs().world(), {}); }
    void update(double delta) override {
        if ((wait_ -= delta) > 0) return;
        const Game& game = ecs().get<Game>(ecs().world());
        wait_ = std::max(0.3, 0.9 - 0.004 * game.score);
        const int column = static_cast<int>(random_() % (COLUMNS + 3));
        ecs().add_entity(Crate{column < COLUMNS ? column : game.player, ROWS}, Falling{});
    }

    std::minstd_rand random_{std::random_device{}()};
    double wait_ = 0;
};

/// Moves the crates that fall. A crate that has landed is not Falling any more, and costs nothing.
struct Fall : crateful::System<> {
    Fall() { require<Crate, Falling>(); }
    void update(double delta, Entities& falling) override {
        Game game = ecs().get<Game>(ecs().world());
        for (auto [e, crate] : ecs().query<const Crate>().of(falling)) {
            const auto [column, from] = crate;
            const auto ground = static_cast<float>(game.heights[column]);
            const float y = std::max(from - 6 * static_cast<float>(delta), ground);
            ecs().set<Crate>(e, {column, y});  // signals if it differs
            if (column == game.player && y < ground + 0.7f) game.playing = false;
            if (y > ground) continue;
            ecs().remove<Falling>(e);
            game.score += 1;
            if (++game.heights[column] == ROWS) game.playing = false;
        }
        ecs().set<Game>(ecs().world(), game);
    }
};

/// Removes the lowest row if it is full. Runs only when crates at rest have changed.
struct Rows : crateful::System<> {
    Rows() {
        require<Crate>(crateful::exclude<Falling>);
        watch<Crate>();
        only_when_dirty();
    }
    void update(double) override {
        Game game = ecs().get<Game>(ecs().world());
        if (std::ranges::min(game.heights) == 0) return;
        for (auto [e, crate] : ecs().query<const Crate>(crateful::exclude<Falling>)) {
            const auto [column, y] = crate;
            ecs().set<Crate>(e, {column, y - 1});
            if (y > 0) continue;
            ecs().remove_entity(e);  // at the end of the update, but no system uses it any more:
            ecs().remove<Crate>(e);
        }
        for (int& height : game.heights) height -= 1;
        game.score += 10;
        ecs().set<Game>(ecs().world(), game);
    }
};
