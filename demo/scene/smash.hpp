#pragma once
#include "components.hpp"
#include "spatial_hash.hpp"

namespace crate_room {

/// Lets the player's blows land. It watches the player and is not even called while nothing about the
/// player changed.
class Smash final : public crateful::System<> {
public:
    static constexpr float REACH = 30;

    explicit Smash(const SpatialHash& hash);
    [[nodiscard]] std::string name() const override { return "Smash"; }
    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet& dirty) override;
    void on_clear() override { landed_ = 0; }

    /// The crate that is drawn at a point of the room, or NONE.
    [[nodiscard]] crateful::Entity crate_at(float x, float y) const;

private:
    [[nodiscard]] crateful::Entity target(const Player& player, const Position& from) const;
    [[nodiscard]] crateful::Entity nearest(const Position& from, float toward_x, float toward_y) const;
    void hit(crateful::Entity crate);

    const SpatialHash& hash_;
    std::uint32_t landed_ = 0;  // blows that were dealt with
};

}  // namespace crate_room
