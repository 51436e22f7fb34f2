#pragma once
#include "components.hpp"
#include "input.hpp"
#include "level/level.hpp"

namespace crate_room {

/// Converts the input of the frame into the player's Intent. It writes an Intent only if it differs from the current
/// one, so a player at rest causes no signals.
class PlayerInput final : public System<> {
public:
    explicit PlayerInput(const Input& input) : input_(input) { require<Player, Intent, Position>(); }
    // The events are read in update(), so that they take effect at a fixed point of the frame.
    void init() override { ecs().events.collect<PlayerControl>(); }
    void on_disabled(Entities& entities) override {
        for (const auto [e, player] : entities) ecs().modify<Intent>(e, [](Intent& i) { i = {}; });
    }

    void update(double, Entities& entities) override {
        auto& controls = ecs().events.inbox<PlayerControl>();
        if (!controls.empty())
            ecs().modify<Story>(ecs().world(), [&](Story& story) { story.controlled = controls.back().allowed; });
        controls.clear();
        const bool allowed = ecs().get<Story>(ecs().world()).controlled;
        for (const auto [e, player] : entities) {
            const Intent wanted = allowed && !player.has<Dead>() ? intent(player.get<Position>()) : Intent{};
            if (player.get<Intent>() != wanted) ecs().modify<Intent>(e, [&](Intent& i) { i = wanted; });
        }
    }

private:
    [[nodiscard]] Intent intent(const Position& at) const {
        Intent wanted{
            .move_x = input_.move_x, .move_y = input_.move_y, .swing = input_.strike, .defend = input_.defend};
        if (input_.aimed || input_.shield_aimed) {
            wanted.aim_x = input_.pointer_x - at.x;
            wanted.aim_y = input_.pointer_y - at.y;
        }
        return wanted;
    }

    const Input& input_;
};

}  // namespace crate_room
