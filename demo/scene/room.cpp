#include "room.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "level/layout.hpp"
#include "level/opening.hpp"
#include "level/populate.hpp"
#include "random.hpp"
#include "systems/actions/blasts.hpp"
#include "systems/actions/defend.hpp"
#include "systems/actions/swing.hpp"
#include "systems/collision/collision_block.hpp"
#include "systems/collision/collision_detection.hpp"
#include "systems/collision/collision_movement.hpp"
#include "systems/collision/movement.hpp"
#include "systems/collision/spatial_hash.hpp"
#include "systems/debug/debug_collision.hpp"
#include "systems/debug/debug_hash.hpp"
#include "systems/debug/debug_heat.hpp"
#include "systems/debug/debug_inspection.hpp"
#include "systems/input/ai.hpp"
#include "systems/input/input_recorder.hpp"
#include "systems/input/player_input.hpp"
#include "systems/input/player_selector.hpp"
#include "systems/logic/attacks.hpp"
#include "systems/logic/block.hpp"
#include "systems/logic/doors.hpp"
#include "systems/logic/explosions.hpp"
#include "systems/logic/fuses.hpp"
#include "systems/logic/pickups.hpp"
#include "systems/logic/timed.hpp"
#include "systems/presentation/animation_renderer.hpp"
#include "systems/presentation/animations.hpp"
#include "systems/presentation/attachments.hpp"
#include "systems/presentation/audio.hpp"
#include "systems/presentation/effects.hpp"
#include "systems/presentation/fade.hpp"
#include "systems/presentation/figure_animation.hpp"
#include "systems/presentation/follow_camera.hpp"
#include "systems/presentation/hud.hpp"
#include "systems/presentation/lighting.hpp"
#include "systems/presentation/static_renderer.hpp"
#include "systems/presentation/wield.hpp"

