#pragma once
#include "group.hpp"
#include "input.hpp"
#include "random.hpp"

namespace crate_room {

/// The state of a guard's AI. Only the system Ai uses it, so it is in the aspect and not in a component.
struct Mind : Aspect {
    Random random{0};
    bool alarmed = false;
    float cooling = 0;    ///< seconds until the next blow is allowed
    float defending = 0;  ///< seconds for which the shield stays up
    float stuck = 0;      ///< seconds without progress
    float sidestep = 0;   ///< seconds for which the guard walks sideways
    float side = 1;       ///< the direction of the sidestep: 1 or -1
    Position before;      ///< the position in the previous frame
};

/// Controls the guards. They stand still until the player has struck a blow and is near; then they approach, strike,
/// and sometimes defend themselves. They strike obstacles that block their way. While the input says `calm`, they stand
/// still again: they stop, lower their shields and break off their blows.
class Ai final : public System<Mind> {
public:
    static constexpr float SIGHT = 130;  ///< a guard is alarmed at this distance, in pixels
    static constexpr float LOSES_SIGHT = 260;
    static constexpr float STRIKES_AT = 25;

    Ai(const Group& players, const Input& input) : players_(players), input_(input) {
        require<Guard, Intent, Position, Figure>();
    }
    void update(double delta, Entities& entities) override;
    void on_clear() override { guards_ = 0; }
    void on_add(Mind& mind) override;
    void on_disabled(Entities& entities) override;

    /// Sets the random seed for the guards of the next room.
    void seed(std::uint32_t seed) noexcept { seed_ = seed; }

    bool in_cutscene = false;  ///< guards stand still; set by the level
    /// The player has struck a blow in this run; before that guards stand still. Reset by the level.
    bool provoked = false;

private:
    [[nodiscard]] Intent think(Mind& mind, float seconds);

    const Group& players_;
    const Input& input_;
    std::uint32_t seed_ = 0;
    std::uint32_t guards_ = 0;  // the number of guards so far; each has its own random numbers
};

}  // namespace crate_room
