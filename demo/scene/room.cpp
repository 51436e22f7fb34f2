#include "room.hpp"

#include "animator.hpp"
#include "collision.hpp"
#include "explosions.hpp"
#include "layout.hpp"
#include "movement.hpp"
#include "player_control.hpp"
#include "random.hpp"
#include "smash.hpp"
#include "spatial_hash.hpp"

namespace crate_room {
namespace {

Position middle_of(int x, int y) { return {(static_cast<float>(x) + 0.5f) * TILE, (static_cast<float>(y) + 0.5f) * TILE}; }

}  // namespace

Room::Room(crateful::ECS& ecs, const Atlas& atlas) : ecs_(ecs) {
    describe_components();
    add<PlayerControl>(10, input);
    add<Movement>(40);
    // After Movement, so that it knows where things are now; before all that ask what is near.
    const auto& hash = add<SpatialHash>(45, tracking);
    add<Collision>(50, tracking, hash);
    const auto& smash = add<Smash>(70, hash);
    add<Explosions>(75);
    add<Camera>(80, view, extent_);
    // After all that choose animations and before what draws them.
    add<Animator>(85, tracking);
    sprites_ = &add<SpriteBatch>(90, tracking, hash, atlas);
    inspector_ = &add<Inspector>(100, input, smash);
}

template <class S, class... Args>
S& Room::add(double priority, Args&&... args) {
    S& added = ecs_.add_system<S>(priority, std::forward<Args>(args)...);
    systems_.push_back(&added);
    return added;
}

Room::~Room() {
    // Backward: a system may use an earlier one until it is gone.
    for (std::size_t i = systems_.size(); i-- > 0;) ecs_.remove_system(*systems_[i]);
}

void Room::build(std::uint32_t seed, std::uint32_t crates) {
    const Layout plan = plan_room(seed, crates);
    extent_ = {static_cast<float>(plan.width) * TILE, static_cast<float>(plan.height) * TILE};
    add_walls(plan.width, plan.height, seed);
    for (const auto& pillar : plan.pillars) add_wall(pillar.x, pillar.y, frames::PILLAR);

    std::vector<Position> positions;
    std::vector<Sprite> sprites;
    std::vector<Animation> animations;
    for (const auto& [x, y, kind] : plan.crates) {
        const auto at = [&, cx = static_cast<std::uint32_t>(x), cy = static_cast<std::uint32_t>(y)](std::uint32_t what) {
            return chance(seed + what, cx, cy);
        };
        // Nobody puts crates down in perfectly straight rows.
        const Position middle = middle_of(x, y);
        positions.push_back({middle.x + std::floor(at(20) * 3) - 1, middle.y + std::floor(at(21) * 3) - 1});
        const auto frame = static_cast<std::uint16_t>(frames::CRATE + kind);
        sprites.push_back({.frame = frame, .shade = static_cast<std::uint8_t>(215 + at(22) * 40)});
        animations.push_back(frames::still(frame));
    }
    const std::vector<crateful::Entity> all = ecs_.add_entities(plan.crates.size());
    ecs_.add<Position>(all, positions);
    ecs_.add<Sprite>(all, sprites);
    ecs_.add<Animation>(all, animations);
    ecs_.add<Solid>(all, std::vector<Solid>{{7, 7}});
    ecs_.add<Breakable>(all, std::vector<Breakable>{{}});

    player_ = ecs_.add_entity();
    ecs_.add<Position>(player_, middle_of(plan.player_x, plan.player_y));
    ecs_.add<Velocity>(player_);
    ecs_.add<Solid>(player_, {5, 5});
    ecs_.add<Sprite>(player_, {.frame = frames::stand(frames::Side::front).first, .glow = 40});
    ecs_.add<Animation>(player_, frames::stand(frames::Side::front));
    ecs_.add<Player>(player_);
}

crateful::Entity Room::add_wall(int x, int y, std::uint16_t frame) {
    const crateful::Entity e = ecs_.add_entity();
    ecs_.add<Position>(e, middle_of(x, y));
    ecs_.add<Sprite>(e, {.frame = frame});
    ecs_.add<Solid>(e);
    return e;
}

void Room::add_walls(int width, int height, std::uint32_t seed) {
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            if (x > 0 && x < width - 1 && y > 0 && y < height - 1) continue;
            const auto look = scramble(seed + 30, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
            add_wall(x, y, static_cast<std::uint16_t>(frames::WALL + look % frames::WALLS));
            if (y == 0 && x % 7 == 3) {
                const crateful::Entity torch = ecs_.add_entity();
                ecs_.add<Position>(torch, {middle_of(x, y).x, middle_of(x, y).y + 1});
                ecs_.add<Sprite>(torch, {.frame = frames::TORCH, .loop = frames::TORCH_FLAMES, .glow = 34});
            }
        }
    }
}

std::size_t Room::looked_at(std::string_view system) const {
    for (crateful::SystemBase* s : systems_) {
        if (s->name() != system) continue;
        const auto* follower = dynamic_cast<const FollowsChanges*>(s);
        return follower != nullptr ? follower->looked_at() : s->tracked().size();
    }
    return 0;
}

}  // namespace crate_room
