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

/// Functions of the plugin.
PLUGIN_SHARED double read_position(const crateful::ECS& ecs, crateful::Entity e);
PLUGIN_SHARED void dispatch_hit(crateful::ECS& ecs);
PLUGIN_SHARED Mover& find_mover(const crateful::ECS& ecs);
