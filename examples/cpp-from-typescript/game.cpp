// The C++ part: two component classes that TypeScript uses too, and a system.
#include <emscripten/bind.h>
#include <algorithm>
#include <crateful/world.hpp>

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

    void update(double delta, Entities& entities) override {
        const auto seconds = static_cast<float>(delta);
        for (auto [entity, box] : entities) {
            float speed = box.get<Velocity>().y - 8 * seconds;
            const float before = box.get<Position>().y;
            const float y = before + speed * seconds;
            // modify() signals, so call it only if the value changes.
            if (const float after = std::max(0.f, y); after != before)
                ecs().modify<Position>(entity, [&](Position& position) { position.y = after; });
            if (y <= 0) speed *= -0.5f;  // bounces with half of its speed
            if (y <= 0 && speed < 2) ecs().remove<Velocity>(entity);
            else ecs().modify<Velocity>(entity, [&](Velocity& velocity) { velocity.y = speed; });
        }
    }
};

// TypeScript passes `ecs.raw` for a World.
void add_physics(crateful::World& world, double priority) { world.ecs().add_system<Physics>(priority); }

EMSCRIPTEN_BINDINGS(game) {
    crateful::describe_component<Position>("Position").field("y", &Position::y);
    crateful::describe_component<Velocity>("Velocity").field("y", &Velocity::y);
    emscripten::function("addPhysics(world, priority)", &add_physics);
}

}  // namespace
