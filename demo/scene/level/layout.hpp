#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace crate_room {

/// The plan of a room, in tiles; (0, 0) is the upper left corner of the wall around it.
struct Layout {
    struct Tile {
        int x;
        int y;
        int kind;  ///< the kind of crate, otherwise 0
    };
    /// A crate with powder that burns from the start.
    struct Charge {
        std::size_t crate;  ///< its position in `crates`
        float seconds;      ///< until it explodes
    };
    int width = 0;
    int height = 0;
    int player_x = 0;
    int player_y = 0;
    std::vector<Tile> crates;
    std::vector<Tile> pillars;
    std::vector<Tile> doors;      ///< in the upper wall; a door covers this tile and the next one to the right
    std::vector<Tile> guards;     ///< tiles without crates and pillars
    std::vector<Charge> burning;  ///< empty without an opening
};

/// Plans a room for that many crates and guards: heaps of crates, aisles wide enough to walk between them, and a
/// clearing in the middle, where the player starts. If there is not enough free ground, there are fewer guards. The
/// same arguments always make the same room. O(crates log crates).
[[nodiscard]] Layout plan_room(std::uint32_t seed, std::uint32_t crates, std::uint32_t guards);

}  // namespace crate_room
