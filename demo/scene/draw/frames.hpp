#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "components.hpp"

namespace crate_room {

/// A picture in the atlas: where it is, in pixels.
struct Frame {
    std::uint16_t x = 0;
    std::uint16_t y = 0;
    std::uint16_t width = 0;
    std::uint16_t height = 0;
    float anchor_x = 0;  ///< the point of the picture that is drawn at the entity's position
    float anchor_y = 0;
};

/// All pictures in one image; `pixels` are RGBA, one byte per channel.
struct Atlas {
    std::uint16_t width = 0;
    std::uint16_t height = 0;
    std::vector<std::uint8_t> pixels;
    std::vector<Frame> frames;
};

/// The side from which a figure is seen. The left side is the right side mirrored.
enum class Side : std::uint8_t { front, back, side };

/// Frame numbers: the first frame of each kind of picture, and the number of frames.
namespace frames {

inline constexpr int FLOORS = 10, WALLS = 4, TORCH_FLAMES = 4, DOOR_STEPS = 4;
inline constexpr int CRATES = 8, CRATE_STEPS = 3;  // at rest, leaning left, leaning right
inline constexpr int WALK_STEPS = 4, STRIKE_STEPS = 3, DEATH_STEPS = 4;
inline constexpr int BURSTS = 3, BURST_STEPS = 8, BLAST_STEPS = 8, SPARK_STEPS = 4, PUFF_STEPS = 4, PICKUP_STEPS = 4;
inline constexpr int WEAPON_ANGLES = 32;  // directions in which a weapon can point: right, then clockwise
inline constexpr int GLYPHS = 64;         // ASCII from space to underscore

/// Offsets of a figure's pictures. Walk, strike, defend and stagger have pictures for each side.
namespace figure {
inline constexpr int WALK = 0, STRIKE = WALK + 3 * WALK_STEPS, DEFEND = STRIKE + 3 * STRIKE_STEPS;
inline constexpr int STAGGER = DEFEND + 3, DEATH = STAGGER + 3, COUNT = DEATH + DEATH_STEPS;
}  // namespace figure

/// The kind of crate that is a powder keg.
inline constexpr std::uint8_t POWDER = 4;
/// The kind of crate that is bound with iron: it breaks at the second blow.
inline constexpr std::uint8_t IRON = 3;

inline constexpr std::uint16_t FLOOR = 0;
inline constexpr std::uint16_t WALL = FLOOR + FLOORS;
inline constexpr std::uint16_t PILLAR = WALL + WALLS;
inline constexpr std::uint16_t TORCH = PILLAR + 1;
inline constexpr std::uint16_t DOOR = TORCH + TORCH_FLAMES;  // from shut to open
inline constexpr std::uint16_t CRATE = DOOR + DOOR_STEPS;    // CRATE_STEPS frames for each kind
inline constexpr std::uint16_t BURST = CRATE + CRATES * CRATE_STEPS;
inline constexpr std::uint16_t BLAST = BURST + BURSTS * BURST_STEPS;
inline constexpr std::uint16_t SPARK = BLAST + BLAST_STEPS;
inline constexpr std::uint16_t PUFF = SPARK + SPARK_STEPS;
inline constexpr std::uint16_t PICKUP = PUFF + PUFF_STEPS;  // a floating heart
inline constexpr std::uint16_t HERO = PICKUP + PICKUP_STEPS;
inline constexpr std::uint16_t GUARD = HERO + figure::COUNT;
inline constexpr std::uint16_t HAMMER = GUARD + figure::COUNT;
inline constexpr std::uint16_t SWORD = HAMMER + WEAPON_ANGLES;
inline constexpr std::uint16_t MARKER = SWORD + WEAPON_ANGLES;  // brackets around the inspected crate
inline constexpr std::uint16_t HEART = MARKER + 1;              // full, empty
inline constexpr std::uint16_t ARROW = HEART + 2;               // points right
inline constexpr std::uint16_t DISC = ARROW + 1;                // a white disc of 32 pixels
inline constexpr std::uint16_t RING = DISC + 1;                 // a white ring of 32 pixels
inline constexpr std::uint16_t WHITE = RING + 1;                // one white pixel, stretched to boxes and lines
inline constexpr std::uint16_t GLYPH = WHITE + 1;
inline constexpr std::uint16_t COUNT = GLYPH + GLYPHS;

inline constexpr int GLYPH_HEIGHT = 7;  // glyphs differ in width; the width includes one empty column

/// Whether b shows the same frames as a.
[[nodiscard]] constexpr bool same_frames(const Animation& a, const Animation& b) noexcept {
    return a.first == b.first && a.count == b.count && a.frames_per_second == b.frames_per_second &&
           a.repeats == b.repeats;
}
/// Whether the frame of an animation will change.
[[nodiscard]] constexpr bool is_running(const Animation& a) noexcept {
    return a.count > 1 && (a.repeats || a.time * a.frames_per_second < a.count);
}
/// The frame that an animation shows now.
[[nodiscard]] constexpr std::uint16_t current(const Animation& a) noexcept {
    const int step = static_cast<int>(a.time * a.frames_per_second);
    return static_cast<std::uint16_t>(a.first + (a.repeats ? step % a.count : std::min(step, a.count - 1)));
}

[[nodiscard]] constexpr Animation still(int frame) noexcept { return {.first = static_cast<std::uint16_t>(frame)}; }
[[nodiscard]] constexpr Animation strip(int first, int count, int frames_per_second, bool repeats = false) noexcept {
    return {.first = static_cast<std::uint16_t>(first),
            .count = static_cast<std::uint8_t>(count),
            .frames_per_second = static_cast<std::uint8_t>(frames_per_second),
            .repeats = repeats};
}

[[nodiscard]] constexpr Animation stand(int figure, Side side) noexcept {
    return still(figure + figure::WALK + static_cast<int>(side) * WALK_STEPS);
}
[[nodiscard]] constexpr Animation walk(int figure, Side side) noexcept {
    return strip(figure + figure::WALK + static_cast<int>(side) * WALK_STEPS, WALK_STEPS, 10, true);
}
[[nodiscard]] constexpr Animation strike(int figure, Side side) noexcept {
    // Guards strike slowly (see Swing), so that the raised sword is visible before the blow.
    return strip(figure + figure::STRIKE + static_cast<int>(side) * STRIKE_STEPS, STRIKE_STEPS,
                 figure == GUARD ? 3 : 12);
}
[[nodiscard]] constexpr Animation defend(int figure, Side side) noexcept {
    return still(figure + figure::DEFEND + static_cast<int>(side));
}
[[nodiscard]] constexpr Animation stagger(int figure, Side side) noexcept {
    return still(figure + figure::STAGGER + static_cast<int>(side));
}
[[nodiscard]] constexpr Animation death(int figure) noexcept { return strip(figure + figure::DEATH, DEATH_STEPS, 8); }

/// The picture of a weapon that points in a direction, in radians. `weapon` is HAMMER or SWORD.
[[nodiscard]] inline std::uint16_t pointing(int weapon, float angle) noexcept {
    const long steps = std::lround(angle * WEAPON_ANGLES / (2 * std::numbers::pi_v<float>));
    return static_cast<std::uint16_t>(weapon + ((steps % WEAPON_ANGLES) + WEAPON_ANGLES) % WEAPON_ANGLES);
}

[[nodiscard]] constexpr Animation crate(int kind) noexcept { return still(CRATE + kind * CRATE_STEPS); }
[[nodiscard]] constexpr Animation shudder(int kind) noexcept {
    return strip(CRATE + kind * CRATE_STEPS, CRATE_STEPS, 18, true);
}
inline constexpr int BURST_FRAMES_PER_SECOND = 18;
[[nodiscard]] constexpr Animation burst(std::uint32_t which) noexcept {
    return strip(BURST + static_cast<int>(which % BURSTS) * BURST_STEPS, BURST_STEPS, BURST_FRAMES_PER_SECOND);
}
inline constexpr float BURST_SECONDS = static_cast<float>(BURST_STEPS) / BURST_FRAMES_PER_SECOND;

}  // namespace frames
}  // namespace crate_room
