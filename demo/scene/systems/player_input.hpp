#pragma once
#include "components.hpp"
#include "input.hpp"
#include "level.hpp"

namespace crate_room {

/// Turns what comes from mouse, keyboard, screen and gamepad into what the player intends. An intent that
/// stays the same is not written again: a player at rest is as quiet as a crate.
class PlayerInput final : public crateful::System<> {
public:
    explicit PlayerInput(const Input& input) : input_(input) { require<Player, Intent, Position>(); }
    [[nodiscard]] std::string name() const override { return "PlayerInput"; }
    void init() override {
        // Takes effect in update(), as everything does: then it is clear when in a frame it happens.
        static_cast<void>(ecs().events.inbox<PlayerControl>());
    }
    void on_clear() override { allowed_ = true; }
    void on_disabled(crateful::Entities<crateful::Aspect>& entities) override {
        for (const auto [e, player] : entities) ecs().modify<Intent>(e, [](Intent& i) { i = {}; });
    }

    void update(double, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet&) override {
        auto& orders = ecs().events.inbox<PlayerControl>();
        if (!orders.empty()) allowed_ = orders.back().allowed;
        orders.clear();
        for (const auto [e, player] : entities) {
            const Intent wanted = allowed_ && !player.has<Dead>() ? intent(player.get<Position>()) : Intent{};
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
    bool allowed_ = true;
};

}  // namespace crate_room
