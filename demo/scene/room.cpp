#include "room.hpp"

#include <bit>

#include "layout.hpp"
#include "populate.hpp"
#include "random.hpp"
#include "systems/ai.hpp"
#include "systems/animation_renderer.hpp"
#include "systems/attack.hpp"
#include "systems/audio.hpp"
#include "systems/blasts.hpp"
#include "systems/block.hpp"
#include "systems/collision_block.hpp"
#include "systems/collision_detection.hpp"
#include "systems/collision_movement.hpp"
#include "systems/debug_collision.hpp"
#include "systems/debug_hash.hpp"
#include "systems/debug_heat.hpp"
#include "systems/debug_inspection.hpp"
#include "systems/debug_timing.hpp"
#include "systems/defend.hpp"
#include "systems/doors.hpp"
#include "systems/effects.hpp"
#include "systems/explosions.hpp"
#include "systems/fade.hpp"
#include "systems/figure_animation.hpp"
#include "systems/follow_camera.hpp"
#include "systems/fuses.hpp"
#include "systems/hud.hpp"
#include "systems/lighting.hpp"
#include "systems/movement.hpp"
#include "systems/pickups.hpp"
#include "systems/player_input.hpp"
#include "systems/player_selector.hpp"
#include "systems/spatial_hash.hpp"
#include "systems/static_renderer.hpp"
#include "systems/swing.hpp"
#include "systems/timebombs.hpp"

