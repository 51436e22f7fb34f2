#include "components.hpp"

namespace crate_room {

void describe_components() {
    using crateful::describe_component;
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
            .policy(Policy::linear);
        describe_component<Sprite>("Sprite")
            .field("frame", &Sprite::frame)
            .field("loop", &Sprite::loop)
            .field("shade", &Sprite::shade);
        describe_component<Light>("Light").field("radius", &Light::radius);
        describe_component<Velocity>("Velocity").field("x", &Velocity::x).field("y", &Velocity::y);
        describe_component<CollisionShape>("CollisionShape")
            .field("halfWidth", &CollisionShape::half_width)
            .field("halfHeight", &CollisionShape::half_height)
            .field("angle", &CollisionShape::angle)
            .field("kinds", &CollisionShape::kinds)
            .policy(Policy::linear);
        describe_component<Figure>("Figure").field("speed", &Figure::speed).field("damage", &Figure::damage);
        describe_component<Facing>("Facing").field("x", &Facing::x).field("y", &Facing::y);
        describe_component<Intent>("Intent")
            .field("moveX", &Intent::move_x)
            .field("moveY", &Intent::move_y)
            .field("swing", &Intent::swing)
            .field("defend", &Intent::defend);
        describe_component<Health>("Health")
            .field("now", &Health::now)
            .field("most", &Health::most)
            .policy(Policy::linear);
        describe_component<Player>("Player");
        describe_component<Guard>("Guard");
        describe_component<Local>("Local")
            .field("x", &Local::x)
            .field("y", &Local::y)
            .field("angle", &Local::angle)
            .field("layer", &Local::layer);
        describe_component<Angle>("Angle").field("radians", &Angle::radians);
        describe_component<Weapon>("Weapon").field("frame", &Weapon::frame);
        describe_component<Swinging>("Swinging").field("age", &Swinging::age);
        describe_component<Defending>("Defending").field("shield", &Defending::shield);
        describe_component<Attack>("Attack").field("owner", &Attack::owner).field("damage", &Attack::damage);
        describe_component<Shield>("Shield").field("owner", &Shield::owner);
        describe_component<Blocked>("Blocked").field("shield", &Blocked::shield);
        describe_component<Staggered>("Staggered").field("left", &Staggered::left);
        describe_component<DamagedFlash>("DamagedFlash").field("left", &DamagedFlash::left);
        describe_component<Dead>("Dead").field("left", &Dead::left);
        describe_component<Crate>("Crate").field("kind", &Crate::kind).field("powder", &Crate::powder);
        describe_component<Shuddering>("Shuddering").field("left", &Shuddering::left);
        describe_component<Fuse>("Fuse").field("left", &Fuse::left);
        describe_component<Exploding>("Exploding").field("left", &Exploding::left);
        describe_component<Lifetime>("Lifetime").field("left", &Lifetime::left);
        describe_component<Door>("Door").field("open", &Door::open);
        describe_component<Pickup>("Pickup").field("heals", &Pickup::heals);
        describe_component<Pooled>("Pooled").field("left", &Pooled::left);
        return true;
    }();
    static_cast<void>(once);
}

}  // namespace crate_room
