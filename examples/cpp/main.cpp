// Boxes fall, bounce and come to rest. The renderer prints only the boxes that moved.
#include <algorithm>
#include <crateful/ecs.hpp>
#include <cstdio>

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

/// Prints the boxes that changed since its last run. It does not run while nothing changed.
struct Renderer : crateful::System<> {
    Renderer() {
        require<Position, Name>();
        watch<Position>();
        only_when_dirty();
    }
    int runs = 0;

    void update(double, Entities&, Dirty& dirty) override {
        std::printf("%g s:", ecs().game_time());
        const char* separator = " ";
        for (auto [box, position, name] : ecs().query<const Position, const Name>().of(dirty)) {
            std::printf("%s%s at %g", separator, name.text, position.y);
            separator = ", ";
        }
        std::printf("\n");
        ++runs;
    }
};

int main() {
    crateful::ECS ecs;
    ecs.add_system<Physics>(10);  // lower priorities run first
    const auto& renderer = ecs.add_system<Renderer>(90);

    ecs.add_entity(Name{"a"}, Position{4}, Velocity{});
    ecs.add_entity(Name{"b"}, Position{1}, Velocity{});
    ecs.add_entity(Name{"c"}, Position{0});

    const int frames = 10;
    for (int frame = 0; frame < frames; ++frame) ecs.update(0.25);
    std::printf("The renderer ran in %d of %d frames.\n", renderer.runs, frames);
}
