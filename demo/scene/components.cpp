#include "components.hpp"

namespace crate_room {

void describe_components() {
    using crateful::describe_component;
    static const bool once = [] {
        // Everything in the room has these two: a slot for each entity costs less than an index.
        describe_component<Position>("Position").field("x", &Position::x).field("y", &Position::y)
            .policy(crateful::Policy::linear);
        describe_component<Sprite>("Sprite").field("frame", &Sprite::frame).field("glow", &Sprite::glow)
            .field("shade", &Sprite::shade).field("mirrored", &Sprite::mirrored)
            .policy(crateful::Policy::linear);
        describe_component<Velocity>("Velocity").field("x", &Velocity::x).field("y", &Velocity::y);
        describe_component<Solid>("Solid").field("halfWidth", &Solid::half_width).field("halfHeight", &Solid::half_height);
        describe_component<Animation>("Animation").field("first", &Animation::first).field("count", &Animation::count);
        describe_component<Breakable>("Breakable").field("hits", &Breakable::hits);
        describe_component<Exploding>("Exploding").field("left", &Exploding::left);
        describe_component<Player>("Player").field("facingX", &Player::facing_x).field("facingY", &Player::facing_y)
            .field("blows", &Player::blows);
        return true;
    }();
    static_cast<void>(once);
}

}  // namespace crate_room
