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

/// Frame numbers: where each kind of picture starts, and how many of it there are.
namespace frames {

inline constexpr int FLOORS = 10, CRATES = 8, WALLS = 4, TORCH_FLAMES = 4;
inline constexpr int WALK_STEPS = 4, STRIKE_STEPS = 3;
inline constexpr int BURSTS = 3, BURST_STEPS = 8;

inline constexpr std::uint16_t FLOOR = 0;
inline constexpr std::uint16_t CRATE = FLOOR + FLOORS;
inline constexpr std::uint16_t WALL = CRATE + CRATES;
inline constexpr std::uint16_t PILLAR = WALL + WALLS;
inline constexpr std::uint16_t TORCH = PILLAR + 1;
inline constexpr std::uint16_t PLAYER_WALK = TORCH + TORCH_FLAMES;      // seen from front, back, side
inline constexpr std::uint16_t PLAYER_STRIKE = PLAYER_WALK + 3 * WALK_STEPS;
inline constexpr std::uint16_t BURST = PLAYER_STRIKE + 3 * STRIKE_STEPS;
inline constexpr std::uint16_t MARKER = BURST + BURSTS * BURST_STEPS;
inline constexpr std::uint16_t COUNT = MARKER + 1;

/// From which side the player is seen.
enum class Side : std::uint8_t { front, back, side };

[[nodiscard]] constexpr Animation still(std::uint16_t frame) noexcept { return {.first = frame}; }
[[nodiscard]] constexpr Animation walk(Side side) noexcept {
    return {static_cast<std::uint16_t>(PLAYER_WALK + static_cast<int>(side) * WALK_STEPS), WALK_STEPS, 10, true, 0};
}
[[nodiscard]] constexpr Animation stand(Side side) noexcept { return still(walk(side).first); }
[[nodiscard]] constexpr Animation strike(Side side, std::uint8_t take) noexcept {
    return {static_cast<std::uint16_t>(PLAYER_STRIKE + static_cast<int>(side) * STRIKE_STEPS), STRIKE_STEPS, 14, false, take};
}
inline constexpr std::uint8_t BURST_FRAMES_PER_SECOND = 18;
[[nodiscard]] constexpr Animation burst(std::uint32_t which) noexcept {
    const auto first = BURST + static_cast<int>(which % BURSTS) * BURST_STEPS;
    return {static_cast<std::uint16_t>(first), BURST_STEPS, BURST_FRAMES_PER_SECOND, false, 0};
}
inline constexpr float BURST_SECONDS = static_cast<float>(BURST_STEPS) / BURST_FRAMES_PER_SECOND;

}  // namespace frames
}  // namespace crate_room
