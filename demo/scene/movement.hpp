#pragma once
#include "components.hpp"

namespace crate_room {

/// Moves what has a velocity. Few things have one, so it goes through all of them; what stands still
/// stays clean.
class Movement final : public crateful::System<> {
public:
    Movement() { require<Position, Velocity>(); }
    [[nodiscard]] std::string name() const override { return "Movement"; }

    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet&) override {
        const auto seconds = static_cast<float>(delta);
        for (const auto [e, aspect] : entities) {
            const auto velocity = aspect.get<Velocity>();
            if (velocity.x == 0 && velocity.y == 0) continue;
            ecs().modify<Position>(e, [&](Position& p) {
                p.x += velocity.x * seconds;
                p.y += velocity.y * seconds;
            });
        }
    }
};

}  // namespace crate_room
