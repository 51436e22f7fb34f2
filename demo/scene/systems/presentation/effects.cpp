#include "systems/presentation/effects.hpp"

#include <algorithm>

#include "draw/firelight.hpp"
#include "draw/frames.hpp"

namespace crate_room {
namespace {

struct Appearance {
    Animation animation;
    float seconds;
    float light;
};
Appearance appearance_of(EffectKind kind) {
    using namespace frames;
    constexpr auto once = [](int first, int count, int speed, float light) {
        return Appearance{strip(first, count, speed), static_cast<float>(count) / static_cast<float>(speed), light};
    };
    switch (kind) {
        case EffectKind::puff: return once(PUFF, PUFF_STEPS, 12, 0);
        case EffectKind::spark: return once(SPARK, SPARK_STEPS, 18, 40);
        default: return once(BLAST, BLAST_STEPS, 16, 130);
    }
}

}  // namespace

void Effects::init() {
    ecs().events.collect<Effect>();
    refill_pool();
}

void Effects::refill_pool() { ecs().add<Pooled>(ecs().add_entities(POOL)); }

void Effects::update(double delta, Entities& entities) {
    for (const auto [e, effect] : entities) {
        const float left = effect.get<Pooled>().left - static_cast<float>(delta);
        write_time(ecs(), tracking_, e, Pooled{left});
        if (left > 0) continue;
        ecs().remove<Animation>(e);
        ecs().remove<Light>(e);
        ecs().remove<Position>(e);
    }
    auto& wanted = ecs().events.inbox<Effect>();
    for (const Effect& effect : wanted) show(effect);
    wanted.clear();
}

void Effects::show(const Effect& effect) {
    const auto pool = ecs().storage<Pooled>().entities();
    const auto idle = std::find_if(pool.begin(), pool.end(), [&](Entity e) { return !ecs().has<Animation>(e); });
    if (idle == pool.end()) return;
    const Entity e = *idle;
    const auto [animation, seconds, light] = appearance_of(effect.kind);
    ecs().add<Pooled>(e, {seconds});
    ecs().add<Position>(e, {effect.x, effect.y});
    ecs().add<Animation>(e, animation);
    if (light > 0) ecs().add<Light>(e, firelight(light, entities().size(), true));
}

}  // namespace crate_room
