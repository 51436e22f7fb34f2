// What server and page have in common, as rules.ts of the page: the components, and how a player moves.
#pragma once
#include <algorithm>
#include <cmath>
#include <crateful/ecs.hpp>
#include <string>
#include <vector>

inline constexpr double WIDTH = 40;  // of the yard, in metres
inline constexpr double HEIGHT = 24;
inline constexpr double STEP = 0.05;  // seconds for each input
inline constexpr double SPEED = 6;
inline constexpr double RADIUS = 0.4;  // of a player
inline constexpr double HALF = 0.5;    // of a crate
inline constexpr double REACH = RADIUS + HALF;
inline constexpr double SLACK = 0.001;  // crates may be so much inside of each other, because numbers are rounded

struct Place {
    float x = 0, y = 0;
};
struct Crate {};
struct Coin {};
/// `inputs` is the number of the last input that was processed.
struct Player {
    crateful::String name;
    std::uint16_t hue = 0;
    std::uint32_t score = 0;
    std::uint32_t inputs = 0;
};
/// The names of what is sent to the clients.
inline const std::vector<std::string> sent{"Place", "Crate", "Coin", "Player"};

/// Gives the classes and fields the names that they have in TypeScript.
inline void describe_components() {
    using crateful::describe_component;
    describe_component<Place>("Place").field("x", &Place::x).field("y", &Place::y);
    describe_component<Crate>("Crate");
    describe_component<Coin>("Coin");
    describe_component<Player>("Player")
        .field("name", &Player::name)
        .field("hue", &Player::hue)
        .field("score", &Player::score)
        .field("inputs", &Player::inputs);
}

/// The bits of an input.
enum Keys : unsigned { LEFT = 1, RIGHT = 2, UP = 4, DOWN = 8 };

inline double inside(double at, double size, double half) { return std::min(std::max(half, at), size - half); }

/// Whether a crate can be here.
inline bool is_free(crateful::ECS& ecs, double x, double y, crateful::Entity crate = crateful::NONE) {
    if (x != inside(x, WIDTH, HALF) || y != inside(y, HEIGHT, HALF)) return false;
    for (auto [entity, place, tag] : ecs.query<const Place, const Crate>())
        if (entity != crate && std::abs(place.x - x) < 2 * HALF - SLACK && std::abs(place.y - y) < 2 * HALF - SLACK)
            return false;
    return true;
}

/// Moves a player by one input. It pushes the crates that it meets; it stands where a crate cannot be moved. The page does the same
/// before the server, with the same results: numbers are computed as double and stored as float, in the same order.
inline void move(crateful::ECS& ecs, crateful::Entity e, unsigned keys) {
    const auto store = [](float& to, double value) { to = static_cast<float>(value); };
    const int right = ((keys & RIGHT) != 0) - ((keys & LEFT) != 0);
    const int down = ((keys & DOWN) != 0) - ((keys & UP) != 0);
    const double step = SPEED * STEP * (right != 0 && down != 0 ? std::sqrt(0.5) : 1);
    Place player = ecs.get<Place>(e);
    store(player.x, inside(player.x + step * right, WIDTH, RADIUS));
    store(player.y, inside(player.y + step * down, HEIGHT, RADIUS));
    for (auto [crate, place, tag] : ecs.query<const Place, const Crate>()) {
        const double x = double{place.x} - player.x;
        const double y = double{place.y} - player.y;
        const double over_x = REACH - std::abs(x);
        const double over_y = REACH - std::abs(y);
        if (over_x <= SLACK || over_y <= SLACK) continue;
        const bool along_x = over_x < over_y;
        const double by_x = !along_x ? 0 : x < 0 ? -over_x : over_x;
        const double by_y = along_x ? 0 : y < 0 ? -over_y : over_y;
        if (is_free(ecs, place.x + by_x, place.y + by_y, crate)) {
            ecs.set<Place>(crate, {static_cast<float>(place.x + by_x), static_cast<float>(place.y + by_y)});
        } else {
            store(player.x, player.x - by_x);
            store(player.y, player.y - by_y);
        }
    }
    ecs.set<Place>(e, player);
}

/// Whether a player touches a coin.
inline bool touches(const Place& player, const Place& coin) {
    return std::hypot(player.x - coin.x, player.y - coin.y) < 2 * RADIUS;
}