namespace crate_room {

// Priorities as in seed 4: the tens say what is done when.
Room::Room(crateful::ECS& ecs, const Atlas& atlas) : ecs_(ecs), level_(ecs) {
    describe_components();
    // Selection; then what everybody wants; then the main actions.
    auto& players = add<PlayerSelector>(5);
    add<PlayerInput>(10, input);
    ai_ = &add<Ai>(10, players);
    add<Swing>(20);
    add<Defend>(20);
    add<Blasts>(20);
    // Where things are. The hash comes after Movement and before all that ask what is near.
    add<Movement>(40);
    hash_ = &add<SpatialHash>(45, tracking);
    const auto& hash = *hash_;
    const auto& detection = add<CollisionDetection>(50, tracking, hash);
    add<CollisionMovement>(60, detection, hash, extent);
    add<CollisionBlock>(60, detection);
    // Game logic. Attack comes after CollisionBlock, which spares some, and before Block, which ends them.
    add<Attacks>(70, detection, hash);
    add<Block>(70);
    add<Stagger>(70);
    auto& doors = add<Doors>(70, detection);
    add<Pickups>(70, detection);
    add<DamagedFlashes>(75);
    add<Shudders>(75);
    add<Fuses>(75, hash);
    add<Explosions>(75);
    add<Lifetimes>(75);
    add<Deaths>(75);
    // What is to be seen and heard. Renderers come after all that choose a look.
    add<FollowCamera>(80, view, extent);
    add<FigureAnimation>(82, tracking);
    add<Effects>(85);
    sprites_ = std::make_unique<SpriteBatch>(hash, atlas);
    add<StaticRenderer>(90, tracking, *sprites_);
    add<AnimationRenderer>(90, tracking, *sprites_);
    lighting_ = &add<Lighting>(90, tracking);
    audio_ = &add<Audio>(90, players);
    const auto& hud = add<Hud>(95, atlas, view, level_, doors);
    const auto& collision_boxes = add<DebugCollision>(100, atlas, view, hash);
    const auto& cells = add<DebugHash>(100, atlas, view, hash);
    inspection_ = &add<DebugInspection>(100, atlas, input, hash);
    heat_ = &add<DebugHeat>(100, atlas, view, tracking);
    const auto& timing = add<DebugTiming>(100, atlas, view);
    const auto& fade = add<Fade>(110, atlas);

    std::vector<DebugHeat::Source> followers;
    for (crateful::SystemBase* s : systems_) {
        if (auto* follower = dynamic_cast<FollowsChanges*>(s)) followers.push_back({s, follower});
    }
    heat_->watch_over(std::move(followers));
    room_overlays_ = {&cells.overlay(), &heat_->overlay(), &collision_boxes.overlay(), &inspection_->overlay()};
    screen_overlays_ = {&hud.overlay(), &fade.overlay(), &hud.words(), &heat_->legend(), &timing.overlay()};
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

void Room::begin(std::uint32_t seed, std::uint32_t crates, int guards) {
    const Level::Place first{.seed = seed, .crates = crates, .guards = guards};
    recording_.start(first);
    level_.begin(first);
    populate();
}

void Room::replay() {
    recording_.rewind();
    level_.begin(recording_.first());
    populate();
}

void Room::enter() {
    level_.enter();
    populate();
}

void Room::populate() {
    missed_.reset();
    const auto& [run_seed, crates, guards, number] = level_.place();
    const std::uint32_t seed = level_.room_seed();
    const std::uint32_t deserved = std::min({2 + number, 9u, 1 + crates / 60});
    const Layout plan = plan_room(seed, crates, guards < 0 ? deserved : static_cast<std::uint32_t>(guards));
    extent = {static_cast<float>(plan.width) * TILE, static_cast<float>(plan.height) * TILE};
    ai_->seed(seed);
    player_ = populate_room(ecs_, plan, seed);
}

double Room::begin_frame(double delta) {
    level_.update();
    if (missed_ && !input.strike) {
        input.strike = true;
        input.aimed = missed_->aimed;
        input.pointer_x = missed_->pointer_x;
        input.pointer_y = missed_->pointer_y;
    }
    recording_.begin_frame(delta, input);
    return delta;
}

void Room::end_frame(double delta) {
    recording_.end_frame(delta);
    missed_.reset();
    if (delta == 0 && !ecs_.paused() && input.strike) missed_ = input;
}

std::vector<Playback> Room::take_sounds() { return audio_->take(); }

std::uint64_t Room::state_hash() const {
    // A sum, so that the order of entities does not matter.
    std::uint64_t sum = level_.place().number;
    for (const crateful::Entity e : hash_->tracked().entities()) sum += hash_of(e) * 0x9E3779B97F4A7C15u;
    return sum;
}

std::uint32_t Room::hash_of(crateful::Entity e) const {
    const auto bits = [](float f) { return std::bit_cast<std::uint32_t>(f); };
    const auto& at = ecs_.get<Position>(e);
    std::uint32_t h = scramble(1, bits(at.x), bits(at.y));
    const auto mix = [&](std::uint32_t which, std::uint32_t a, std::uint32_t b = 0) {
        h = scramble(scramble(which, h), a, b);
    };
    const auto mix_left = [&](std::uint32_t which, const auto* timed) {
        if (timed != nullptr) mix(which, bits(timed->left));
    };
    if (const auto* health = ecs_.try_get<Health>(e)) mix(2, health->now);
    if (const auto* velocity = ecs_.try_get<Velocity>(e)) mix(3, bits(velocity->x), bits(velocity->y));
    if (const auto* facing = ecs_.try_get<Facing>(e)) mix(4, bits(facing->x), bits(facing->y));
    if (const auto* animation = ecs_.try_get<Animation>(e)) mix(5, animation->first, animation->take);
    if (const auto* shape = ecs_.try_get<CollisionShape>(e)) mix(6, bits(shape->angle), shape->kinds);
    if (const auto* swinging = ecs_.try_get<Swinging>(e)) mix(7, bits(swinging->age));
    mix_left(8, ecs_.try_get<Exploding>(e));
    mix_left(9, ecs_.try_get<Fuse>(e));
    mix_left(10, ecs_.try_get<Staggered>(e));
    mix_left(11, ecs_.try_get<DamagedFlash>(e));
    mix_left(12, ecs_.try_get<Dead>(e));
    return h;
}

crateful::SystemBase* Room::find(std::string_view system) const {
    for (crateful::SystemBase* s : systems_) {
        if (s->name() == system) return s;
    }
    return nullptr;
}

std::size_t Room::looked_at(std::string_view system) const {
    crateful::SystemBase* found = find(system);
    if (found == nullptr || !found->enabled()) return 0;
    const auto* follower = dynamic_cast<const FollowsChanges*>(found);
    return follower != nullptr ? follower->looked_at() : found->tracked().size();
}

bool Room::set_enabled(std::string_view system, bool enabled) {
    crateful::SystemBase* found = find(system);
    if (found == nullptr) return false;
    if (enabled) ecs_.enable_system(*found);
    else ecs_.disable_system(*found);
    return true;
}

}  // namespace crate_room
