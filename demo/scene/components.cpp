#include "components.hpp"

#include <cstring>
#include <span>
#include <stdexcept>

#include "recording.hpp"

namespace crate_room {
namespace {

using crateful::describe_component;

std::vector<std::byte> encode_hits(const Hits& hits) {
    const auto bytes = std::as_bytes(std::span(hits.touched));
    return {bytes.begin(), bytes.end()};
}
Hits decode_hits(std::span<const std::byte> bytes) {
    Hits hits{std::vector<Entity>(bytes.size() / sizeof(Entity))};
    if (bytes.size() % sizeof(Entity) != 0) throw std::runtime_error("Hits: the bytes are no entities");
    if (!bytes.empty()) std::memcpy(hits.touched.data(), bytes.data(), bytes.size());
    return hits;
}

void describe_world() {
    describe_component<Place>("Place")
        .field("seed", &Place::seed)
        .field("crates", &Place::crates)
        .field("guards", &Place::guards)
        .field("number", &Place::number)
        .field("opening", &Place::opening);
    describe_component<Extent>("Extent").field("width", &Extent::width).field("height", &Extent::height);
    describe_component<Story>("Story")
        .field("provoked", &Story::provoked)
        .field("inCutscene", &Story::in_cutscene)
        .field("controlled", &Story::controlled)
        .field("leaving", &Story::leaving)
        .field("toNext", &Story::to_next);
    describe_component<MissedBlow>("MissedBlow")
        .field("aimed", &MissedBlow::aimed)
        .field("pointerX", &MissedBlow::pointer_x)
        .field("pointerY", &MissedBlow::pointer_y);
    describe_component<Camera>("Camera")
        .field("x", &Camera::x)
        .field("y", &Camera::y)
        .field("shake", &Camera::shake)
        .field("time", &Camera::time);
    describe_component<Darkness>("Darkness")
        .field("now", &Darkness::now)
        .field("wanted", &Darkness::wanted)
        .field("speed", &Darkness::speed);
    describe_component<Run>("Run")
        .field("seed", &Run::first, &Place::seed)
        .field("crates", &Run::first, &Place::crates)
        .field("guards", &Run::first, &Place::guards)
        .field("number", &Run::first, &Place::number)
        .field("opening", &Run::first, &Place::opening)
        .field("frames", &Run::frames)
        .field("replaying", &Run::replaying);
    describe_component<RecordedFrames>("RecordedFrames").codec<encode_frames, decode_frames>();
}

}  // namespace

void describe_components() {
    using crateful::Policy;
    static const bool once = [] {
        // Nearly all entities have Position, Animation, CollisionShape and Health. A slot for each entity index then
        // takes less memory than a sparse index (see memoryReport()). Crate stays sparse although `linear` would be
        // smaller, because its entities are listed often, and a sparse storage lists them without gaps.
        describe_component<Position>("Position")
            .field("x", &Position::x)
            .field("y", &Position::y)
            .policy(Policy::linear);
        describe_component<Animation>("Animation")
            .field("first", &Animation::first)
            .field("count", &Animation::count)
            .field("framesPerSecond", &Animation::frames_per_second)
            .field("repeats", &Animation::repeats)
            .field("mirrored", &Animation::mirrored)
            .field("shade", &Animation::shade)
            .field("time", &Animation::time)
            .policy(Policy::linear);
        describe_component<Sprite>("Sprite")
            .field("frame", &Sprite::frame)
            .field("loop", &Sprite::loop)
            .field("shade", &Sprite::shade)
            .field("depth", &Sprite::depth);
        describe_component<Light>("Light")
            .field("radius", &Light::radius)
            .field("r", &Light::r)
            .field("g", &Light::g)
            .field("b", &Light::b)
            .field("flickers", &Light::flickers);
        describe_component<Velocity>("Velocity").field("x", &Velocity::x).field("y", &Velocity::y);
        describe_component<CollisionShape>("CollisionShape")
            .field("halfWidth", &CollisionShape::half_width)
            .field("halfHeight", &CollisionShape::half_height)
            .field("angle", &CollisionShape::angle)
            .field("kinds", &CollisionShape::kinds)
            .policy(Policy::linear);
        describe_component<Figure>("Figure")
            .field("team", &Figure::team)
            .names({"none", "hero", "guards"})
            .field("speed", &Figure::speed)
            .field("damage", &Figure::damage)
            .field("rest", &Figure::rest);
        describe_component<Facing>("Facing").field("x", &Facing::x).field("y", &Facing::y);
        describe_component<Intent>("Intent")
            .field("moveX", &Intent::move_x)
            .field("moveY", &Intent::move_y)
            .field("aimX", &Intent::aim_x)
            .field("aimY", &Intent::aim_y)
            .field("swing", &Intent::swing)
            .field("defend", &Intent::defend);
        describe_component<Health>("Health")
            .field("now", &Health::now)
            .field("most", &Health::most)
            .policy(Policy::linear);
        describe_component<Player>("Player");
        describe_component<Guard>("Guard")
            .field("randomSeed", &Guard::random, &Random::seed)
            .field("randomCount", &Guard::random, &Random::count)
            .field("alarmed", &Guard::alarmed)
            .field("cooling", &Guard::cooling)
            .field("defending", &Guard::defending)
            .field("stuck", &Guard::stuck)
            .field("sidestep", &Guard::sidestep)
            .field("side", &Guard::side)
            .field("beforeX", &Guard::before, &Position::x)
            .field("beforeY", &Guard::before, &Position::y);
        describe_component<Local>("Local")
            .field("x", &Local::x)
            .field("y", &Local::y)
            .field("angle", &Local::angle)
            .field("layer", &Local::layer);
        describe_component<Angle>("Angle").field("radians", &Angle::radians);
        describe_component<Weapon>("Weapon").field("frame", &Weapon::frame);
        describe_component<Swinging>("Swinging").field("age", &Swinging::age).field("struck", &Swinging::struck);
        describe_component<Defending>("Defending").field("shield", &Defending::shield);
        describe_component<Attack>("Attack")
            .field("owner", &Attack::owner)
            .field("team", &Attack::team)
            .names({"none", "hero", "guards"})
            .field("damage", &Attack::damage);
        describe_component<Hits>("Hits").codec<encode_hits, decode_hits>();
        describe_component<Shield>("Shield").field("owner", &Shield::owner);
        describe_component<Blocked>("Blocked").field("shield", &Blocked::shield);
        describe_component<Staggered>("Staggered")
            .field("left", &Staggered::left)
            .field("pushX", &Staggered::push_x)
            .field("pushY", &Staggered::push_y);
        describe_component<DamagedFlash>("DamagedFlash").field("left", &DamagedFlash::left);
        describe_component<Dead>("Dead").field("left", &Dead::left);
        describe_component<Crate>("Crate").field("kind", &Crate::kind).field("powder", &Crate::powder);
        describe_component<Shuddering>("Shuddering").field("left", &Shuddering::left);
        describe_component<Fuse>("Fuse").field("left", &Fuse::left);
        describe_component<Exploding>("Exploding").field("left", &Exploding::left);
        describe_component<Smashed>("Smashed");
        describe_component<Lifetime>("Lifetime").field("left", &Lifetime::left);
        describe_component<Door>("Door").field("open", &Door::open);
        describe_component<Pickup>("Pickup").field("heals", &Pickup::heals);
        describe_component<Pooled>("Pooled").field("left", &Pooled::left);
        describe_world();
        return true;
    }();
    static_cast<void>(once);
}

void add_world_components(ECS& ecs) {
    const Entity world = ecs.world();
    ecs.add<Place>(world);
    ecs.add<Extent>(world);
    ecs.add<Story>(world);
    ecs.add<Camera>(world);
    ecs.add<Darkness>(world);
    ecs.add<Run>(world);
    ecs.add<RecordedFrames>(world);
}

}  // namespace crate_room
