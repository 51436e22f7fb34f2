// The C++ part: two component classes that TypeScript uses too, and a system.
#include <emscripten/bind.h>
#include <algorithm>
#include <crateful/guarded.hpp>

namespace {

struct Position {
    float y = 0;
};
struct Velocity {
    float y = 0;
};

/// Moves the boxes that have a velocity. A box at rest loses its velocity and costs nothing any more.
struct Physics : crateful::System<> {
    Physics() { require<Position, Velocity>(); }

    void update(double delta) override {
        const auto seconds = static_cast<float>(delta);
        for (auto [box, position, velocity] : ecs().query<const Position, const Velocity>()) {
            float speed = velocity.y - 8 * seconds;
            const float y = std::max(0.f, position.y + speed * seconds);
            if (y == 0) speed *= -0.5f;     // bounces with half of its speed
            ecs().set<Position>(box, {y});  // signals if the value differs
            if (y == 0 && speed < 2) ecs().remove<Velocity>(box);
            else ecs().set<Velocity>(box, {speed});
        }
    }
};

// TypeScript passes `ecs.raw` for a World.
void add_physics(crateful::World& world, double priority) { world.ecs().add_system<Physics>(priority); }

EMSCRIPTEN_BINDINGS(game) {
    crateful::describe_component<Position>("Position").field("y", &Position::y);
    crateful::describe_component<Velocity>("Velocity").field("y", &Velocity::y);
    emscripten::function("addPhysics(world, priority)", crateful::guarded<add_physics>);
}

}  // namespace
