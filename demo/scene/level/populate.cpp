#include "level/populate.hpp"

#include <cmath>
#include <vector>

#include "draw/frames.hpp"
#include "random.hpp"

namespace crate_room {
namespace {

constexpr std::uint8_t HERO_HEALTH = 6;
constexpr std::uint8_t GUARD_HEALTH = 2;

Position middle_of(int x, int y) {
    return {(static_cast<float>(x) + 0.5f) * TILE, (static_cast<float>(y) + 0.5f) * TILE};
}

void add_solid(ECS& ecs, int x, int y, int frame) {
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e, middle_of(x, y));
    ecs.add<Sprite>(e, {.frame = static_cast<std::uint16_t>(frame)});
    ecs.add<CollisionShape>(e);
}

void add_torch(ECS& ecs, int x, int y) {
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e, middle_of(x, y));
    ecs.add<Sprite>(e, {.frame = frames::TORCH, .loop = frames::TORCH_FLAMES, .depth = 1});
    ecs.add<Light>(e, {.radius = 68, .r = 84, .g = 48, .b = 20, .flickers = true});
}

void add_door(ECS& ecs, const Layout::Tile& tile) {
    const Position left = middle_of(tile.x, tile.y);
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e, {left.x + TILE / 2, left.y});
    ecs.add<Animation>(e, frames::still(frames::DOOR));
    ecs.add<CollisionShape>(e, {.half_width = TILE, .half_height = TILE / 2, .kinds = SOLID | SENSOR});
    ecs.add<Light>(e, {.radius = 74, .r = 96, .g = 60, .b = 26});
    ecs.add<Door>(e);
}

void add_walls(ECS& ecs, const Layout& plan, std::uint32_t seed) {
    const auto is_door = [&](int x, int y) {
        for (const auto& door : plan.doors) {
            if (y == door.y && (x == door.x || x == door.x + 1)) return true;
        }
        return false;
    };
    for (int y = 0; y < plan.height; ++y) {
        for (int x = 0; x < plan.width; ++x) {
            if (x > 0 && x < plan.width - 1 && y > 0 && y < plan.height - 1) continue;
            if (is_door(x, y)) continue;
            const auto look = scramble(seed + 30, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
            add_solid(ecs, x, y, frames::WALL + static_cast<int>(look % frames::WALLS));
            if (y == 0 && (x % 7 == 3 || is_door(x + 1, y) || is_door(x - 1, y))) add_torch(ecs, x, y);
        }
    }
    for (const auto& door : plan.doors) add_door(ecs, door);
}

// As in the articles, a crate has many components: it is solid, can be attacked and is animated.
void add_crates(ECS& ecs, const Layout& plan, std::uint32_t seed) {
    std::vector<Position> positions;
    std::vector<Animation> animations;
    std::vector<Health> healths;
    std::vector<Crate> crates;
    for (const auto& [x, y, kind] : plan.crates) {
        const auto at = [&, cx = static_cast<std::uint32_t>(x), cy = static_cast<std::uint32_t>(y)](
                            std::uint32_t what) { return chance(seed + what, cx, cy); };
        // Small random offsets make the rows look less regular.
        const Position middle = middle_of(x, y);
        positions.push_back({middle.x + std::floor(at(20) * 3) - 1, middle.y + std::floor(at(21) * 3) - 1});
        Animation animation = frames::crate(kind);
        animation.shade = static_cast<std::uint8_t>(215 + at(22) * 40);
        animations.push_back(animation);
        const auto blows = static_cast<std::uint8_t>(kind == frames::IRON ? 2 : 1);
        healths.push_back({blows, blows});
        crates.push_back({static_cast<std::uint8_t>(kind), kind == frames::POWDER});
    }
    const std::vector<Entity> all = ecs.add_entities(plan.crates.size());
    ecs.add<Position>(all, positions);
    ecs.add<Animation>(all, animations);
    ecs.add<CollisionShape>(
        all, std::vector<CollisionShape>{{.half_width = 7, .half_height = 7, .kinds = SOLID | VULNERABLE}});
    ecs.add<Health>(all, healths);
    ecs.add<Crate>(all, crates);
    for (const auto& [crate, seconds] : plan.burning) ecs.add<Fuse>(all[crate], {seconds});
}

// Attachments places it in the next update.
void add_weapon(ECS& ecs, Entity figure, std::uint16_t frame) {
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e, ecs.get<Position>(figure));
    ecs.add<Angle>(e);
    ecs.add<Local>(e);
    ecs.add<Sprite>(e, {.frame = frame});
    ecs.add<Weapon>(e, {frame});
    ecs.set_parent(e, figure);
}

Entity add_figure(ECS& ecs, Position at, const Figure& figure, int look, std::uint8_t health) {
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e, at);
    ecs.add<Velocity>(e);
    ecs.add<Facing>(e);
    ecs.add<Intent>(e);
    ecs.add<Health>(e, {health, health});
    ecs.add<CollisionShape>(e, {.half_width = 5, .half_height = 5, .kinds = MOBILE | VULNERABLE});
    ecs.add<Animation>(e, frames::stand(look, Side::front));
    ecs.add<Figure>(e, figure);
    add_weapon(ecs, e, look == frames::HERO ? frames::HAMMER : frames::SWORD);
    return e;
}

}  // namespace

Entity populate_room(ECS& ecs, const Layout& plan, std::uint32_t seed) {
    add_walls(ecs, plan, seed);
    for (const auto& pillar : plan.pillars) add_solid(ecs, pillar.x, pillar.y, frames::PILLAR);
    add_crates(ecs, plan, seed);
    std::uint32_t guards = 0;
    for (const auto& guard : plan.guards) {
        const Entity e = add_figure(ecs, middle_of(guard.x, guard.y), {.team = Team::guards, .speed = 46, .damage = 1},
                                    frames::GUARD, GUARD_HEALTH);
        ecs.add<Guard>(e, {.random = {scramble(seed, ++guards)}, .before = ecs.get<Position>(e)});
    }
    const Entity player = add_figure(ecs, middle_of(plan.player_x, plan.player_y),
                                     {.team = Team::hero, .speed = 78, .damage = 1}, frames::HERO, HERO_HEALTH);
    ecs.add<Light>(player, {.radius = 80, .r = 84, .g = 52, .b = 24, .flickers = true});
    ecs.add<Player>(player);
    return player;
}

}  // namespace crate_room
