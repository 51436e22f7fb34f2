#pragma once
#include <cstdint>
#include <vector>

#include "components.hpp"

namespace crate_room {

/// A picture's place in the atlas.
struct Frame {
    std::uint16_t x = 0;
    std::uint16_t y = 0;
    std::uint16_t width = 0;
    std::uint16_t height = 0;
    float anchor_x = 0;  ///< which of its pixels lies on the entity's position
    float anchor_y = 0;
};

/// All pictures in one image; `pixels` are RGBA, a byte each.
struct Atlas {
    std::uint16_t width = 0;
    std::uint16_t height = 0;
    std::vector<std::uint8_t> pixels;
    std::vector<Frame> frames;
};

/// From which side a figure is seen; the left one is the right one mirrored.
enum class Side : std::uint8_t { front, back, side };

/// Frame numbers: where each kind of picture starts, and how many of it there are.
namespace frames {

inline constexpr int FLOORS = 10, WALLS = 4, TORCH_FLAMES = 4, DOOR_STEPS = 4;
inline constexpr int CRATES = 8, CRATE_STEPS = 3;  // at rest, leaning left, leaning right
inline constexpr int WALK_STEPS = 4, STRIKE_STEPS = 3, DEATH_STEPS = 4;
inline constexpr int BURSTS = 3, BURST_STEPS = 8, BLAST_STEPS = 8, SPARK_STEPS = 4, PUFF_STEPS = 4, PICKUP_STEPS = 4;
inline constexpr int GLYPHS = 64;  // ASCII from space to underscore

/// How a figure's pictures follow each other; a walk, blow, shield and stagger for each side.
namespace figure {
inline constexpr int WALK = 0, STRIKE = WALK + 3 * WALK_STEPS, DEFEND = STRIKE + 3 * STRIKE_STEPS;
inline constexpr int STAGGER = DEFEND + 3, DEATH = STAGGER + 3, COUNT = DEATH + DEATH_STEPS;
}  // namespace figure

/// The powder keg among the kinds of crate.
inline constexpr std::uint8_t POWDER = 4;
/// Bound with iron: takes two blows.
inline constexpr std::uint8_t IRON = 3;

inline constexpr std::uint16_t FLOOR = 0;
inline constexpr std::uint16_t WALL = FLOOR + FLOORS;
inline constexpr std::uint16_t PILLAR = WALL + WALLS;
inline constexpr std::uint16_t TORCH = PILLAR + 1;
inline constexpr std::uint16_t DOOR = TORCH + TORCH_FLAMES;  // shut to open
inline constexpr std::uint16_t CRATE = DOOR + DOOR_STEPS;    // CRATE_STEPS for each kind
inline constexpr std::uint16_t BURST = CRATE + CRATES * CRATE_STEPS;
inline constexpr std::uint16_t BLAST = BURST + BURSTS * BURST_STEPS;
inline constexpr std::uint16_t SPARK = BLAST + BLAST_STEPS;
inline constexpr std::uint16_t PUFF = SPARK + SPARK_STEPS;
inline constexpr std::uint16_t PICKUP = PUFF + PUFF_STEPS;  // a heart that floats
inline constexpr std::uint16_t HERO = PICKUP + PICKUP_STEPS;
inline constexpr std::uint16_t GUARD = HERO + figure::COUNT;
inline constexpr std::uint16_t MARKER = GUARD + figure::COUNT;  // brackets around a crate
inline constexpr std::uint16_t HEART = MARKER + 1;              // full, empty
inline constexpr std::uint16_t ARROW = HEART + 2;               // points right
inline constexpr std::uint16_t DISC = ARROW + 1;                // a white disc of 32 pixels
inline constexpr std::uint16_t RING = DISC + 1;                 // a white ring of 32 pixels
inline constexpr std::uint16_t WHITE = RING + 1;                // one white pixel, to be stretched
inline constexpr std::uint16_t GLYPH = WHITE + 1;
inline constexpr std::uint16_t COUNT = GLYPH + GLYPHS;

inline constexpr int GLYPH_HEIGHT = 7;  // of each; they are as wide as they have to be, a column of space included

[[nodiscard]] constexpr Animation still(int frame) noexcept { return {.first = static_cast<std::uint16_t>(frame)}; }
[[nodiscard]] constexpr Animation strip(int first, int count, int frames_per_second, bool repeats = false,
                                        std::uint8_t take = 0) noexcept {
    return {.first = static_cast<std::uint16_t>(first),
            .count = static_cast<std::uint8_t>(count),
            .frames_per_second = static_cast<std::uint8_t>(frames_per_second),
            .repeats = repeats,
            .take = take};
}

[[nodiscard]] constexpr Animation stand(int figure, Side side) noexcept {
    return still(figure + figure::WALK + static_cast<int>(side) * WALK_STEPS);
}
[[nodiscard]] constexpr Animation walk(int figure, Side side) noexcept {
    return strip(figure + figure::WALK + static_cast<int>(side) * WALK_STEPS, WALK_STEPS, 10, true);
}
[[nodiscard]] constexpr Animation strike(int figure, Side side, std::uint8_t take) noexcept {
    // Guards keep their sword raised for as long as Swing lets them: who looks is warned.
    return strip(figure + figure::STRIKE + static_cast<int>(side) * STRIKE_STEPS, STRIKE_STEPS,
                 figure == GUARD ? 3 : 12, false, take);
}
[[nodiscard]] constexpr Animation defend(int figure, Side side) noexcept {
    return still(figure + figure::DEFEND + static_cast<int>(side));
}
[[nodiscard]] constexpr Animation stagger(int figure, Side side) noexcept {
    return still(figure + figure::STAGGER + static_cast<int>(side));
}
[[nodiscard]] constexpr Animation death(int figure) noexcept { return strip(figure + figure::DEATH, DEATH_STEPS, 8); }

[[nodiscard]] constexpr Animation crate(int kind) noexcept { return still(CRATE + kind * CRATE_STEPS); }
[[nodiscard]] constexpr Animation shudder(int kind, std::uint8_t take) noexcept {
    return strip(CRATE + kind * CRATE_STEPS, CRATE_STEPS, 18, true, take);
}
inline constexpr int BURST_FRAMES_PER_SECOND = 18;
[[nodiscard]] constexpr Animation burst(std::uint32_t which) noexcept {
    return strip(BURST + static_cast<int>(which % BURSTS) * BURST_STEPS, BURST_STEPS, BURST_FRAMES_PER_SECOND);
}
inline constexpr float BURST_SECONDS = static_cast<float>(BURST_STEPS) / BURST_FRAMES_PER_SECOND;

}  // namespace frames
}  // namespace crate_room
