#pragma once
#include "geometry.hpp"

namespace crate_room {

/// A library system: knows who the players are, so that others need not look for them.
class PlayerSelector final : public crateful::System<> {
public:
    PlayerSelector() { require<Player, Position>(); }
    [[nodiscard]] std::string name() const override { return "PlayerSelector"; }
    void update(double, crateful::Entities<crateful::Aspect>&, crateful::DirtySet&) override {}

    /// The nearest living player, or NONE.
    [[nodiscard]] crateful::Entity nearest(const Position& from) {
        crateful::Entity found = crateful::NONE;
        float least = 0;
        for (const auto [e, player] : entities()) {
            if (player.has<Dead>()) continue;
            const float d = distance(from, player.get<Position>());
            if (found == crateful::NONE || d < least) found = e, least = d;
        }
        return found;
    }
    /// Anybody who is a player, dead or alive, or NONE.
    [[nodiscard]] crateful::Entity any() { return entities().empty() ? crateful::NONE : entities().ids().front(); }
};

}  // namespace crate_room
