#pragma once
#include <string_view>

#include "components.hpp"
#include "sounds.hpp"
#include "systems/presentation/effects.hpp"

namespace crate_room {

/// Event: powder explodes at a position.
struct Blast {
    static constexpr std::string_view type_name = "Blast";
    float x;
    float y;
};

/// Creates an attack without an owner where powder explodes. It damages everything around it.
class Blasts final : public System<> {
public:
    static constexpr float REACH = 23;

    Blasts() { require<Attack>(); }
    void init() override { ecs().events.collect<Blast>(); }
    void on_enabled(Entities&) override { ecs().events.inbox<Blast>().clear(); }

    void update(double) override {
        auto& blasts = ecs().events.inbox<Blast>();
        for (const auto& [x, y] : blasts) {
            const Entity blast = ecs().add_entity();
            ecs().add<Position>(blast, {x, y});
            ecs().add<CollisionShape>(blast, {.half_width = REACH, .half_height = REACH, .kinds = ATTACK});
            ecs().add<Lifetime>(blast, {0.05f});
            ecs().add<Attack>(blast, {.damage = 2});
            ecs().add<Hits>(blast);
            ecs().events.dispatch(Effect{EffectKind::blast, x, y});
            ecs().events.dispatch(Noise{Sound::blast, x, y});
        }
        blasts.clear();
    }
};

}  // namespace crate_room
