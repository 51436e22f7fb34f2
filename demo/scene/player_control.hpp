#pragma once
#include <cmath>

#include "components.hpp"
#include "frames.hpp"
#include "input.hpp"

namespace crate_room {

/// Turns input into what the player does. Signals only what really changes: a player at rest is as
/// quiet as a crate.
class PlayerControl final : public crateful::System<> {
public:
    static constexpr float SPEED = 78;
    static constexpr float SECONDS_BETWEEN_BLOWS = 0.22f;

    explicit PlayerControl(Input& input) : input_(input) { require<Player, Position, Velocity, Sprite, Animation>(); }
    [[nodiscard]] std::string name() const override { return "PlayerControl"; }
    void on_clear() override { rest_ = 0; }

    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet&) override {
        rest_ = std::max(0.0f, rest_ - static_cast<float>(delta));
        for (const crateful::Entity e : entities.ids()) {
            steer(e);
            if (input_.strike && rest_ == 0) strike(e);
            show(e);
        }
    }

private:
    void steer(crateful::Entity e) {
        float x = input_.move_x;
        float y = input_.move_y;
        if (const float length = std::hypot(x, y); length > 1) x /= length, y /= length;
        const auto& now = ecs().get<Velocity>(e);
        if (now.x != x * SPEED || now.y != y * SPEED) {
            ecs().modify<Velocity>(e, [&](Velocity& v) { v = {x * SPEED, y * SPEED}; });
        }
        if ((x != 0 || y != 0) && rest_ == 0) face(e, x, y);
    }

    void face(crateful::Entity e, float x, float y) {
        const float length = std::hypot(x, y);
        const auto& now = ecs().get<Player>(e);
        if (length == 0 || (now.facing_x == x / length && now.facing_y == y / length)) return;
        ecs().modify<Player>(e, [&](Player& p) { p.facing_x = x / length, p.facing_y = y / length; });
    }

    void strike(crateful::Entity e) {
        input_.strike = false;
        rest_ = SECONDS_BETWEEN_BLOWS;
        const auto [x, y] = ecs().get<Position>(e);
        if (input_.aimed) face(e, input_.pointer_x - x, input_.pointer_y - y);
        ecs().modify<Player>(e, [&](Player& p) {
            p.aimed = input_.aimed;
            p.aim_x = input_.pointer_x;
            p.aim_y = input_.pointer_y;
            ++p.blows;
        });
    }

    void show(crateful::Entity e) {
        const auto& player = ecs().get<Player>(e);
        const auto& velocity = ecs().get<Velocity>(e);
        const bool sideways = std::abs(player.facing_x) > std::abs(player.facing_y);
        const auto side = sideways ? frames::Side::side : player.facing_y < 0 ? frames::Side::back : frames::Side::front;
        const Animation wanted = rest_ > 0 ? frames::strike(side, static_cast<std::uint8_t>(player.blows))
                                 : velocity.x != 0 || velocity.y != 0 ? frames::walk(side)
                                                                      : frames::stand(side);
        if (ecs().get<Animation>(e) != wanted) ecs().modify<Animation>(e, [&](Animation& a) { a = wanted; });
        const bool mirrored = sideways && player.facing_x < 0;
        if (ecs().get<Sprite>(e).mirrored != mirrored) {
            ecs().modify<Sprite>(e, [&](Sprite& s) { s.mirrored = mirrored; });
        }
    }

    Input& input_;
    float rest_ = 0;  // until the next blow
};

}  // namespace crate_room
