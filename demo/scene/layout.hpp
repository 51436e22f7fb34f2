#pragma once
#include <cstdint>
#include <vector>

namespace crate_room {

/// Where what stands in a room, in tiles; (0, 0) is the upper left corner of the wall around it.
struct Layout {
    struct Tile {
        int x;
        int y;
        int kind;  ///< of crate
    };
    int width = 0;
    int height = 0;
    int player_x = 0;
    int player_y = 0;
    std::vector<Tile> crates;
    std::vector<Tile> pillars;
    std::vector<Tile> doors;   ///< in the upper wall, two tiles wide: this one and the next
    std::vector<Tile> guards;  ///< free ground around the player's
};

/// A room for that many crates and guards: stacked in heaps, with winding aisles between them wide enough to walk,
/// and free ground in the middle, where the player starts. There are
/// fewer guards than that if there is no ground for them. The same seed makes the same room. O(crates log crates).
[[nodiscard]] Layout plan_room(std::uint32_t seed, std::uint32_t crates, std::uint32_t guards);

}  // namespace crate_room