namespace crate_room {

// One line adds one system. A system is given only data that the room owns, never another system, so the lines may
// stand in any order: priorities alone decide in which order systems run. The whole part of a priority is the phase of
// the frame; the fraction orders systems of one phase that depend on each other. Systems with equal priorities run in
// the order of their addition (rule S1) and must not depend on each other.
const std::vector<Room::Addition>& Room::all_systems() {
    static const std::vector<Addition> all{
        // Selection; then input and AI, which write Intents; then the actions. Swing comes before Defend, because a
        // figure that strikes cannot defend itself.
        [](Room& r) { r.add<PlayerSelector>(5, r.players_); },
        [](Room& r) { r.add<PlayerInput>(10, r.input); },
        [](Room& r) { r.add<Ai>(10, r.players_, r.input); },
        [](Room& r) { r.add<Swing>(20, r.tracking); },
        [](Room& r) { r.add<Defend>(20.1); },
        [](Room& r) { r.add<Blasts>(20.2); },
        // Movement and collision. SpatialHash comes after Movement and before the systems that search the grid.
        [](Room& r) { r.add<Movement>(40); },
        [](Room& r) { r.add<SpatialHash>(45, r.tracking, r.grid_); },
        [](Room& r) { r.add<CollisionDetection>(50, r.tracking, r.grid_, r.contacts_); },
        [](Room& r) { r.add<CollisionMovement>(60, r.contacts_, r.grid_); },
        [](Room& r) { r.add<CollisionBlock>(60, r.contacts_); },
        // Game logic. Attacks comes after CollisionBlock, which marks blocked attacks, and before Block, which removes
        // them. Stagger counts down what both have added. Pickups comes after the damage of Attacks.
        [](Room& r) { r.add<Attacks>(70, r.contacts_, r.grid_); },
        [](Room& r) { r.add<Block>(70.1); },
        [](Room& r) { r.add<Stagger>(70.2, r.tracking); },
        [](Room& r) { r.add<Doors>(70.3, r.contacts_, r.doors_); },
        [](Room& r) { r.add<Pickups>(70.3, r.contacts_); },
        // Components with a limited time. Fuses makes crates shake and explode, which Shudders counts down from the
        // next frame on, and Explosions from this frame on.
        [](Room& r) { r.add<DamagedFlashes>(75, r.tracking); },
        [](Room& r) { r.add<Shudders>(75, r.tracking); },
        [](Room& r) { r.add<Fuses>(75.1, r.tracking, r.grid_); },
        [](Room& r) { r.add<Explosions>(75.2, r.tracking); },
        [](Room& r) { r.add<Lifetimes>(75.3, r.tracking); },
        [](Room& r) { r.add<Deaths>(75.3, r.tracking); },
        // Presentation. An animation that FigureAnimation starts begins to run in the next frame. Wield follows it, and
        // Attachments the figures and Wield. Renderers come after all of them.
        [](Room& r) { r.add<FollowCamera>(80, r.view); },
        [](Room& r) { r.add<Animations>(81, r.tracking); },
        [](Room& r) { r.add<FigureAnimation>(82, r.tracking); },
        [](Room& r) { r.add<Wield>(83, r.tracking); },
        [](Room& r) { r.add<Attachments>(84, r.tracking); },
        [](Room& r) { r.add<Effects>(85, r.tracking); },
        [](Room& r) { r.add<StaticRenderer>(90, r.tracking, r.sprites_); },
        [](Room& r) { r.add<AnimationRenderer>(90, r.tracking, r.sprites_); },
        [](Room& r) { r.add<Lighting>(90, r.tracking); },
        [](Room& r) { r.add<Audio>(90, r.players_); },
        [](Room& r) { r.add<Hud>(95, r.atlas_, r.view, r.doors_); },
        [](Room& r) { r.add<DebugCollision>(100, r.atlas_, r.view, r.grid_); },
        [](Room& r) { r.add<DebugHash>(100, r.atlas_, r.view, r.grid_); },
        [](Room& r) { r.add<DebugInspection>(100, r.atlas_, r.input, r.grid_); },
        [](Room& r) { r.add<DebugHeat>(100, r.atlas_, r.view, r.tracking); },
        [](Room& r) { r.add<Fade>(110, r.atlas_); },
        [](Room& r) { r.add<InputRecorder>(120, r.recording_); },
    };
    return all;
}

Room::Room(ECS& ecs, const Atlas& atlas, std::span<const Addition> systems)
    : ecs_(ecs), atlas_(atlas), level_(ecs), recording_(ecs), sprites_(grid_, atlas) {
    describe_components();
    add_world_components(ecs);
    for (const Addition add_to : systems) add_to(*this);
    lighting_ = &ecs.get_system<Lighting>();
    audio_ = &ecs.get_system<Audio>();
    inspection_ = &ecs.get_system<DebugInspection>();
    heat_ = &ecs.get_system<DebugHeat>();

    std::vector<DebugHeat::Source> sources;
    for (const auto& [system, changes] : in_run_order()) {
        if (changes != nullptr) sources.push_back({system, changes});
    }
    heat_->set_sources(std::move(sources));
    const auto& hud = ecs.get_system<Hud>();
    room_overlays_ = {&ecs.get_system<DebugHash>().overlay(), &heat_->overlay(),
                      &ecs.get_system<DebugCollision>().overlay(), &inspection_->overlay()};
    screen_overlays_ = {&hud.overlay(), &ecs.get_system<Fade>().overlay(), &hud.words(), &heat_->legend()};
}

template <class S, class... Args>
void Room::add(double priority, Args&&... args) {
    S& system = ecs_.add_system<S>(priority, std::forward<Args>(args)...);
    FollowsChanges* changes = nullptr;
    if constexpr (std::is_base_of_v<FollowsChanges, S>) changes = &system;
    systems_.push_back({&system, changes});
}

Room::~Room() {
    for (const Added& added : systems_) ecs_.remove_system(*added.system);
}

void Room::begin(std::uint32_t seed, std::uint32_t crates, int guards, bool opening) {
    const Place first{.seed = seed, .crates = crates, .guards = guards, .opening = opening};
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
    ecs_.remove<MissedBlow>(ecs_.world());
    const auto& [run_seed, crates, guards, number, opening] = level_.place();
    const std::uint32_t seed = level_.room_seed();
    const std::uint32_t usual_guards = std::min({2 + number, 9u, 1 + crates / 60});
    Layout plan = plan_room(seed, crates, guards < 0 ? usual_guards : static_cast<std::uint32_t>(guards));
    if (opening) add_opening(plan, seed);
    ecs_.add<Extent>(ecs_.world(), {static_cast<float>(plan.width) * TILE, static_cast<float>(plan.height) * TILE});
    const Position at = ecs_.get<Position>(populate_room(ecs_, plan, seed));
    ecs_.add<Camera>(ecs_.world(), {at.x, at.y});  // in a new room the view starts at the player
    ecs_.get_system<FollowCamera>().show();
}

void Room::show_restored() {
    contacts_.clear();  // CollisionDetection may be disabled now
    heat_->on_clear();
    ecs_.get_system<SpatialHash>().show();
    ecs_.get_system<StaticRenderer>().show();
    ecs_.get_system<AnimationRenderer>().show();
    ecs_.get_system<Lighting>().show();
    ecs_.get_system<FollowCamera>().show();
    ecs_.get_system<Hud>().show();
    ecs_.get_system<Fade>().show();
    // Debug systems also run during a pause, but no update follows while the page shows a past moment.
    if (auto& boxes = ecs_.get_system<DebugCollision>(); boxes.enabled()) boxes.update(0);
    if (auto& cells = ecs_.get_system<DebugHash>(); cells.enabled()) cells.update(0);
}

double Room::begin_frame(double delta) {
    level_.update();
    if (const auto* missed = ecs_.try_get<MissedBlow>(ecs_.world()); missed != nullptr && !input.strike) {
        input.strike = true;
        input.aimed = missed->aimed;
        input.pointer_x = missed->pointer_x;
        input.pointer_y = missed->pointer_y;
    }
    recording_.begin_frame(delta, input);
    return delta;
}

void Room::end_frame(double delta) {
    if (delta == 0 && !ecs_.paused() && input.strike)
        ecs_.add<MissedBlow>(ecs_.world(), {input.aimed, input.pointer_x, input.pointer_y});
    else ecs_.remove<MissedBlow>(ecs_.world());
}

std::vector<Playback> Room::take_sounds() { return audio_->take(); }

std::uint64_t Room::state_hash() const {
    // A sum, so that the order of entities makes no difference.
    std::uint64_t sum = level_.place().number;
    for (const Entity e : ecs_.get_system<SpatialHash>().tracked().entities()) sum += hash_of(e) * 0x9E3779B97F4A7C15u;
    return sum;
}

std::uint32_t Room::hash_of(Entity e) const {
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
    if (const auto* animation = ecs_.try_get<Animation>(e)) mix(5, animation->first, bits(animation->time));
    if (const auto* shape = ecs_.try_get<CollisionShape>(e)) mix(6, bits(shape->angle), shape->kinds);
    if (const auto* swinging = ecs_.try_get<Swinging>(e)) mix(7, bits(swinging->age));
    mix_left(8, ecs_.try_get<Exploding>(e));
    mix_left(9, ecs_.try_get<Fuse>(e));
    mix_left(10, ecs_.try_get<Staggered>(e));
    mix_left(11, ecs_.try_get<DamagedFlash>(e));
    mix_left(12, ecs_.try_get<Dead>(e));
    return h;
}

const Room::Added* Room::find(std::string_view system) const {
    for (const Added& added : systems_) {
        if (added.system->name() == system) return &added;
    }
    return nullptr;
}

std::vector<Room::Added> Room::in_run_order() const {
    std::vector<Added> ordered = systems_;
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const Added& a, const Added& b) { return a.system->priority() < b.system->priority(); });
    return ordered;
}

std::size_t Room::visited(std::string_view system) const {
    const Added* added = find(system);
    if (added == nullptr || !added->system->enabled()) return 0;
    return added->changes != nullptr ? added->changes->visited() : added->system->tracked().size();
}

bool Room::set_enabled(std::string_view system, bool enabled) {
    const Added* added = find(system);
    if (added == nullptr) return false;
    if (enabled) ecs_.enable_system(*added->system);
    else ecs_.disable_system(*added->system);
    return true;
}

}  // namespace crate_room
