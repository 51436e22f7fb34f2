#pragma once
#include <cmath>

#include "draw/frames.hpp"
#include "tracking.hpp"

namespace crate_room {

/// Chooses a figure's animation by its state. It watches components that it does not require: adding or removing them
/// makes the figure dirty.
class FigureAnimation final : public System<>, public FollowsChanges {
public:
    explicit FigureAnimation(const Tracking& tracking) : FollowsChanges(tracking) {
        require<Figure, Facing, Animation>();
        watch<Velocity, Facing, Swinging, Defending, Staggered, Dead>();
    }

    void update(double, Entities& entities, Dirty& dirty) override {
        each_changed(entities, dirty, [&](const Aspect& figure) { show(figure); });
    }

private:
    void show(const Aspect& figure) {
        const auto& facing = figure.get<Facing>();
        const bool sideways = std::abs(facing.x) > std::abs(facing.y);
        const Side side = sideways ? Side::side : facing.y < 0 ? Side::back : Side::front;
        const auto& now = figure.get<Animation>();
        Animation wanted = choose(figure, side);
        wanted.mirrored = sideways && facing.x < 0 && !figure.has<Dead>();
        wanted.shade = now.shade;
        if (frames::same_frames(now, wanted)) wanted.time = now.time;
        if (now != wanted) ecs().modify<Animation>(figure.entity(), [&](Animation& a) { a = wanted; });
    }
    [[nodiscard]] static Animation choose(const Aspect& figure, Side side) {
        const int set = figure.get<Figure>().team == Team::hero ? frames::HERO : frames::GUARD;
        if (figure.has<Dead>()) return frames::death(set);
        if (figure.has<Staggered>()) return frames::stagger(set, side);
        if (figure.has<Defending>()) return frames::defend(set, side);
        if (figure.has<Swinging>()) return frames::strike(set, side);
        const auto* velocity = figure.try_get<Velocity>();
        const bool walks = velocity != nullptr && (velocity->x != 0 || velocity->y != 0);
        return walks ? frames::walk(set, side) : frames::stand(set, side);
    }
};

}  // namespace crate_room
