#pragma once
// What a program and its plugin share. Both are compiled with -fvisibility=hidden.
#include "crateful/ecs.hpp"

#define PLUGIN_SHARED __attribute__((visibility("default")))

struct PLUGIN_SHARED Position {
    double x = 0;
};
struct PLUGIN_SHARED Hit {
    int points = 0;
};
struct PLUGIN_SHARED Mover : crateful::System<> {
    Mover() { require<Position>(); }
    void update(double delta, Entities& entities) override {
        for (const crateful::Entity e : entities.ids()) ecs().modify<Position>(e, [&](Position& p) { p.x += delta; });
    }
};

// Without an attribute, so that their symbols are hidden, and each of the two has its own.
namespace game {
struct Hidden {
    int value = 0;
};
struct HiddenHit {
    int points = 0;
};
struct HiddenMover : crateful::System<> {
    HiddenMover() { require<Hidden>(); }
    void update(double) override {}
};
}  // namespace game

/// Functions of the plugin.
PLUGIN_SHARED double read_position(const crateful::ECS& ecs, crateful::Entity e);
PLUGIN_SHARED void dispatch_hit(crateful::ECS& ecs);
PLUGIN_SHARED Mover& find_mover(const crateful::ECS& ecs);
PLUGIN_SHARED void use_hidden(crateful::ECS& ecs, crateful::Entity e);
PLUGIN_SHARED void use_another(crateful::ECS& ecs, crateful::Entity e);
PLUGIN_SHARED void dispatch_another(crateful::ECS& ecs);
