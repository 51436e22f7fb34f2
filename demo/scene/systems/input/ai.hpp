#pragma once
#include "group.hpp"
#include "input.hpp"

namespace crate_room {

/// Controls the guards. They stand still until the player has struck a blow and is near; then they approach, strike,
/// and sometimes defend themselves. They strike obstacles that block their way. While the input says `calm`, they stand
/// still again: they stop, lower their shields and break off their blows.
class Ai final : public System<> {
public:
    static constexpr float SIGHT = 130;  ///< a guard is alarmed at this distance, in pixels
    static constexpr float LOSES_SIGHT = 260;
    static constexpr float STRIKES_AT = 25;

    Ai(const Group& players, const Input& input) : players_(players), input_(input) {
        require<Guard, Intent, Position, Figure>();
    }
    void update(double delta, Entities& entities) override;
    void on_disabled(Entities& entities) override;

private:
    [[nodiscard]] Intent think(const Aspect& figure, Guard& guard, float seconds);

    const Group& players_;
    const Input& input_;
};

}  // namespace crate_room
