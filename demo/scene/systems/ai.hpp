#pragma once
#include "components.hpp"
#include "random.hpp"
#include "systems/player_selector.hpp"

namespace crate_room {

/// What a guard has on its mind: nobody else's business, so it is kept in the aspect (seed 5).
struct Mind : crateful::Aspect {
    Random random{0};
    bool alarmed = false;
    float cooling = 0;    ///< until it may strike again
    float defending = 0;  ///< holds its shield up for so long
    float stuck = 0;      ///< has not come forward for so long
    float sidestep = 0;   ///< walks around something for so long
    float side = 1;
    Position before;
};

/// Guards stand still until a player comes near; then they come, strike, and now and then hide behind
/// their shield. What is in the way they break.
class Ai final : public crateful::System<Mind> {
public:
    static constexpr float SIGHT = 130;  ///< from here on it notices
    static constexpr float LOSES_SIGHT = 260;
    static constexpr float STRIKES_AT = 25;

    explicit Ai(PlayerSelector& players);
    [[nodiscard]] std::string name() const override { return "Ai"; }
    void update(double delta, crateful::Entities<Mind>& entities, crateful::DirtySet& dirty) override;
    void on_clear() override { born_ = 0; }
    void on_add(Mind& mind) override;
    void on_disabled(crateful::Entities<Mind>& entities) override;

    /// For the guards of the next room.
    void seed(std::uint32_t seed) noexcept { seed_ = seed; }

    bool in_cutscene = false;  ///< nobody moves; the level sets it

private:
    [[nodiscard]] Intent think(Mind& mind, float seconds);

    PlayerSelector& players_;
    std::uint32_t seed_ = 0;
    std::uint32_t born_ = 0;  // guards so far: each thinks otherwise
};

}  // namespace crate_room
