#include "level/layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "draw/frames.hpp"
#include "random.hpp"

namespace crate_room {
namespace {

constexpr float AISLE = 2;       // tiles wide
constexpr float HEAP_WIDTH = 9;  // tiles from aisle to aisle, including the aisle
constexpr float HEAP_HEIGHT = 8;
constexpr float ASPECT = 1.6f;
constexpr float CLEARING = 3.2f;              // tiles around the player
constexpr float CANDIDATES_PER_CRATE = 1.3f;  // tiles on which a crate could stand, for each crate

// Smooth noise from 0 to 1; its maxima are about `scale` tiles apart.
float noise(std::uint32_t seed, float x, float y, float scale) {
    x /= scale, y /= scale;
    const float left = std::floor(x);
    const float top = std::floor(y);
    const auto ease = [](float t) { return t * t * (3 - 2 * t); };
    const float across = ease(x - left);
    const float down = ease(y - top);
    const auto at = [&](int dx, int dy) {
        return chance(seed, static_cast<std::uint32_t>(static_cast<int>(left) + dx),
                      static_cast<std::uint32_t>(static_cast<int>(top) + dy));
    };
    return std::lerp(std::lerp(at(0, 0), at(1, 0), across), std::lerp(at(0, 1), at(1, 1), across), down);
}

bool in_aisle(std::uint32_t seed, float x, float y) {
    // The aisles are a grid of lines that noise displaces. It displaces them little enough that no aisle is
    // interrupted.
    const float u = x + 7 * noise(seed + 1, x, y, 14);
    const float v = y + 6 * noise(seed + 2, x, y, 14);
    return u - HEAP_WIDTH * std::floor(u / HEAP_WIDTH) < AISLE || v - HEAP_HEIGHT * std::floor(v / HEAP_HEIGHT) < AISLE;
}

// Plain wood is common; painted crates and powder are rare. `share` is from 0 to just below 1.
int kind_of(float share) {
    constexpr std::array<int, 16> KINDS{0, 0, 0, 1, 1, 2, 2, 2, 3, 3, frames::POWDER, 5, 5, 5, 6, 7};
    static_assert(KINDS.back() == frames::CRATES - 1);
    return KINDS[static_cast<std::size_t>(share * KINDS.size())];
}

// One door above the player; a large room has one more on each side.
std::vector<Layout::Tile> doors_of(int width) {
    std::vector<Layout::Tile> doors{{width / 2, 0, 0}};
    if (width >= 50) doors.insert(doors.end(), {{width / 6, 0, 0}, {width - width / 6, 0, 0}});
    return doors;
}

bool before_door(const Layout& room, int x, int y) {
    return y <= 2 && std::any_of(room.doors.begin(), room.doors.end(),
                                 [&](const Layout::Tile& door) { return x >= door.x - 1 && x <= door.x + 2; });
}

struct Candidate {
    Layout::Tile tile;
    float rank;
};

std::vector<Candidate> crate_candidates(std::uint32_t seed, const Layout& room) {
    std::vector<Candidate> found;
    for (int y = 1; y < room.height - 1; ++y) {
        for (int x = 1; x < room.width - 1; ++x) {
            const auto fx = static_cast<float>(x);
            const auto fy = static_cast<float>(y);
            if (in_aisle(seed, fx, fy) || before_door(room, x, y)) continue;
            if (std::hypot(fx - static_cast<float>(room.player_x), fy - static_cast<float>(room.player_y)) < CLEARING)
                continue;
            const auto ux = static_cast<std::uint32_t>(x);
            const auto uy = static_cast<std::uint32_t>(y);
            // Crates of one kind are grouped into districts; three in ten are of any kind.
            const auto district_x = static_cast<std::uint32_t>((fx + 9 * noise(seed + 4, fx, fy, 7)) / 11);
            const auto district_y = static_cast<std::uint32_t>((fy + 9 * noise(seed + 5, fx, fy, 7)) / 9);
            const bool any_kind = chance(seed + 6, ux, uy) < 0.3f;
            const float share = any_kind ? chance(seed + 9, ux, uy) : chance(seed + 10, district_x, district_y);
            found.push_back({{x, y, kind_of(share)}, noise(seed + 3, fx, fy, 6) + 0.3f * chance(seed + 7, ux, uy)});
        }
    }
    return found;
}

// Places guards on free tiles at some distance from the player and from each other.
void place_guards(Layout& room, std::uint32_t seed, std::uint32_t guards) {
    constexpr float NEAREST = 5;
    constexpr float SAFE = 11;  // preferred, so that guards do not attack at once; a small room has no such tiles
    constexpr float APART = 4;
    std::vector<bool> taken(static_cast<std::size_t>(room.width * room.height), false);
    const auto at = [&](int x, int y) { return static_cast<std::size_t>(y * room.width + x); };
    for (const auto* things : {&room.crates, &room.pillars}) {
        for (const auto& [x, y, kind] : *things) taken[at(x, y)] = true;
    }
    const auto far = [](const Layout::Tile& tile, int x, int y) {
        return std::hypot(static_cast<float>(tile.x - x), static_cast<float>(tile.y - y));
    };
    std::vector<Candidate> ground;
    for (int y = 1; y < room.height - 1; ++y) {
        for (int x = 1; x < room.width - 1; ++x) {
            const float d = far({x, y, 0}, room.player_x, room.player_y);
            if (taken[at(x, y)] || d < NEAREST || before_door(room, x, y)) continue;
            // Nearer tiles are preferred: the player should meet the guards.
            ground.push_back({{x, y, 0},
                              (d < SAFE ? 1000 : 0) + d * (0.3f + chance(seed + 12, static_cast<std::uint32_t>(x),
                                                                         static_cast<std::uint32_t>(y)))});
        }
    }
    std::stable_sort(ground.begin(), ground.end(),
                     [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; });
    for (const auto& [tile, rank] : ground) {
        if (room.guards.size() == guards) break;
        if (std::any_of(room.guards.begin(), room.guards.end(),
                        [&, &place = tile](const Layout::Tile& other) { return far(other, place.x, place.y) < APART; }))
            continue;
        room.guards.push_back(tile);
    }
}

}  // namespace

Layout plan_room(std::uint32_t seed, std::uint32_t crates, std::uint32_t guards) {
    Layout room;
    std::vector<Candidate> found;
    const float wanted = CANDIDATES_PER_CRATE * static_cast<float>(crates);
    for (float tiles = wanted * 1.6f + 60;; tiles *= 1.08f) {
        room.width = static_cast<int>(std::ceil(std::sqrt(tiles * ASPECT))) + 2;
        room.height = static_cast<int>(std::ceil(std::sqrt(tiles / ASPECT))) + 2;
        room.player_x = room.width / 2;
        room.player_y = room.height / 2;
        room.doors = doors_of(room.width);
        found = crate_candidates(seed, room);
        if (static_cast<float>(found.size()) >= wanted) break;
    }

    // The candidates with the highest ranks get a crate. So crates form heaps where the noise is high.
    std::stable_sort(found.begin(), found.end(),
                     [](const Candidate& a, const Candidate& b) { return a.rank > b.rank; });
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Layout::Tile& tile = found[i].tile;
        if (i < crates) {
            room.crates.push_back(tile);
        } else if (chance(seed + 8, static_cast<std::uint32_t>(tile.x), static_cast<std::uint32_t>(tile.y)) < 0.03f) {
            room.pillars.push_back(tile);
        }
    }
    // Sorted by rows, so that neighbours in the room are neighbours in memory.
    const auto by_rows = [](const Layout::Tile& a, const Layout::Tile& b) {
        return a.y != b.y ? a.y < b.y : a.x < b.x;
    };
    std::sort(room.crates.begin(), room.crates.end(), by_rows);
    std::sort(room.pillars.begin(), room.pillars.end(), by_rows);
    place_guards(room, seed, guards);
    return room;
}

}  // namespace crate_room
