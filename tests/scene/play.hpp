#pragma once
// A crate room without a screen, and helpers to play it.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <span>

#include "room.hpp"
#include "systems/debug/debug_heat.hpp"
#include "systems/debug/debug_inspection.hpp"
#include "systems/presentation/lighting.hpp"

namespace crate_room {

/// All frames of the atlas, one transparent pixel each, at different places; these tests do not need the pictures.
inline const Atlas& blank_atlas() {
    static const Atlas atlas = [] {
        Atlas a{.width = 16, .height = 16, .pixels = std::vector<std::uint8_t>(16 * 16 * 4), .frames = {}};
        for (std::uint16_t i = 0; i < frames::COUNT; ++i) a.frames.push_back({.x = i, .width = 1, .height = 1});
        return a;
    }();
    return atlas;
}

class Game {
public:
    static constexpr double FRAME = 1.0 / 60;

    explicit Game(std::uint32_t crates = 200, int guards = 0, std::uint32_t seed = 3,
                  std::span<const Room::Addition> systems = Room::all_systems())
        : room(ecs, blank_atlas(), systems) {
        room.view = {.width = 400, .height = 250};
        room.begin(seed, crates, guards);
    }

    /// One frame, run as the page and the native program do.
    double frame(double delta = FRAME) {
        delta = room.begin_frame(delta);
        if (room.level().due()) {
            ecs.clear();
            room.enter();
            ++rooms_entered;
        }
        const double effective = ecs.update(delta);
        room.end_frame(effective);
        return effective;
    }
    void frames(int n) {
        for (int i = 0; i < n; ++i) frame();
    }
    /// Runs frames until `holds()` is true. Returns false if it is not within 600 frames.
    [[nodiscard]] bool until(const std::function<bool()>& holds) {
        for (int i = 0; i < 600; ++i) {
            if (holds()) return true;
            frame();
        }
        return holds();
    }

    [[nodiscard]] Entity player() const { return room.player(); }
    [[nodiscard]] Position at(Entity e) const { return ecs.get<Position>(e); }
    void put(Entity e, Position where) {
        ecs.modify<Position>(e, [&](Position& p) { p = where; });
    }
    template <class C>
    [[nodiscard]] std::vector<Entity> all() {
        const auto entities = ecs.storage<C>().entities();
        return {entities.begin(), entities.end()};
    }
    /// The crate nearest to the player of those for which `fits` is true.
    [[nodiscard]] Entity crate(const std::function<bool(const Crate&)>& fits = [](const Crate&) { return true; }) {
        Entity found = NONE;
        float least = 0;
        for (const Entity e : all<Crate>()) {
            const float d = std::hypot(at(e).x - at(player()).x, at(e).y - at(player()).y);
            if (fits(ecs.get<Crate>(e)) && (found == NONE || d < least)) found = e, least = d;
        }
        return found;
    }
    /// Removes the other crates around this one, and places the player below it, facing it.
    void stand_below(Entity target) {
        clear_around(at(target));
        put(player(), {at(target).x, at(target).y + 14});
        ecs.modify<Facing>(player(), [](Facing& f) { f = {0, -1}; });
        frame();
    }
    void clear_around(Position where, float reach = 60) {
        for (const Entity e : all<Crate>()) {
            const bool self = at(e).x == where.x && at(e).y == where.y;
            if (!self && std::hypot(at(e).x - where.x, at(e).y - where.y) < reach) ecs.remove_entity(e);
        }
        frame();
    }
    /// A figure of the guards' team without AI.
    Entity dummy(Position where, std::uint8_t health = 2) {
        const Entity e = ecs.add_entity();
        ecs.add<Position>(e, where);
        ecs.add<Velocity>(e);
        ecs.add<Facing>(e);
        ecs.add<Intent>(e);
        ecs.add<Health>(e, {health, health});
        ecs.add<CollisionShape>(e, {.half_width = 5, .half_height = 5, .kinds = MOBILE | VULNERABLE});
        ecs.add<Animation>(e);
        ecs.add<Figure>(e, {.team = Team::guards, .speed = 46, .damage = 1});
        return e;
    }

    ECS ecs;
    Room room;
    int rooms_entered = 0;
};

}  // namespace crate_room
