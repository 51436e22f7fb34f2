#pragma once
#include "components.hpp"
#include "sounds.hpp"
#include "systems/effects.hpp"

namespace crate_room {

/// Event: powder goes off at a place.
struct Blast {
    float x;
    float y;
};

/// What powder does: an attack on everything around, that belongs to nobody.
class Blasts final : public crateful::System<> {
public:
    static constexpr float REACH = 23;

    Blasts() { require<Attack>(); }
    [[nodiscard]] std::string name() const override { return "Blasts"; }
    void init() override { static_cast<void>(ecs().events.inbox<Blast>()); }
    void on_enabled(crateful::Entities<crateful::Aspect>&) override { ecs().events.inbox<Blast>().clear(); }

    void update(double, crateful::Entities<crateful::Aspect>&, crateful::DirtySet&) override {
        auto& due = ecs().events.inbox<Blast>();
        for (const auto& [x, y] : due) {
            const crateful::Entity blast = ecs().add_entity();
            ecs().add<Position>(blast, {x, y});
            ecs().add<CollisionShape>(blast, {.half_width = REACH, .half_height = REACH, .kinds = ATTACK});
            ecs().add<Lifetime>(blast, {0.05f});
            ecs().add<Attack>(blast, {.damage = 2});
            ecs().events.dispatch(Effect{EffectKind::blast, x, y});
            ecs().events.dispatch(Noise{Sound::blast, x, y});
        }
        due.clear();
    }
};

}  // namespace crate_room
