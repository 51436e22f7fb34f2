#pragma once
#include "contacts.hpp"

namespace crate_room {

/// Adds Blocked to attacks that touch a shield, before Attacks applies their damage.
class CollisionBlock final : public System<> {
public:
    explicit CollisionBlock(const Contacts& contacts) : contacts_(contacts) { require<Attack>(); }

    void update(double) override {
        for (const auto& [shield, attack] : contacts_.touches(CollisionSet::shield_attack)) {
            const auto& [owner, team, damage] = ecs().get<Attack>(attack);
            const Entity holder = ecs().get<Shield>(shield).owner;
            // A shield blocks neither blasts nor the attacks of its own team.
            if (owner == NONE || !ecs().alive(holder) || ecs().get<Figure>(holder).team == team) continue;
            if (!ecs().has<Blocked>(attack)) ecs().add<Blocked>(attack, {shield});
        }
    }

private:
    const Contacts& contacts_;
};

}  // namespace crate_room
