#pragma once
#include "systems/collision_detection.hpp"

namespace crate_room {

/// Notes which attacks met a shield, before they do harm.
class CollisionBlock final : public crateful::System<> {
public:
    explicit CollisionBlock(const CollisionDetection& detection) : detection_(detection) { require<Attack>(); }
    [[nodiscard]] std::string name() const override { return "CollisionBlock"; }

    void update(double, crateful::Entities<crateful::Aspect>&, crateful::DirtySet&) override {
        for (const auto& [shield, attack] : detection_.touches(CollisionSet::shield_attack)) {
            const auto& [owner, team, damage] = ecs().get<Attack>(attack);
            const crateful::Entity holder = ecs().get<Shield>(shield).owner;
            // Nobody blocks his own side, and no shield holds a blast.
            if (owner == crateful::NONE || !ecs().alive(holder) || ecs().get<Figure>(holder).team == team) continue;
            if (!ecs().has<Blocked>(attack)) ecs().add<Blocked>(attack, {shield});
        }
    }

private:
    const CollisionDetection& detection_;
};

}  // namespace crate_room
