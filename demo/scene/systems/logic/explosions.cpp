#include "systems/logic/explosions.hpp"

#include "draw/firelight.hpp"
#include "draw/frames.hpp"
#include "geometry.hpp"
#include "random.hpp"
#include "sounds.hpp"

namespace crate_room {
namespace {

constexpr float FLASH = 60;           // pixels
constexpr float SHOCK = 22;           // pixels; crates at this distance shake
constexpr std::uint32_t HEARTS = 24;  // one of so many crates contains a heart

std::uint32_t random_at(std::uint32_t what, const Position& at) {
    return scramble(what, static_cast<std::uint32_t>(at.x), static_cast<std::uint32_t>(at.y));
}

}  // namespace

void shudder(ECS& ecs, Entity crate, float seconds) {
    if (const auto* already = ecs.try_get<Shuddering>(crate); already != nullptr && already->left >= seconds) return;
    ecs.add<Shuddering>(crate, {seconds});
    const std::uint8_t kind = ecs.get<Crate>(crate).kind;
    ecs.modify<Animation>(crate, [&](Animation& a) {
        const std::uint8_t shade = a.shade;
        a = frames::shudder(kind);
        a.shade = shade;
    });
}

void explode(ECS& ecs, const SpatialGrid& grid, Entity crate) {
    const Position at = ecs.get<Position>(crate);
    // A bursting crate is no obstacle.
    ecs.remove<CollisionShape>(crate);
    ecs.remove<Shuddering>(crate);
    ecs.add<Exploding>(crate, {frames::BURST_SECONDS});
    ecs.add<Smashed>(crate);
    ecs.add<Light>(crate, firelight(FLASH, ecs.storage<Exploding>().count()));
    ecs.modify<Animation>(crate, [&](Animation& a) { a = frames::burst(random_at(3, at)); });
    grid.each_near(at.x - SHOCK, at.y - SHOCK, at.x + SHOCK, at.y + SHOCK, [&](Entity other) {
        if (ecs.has<Crate, CollisionShape>(other) && distance(at, ecs.get<Position>(other)) < SHOCK)
            shudder(ecs, other, 0.25f);
    });
    ecs.events.dispatch(CrateSmashed{at.x, at.y});
    ecs.events.dispatch(Noise{Sound::smash, at.x, at.y});
}

void Explosions::update(double delta, Entities& entities) {
    for (const auto [e, aspect] : entities) {
        const float left = aspect.get<Exploding>().left - static_cast<float>(delta);
        write_time(ecs(), tracking_, e, Exploding{left});
        ecs().modify<Light>(
            e, [&](Light& l) { l = firelight(FLASH * std::max(0.0f, left / frames::BURST_SECONDS), entities.size()); });
        if (left > 0) continue;
        ecs().remove_entity(e);
        leave_heart(aspect.get<Position>());
    }
}

void Explosions::leave_heart(Position at) {
    if (random_at(77, at) % HEARTS != 0) return;
    const Entity heart = ecs().add_entity();
    ecs().add<Position>(heart, at);
    ecs().add<Sprite>(heart, {.frame = frames::PICKUP, .loop = frames::PICKUP_STEPS});
    ecs().add<CollisionShape>(heart, {.half_width = 3, .half_height = 3, .kinds = SENSOR});
    ecs().add<Pickup>(heart);
}

}  // namespace crate_room
