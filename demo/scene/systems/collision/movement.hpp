#pragma once
#include "components.hpp"
#include "systems/actions/swing.hpp"

namespace crate_room {

/// Moves figures as they intend, or as they are pushed. Only few entities can move, so it visits all of them. It writes
/// nothing for an entity that stands still, so such an entity does not become dirty.
class Movement final : public System<> {
public:
    Movement() { require<Position, Velocity>(); }

    void update(double delta, Entities& entities) override {
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
    [[nodiscard]] Velocity velocity(const Aspect& mover) const {
        if (const auto* staggered = mover.try_get<Staggered>()) return {staggered->push_x, staggered->push_y};
        const auto* intent = mover.try_get<Intent>();
        if (intent == nullptr || mover.has<Dead>()) return {};
        const bool swings = mover.has<Swinging>();
        const bool defends = mover.has<Defending>();
        // A blow and an aimed shield decide where the figure faces; otherwise it faces where it walks.
        if (!swings && !(defends && (intent->aim_x != 0 || intent->aim_y != 0)))
            face(ecs(), mover.entity(), intent->move_x, intent->move_y);
        const float speed = mover.get<Figure>().speed * (swings ? 0.35f : defends ? 0.5f : 1.0f);
        return {intent->move_x * speed, intent->move_y * speed};
    }
};

}  // namespace crate_room
