#pragma once
#include "components.hpp"
#include "systems/swing.hpp"

namespace crate_room {

/// Moves what can move, where it intends to or is pushed. Few things can, so it goes through all of them;
/// what stands still stays clean.
class Movement final : public crateful::System<> {
public:
    Movement() { require<Position, Velocity>(); }
    [[nodiscard]] std::string name() const override { return "Movement"; }

    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet&) override {
        const auto seconds = static_cast<float>(delta);
        for (const auto [e, mover] : entities) {
            const Velocity wanted = velocity(mover);
            const auto& now = mover.get<Velocity>();
            if (now.x != wanted.x || now.y != wanted.y) ecs().modify<Velocity>(e, [&](Velocity& v) { v = wanted; });
            if (wanted.x == 0 && wanted.y == 0) continue;
            ecs().modify<Position>(e, [&](Position& p) {
                p.x += wanted.x * seconds;
                p.y += wanted.y * seconds;
            });
        }
    }

private:
    [[nodiscard]] Velocity velocity(const crateful::Aspect& mover) const {
        if (const auto* staggered = mover.try_get<Staggered>()) return {staggered->push_x, staggered->push_y};
        const auto* intent = mover.try_get<Intent>();
        if (intent == nullptr || mover.has<Dead>()) return {};
        const bool swings = mover.has<Swinging>();
        const bool defends = mover.has<Defending>();
        // Who strikes or holds a shield toward something looks there.
        if (!swings && !(defends && (intent->aim_x != 0 || intent->aim_y != 0)))
            face(ecs(), mover.entity(), intent->move_x, intent->move_y);
        const float speed = mover.get<Figure>().speed * (swings ? 0.35f : defends ? 0.5f : 1.0f);
        return {intent->move_x * speed, intent->move_y * speed};
    }
};

}  // namespace crate_room
