// Boxes fall, bounce and come to rest. The renderer prints only the boxes that moved.
#include <algorithm>
#include <crateful/ecs.hpp>
#include <cstdio>
#include <utility>

// Any movable type is a component class.
struct Position {
    float y = 0;
};
struct Velocity {
    float y = 0;
};
struct Name {
    const char* text = "";
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

/// Prints the boxes that changed since its last run. It does not run while nothing changed.
struct Renderer : crateful::System<> {
    Renderer() {
        require<Position, Name>();
        watch<Position>();
        only_when_dirty();
    }
    int runs = 0;

    void update(double, Entities& entities, Dirty& dirty) override {
        std::printf("%g s:", ecs().game_time());
        const char* separator = " ";
        for (const crateful::Entity entity : dirty) {
            const crateful::Aspect& box = entities.get(entity);
            std::printf("%s%s at %g", separator, box.get<Name>().text, box.get<Position>().y);
            separator = ", ";
        }
        std::printf("\n");
        ++runs;
    }
};

int main() {
    crateful::ECS ecs;
    ecs.add_system<Physics>(10);  // lower priorities run first
    const Renderer& renderer = ecs.add_system<Renderer>(90);

    const std::pair<const char*, float> boxes[] = {{"a", 4.f}, {"b", 1.f}, {"c", 0.f}};
    for (const auto& [name, y] : boxes) {
        const crateful::Entity box = ecs.add_entity();
        ecs.add<Name>(box, {name});
        ecs.add<Position>(box, {y});
        if (y > 0) ecs.add<Velocity>(box);
    }

    const int frames = 10;
    for (int frame = 0; frame < frames; ++frame) ecs.update(0.25);
    std::printf("The renderer ran in %d of %d frames.\n", renderer.runs, frames);
}
