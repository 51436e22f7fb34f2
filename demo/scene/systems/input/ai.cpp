#include "systems/input/ai.hpp"

#include <algorithm>
#include <cmath>

namespace crate_room {

void Ai::on_add(Mind& mind) {
    mind.random = Random(scramble(seed_, ++guards_));
    mind.before = mind.get<Position>();
}

void Ai::on_disabled(Entities& entities) {
    for (auto [e, mind] : entities) ecs().modify<Intent>(e, [](Intent& i) { i = {}; });
}

void Ai::update(double delta, Entities& entities) {
    // Swing comes later in the frame, so this is the frame after the blow began.
    const Entity player = players_.any();
    if (player != NONE && ecs().has<Swinging>(player)) provoked = true;
    const bool passive = in_cutscene || input_.calm || !provoked;
    for (auto [e, mind] : entities) {
        if (input_.calm) ecs().remove<Swinging>(e);
        const bool able = !passive && !mind.has<Dead>() && !mind.has<Staggered>();
        const Intent wanted = able ? think(mind, static_cast<float>(delta)) : Intent{};
        mind.before = mind.get<Position>();
        if (mind.get<Intent>() != wanted) ecs().modify<Intent>(e, [&](Intent& i) { i = wanted; });
    }
}

Intent Ai::think(Mind& mind, float seconds) {
    Intent wanted;
    const auto& at = mind.get<Position>();
    const Entity player = players_.nearest(at);
    if (player == NONE) return wanted;
    const auto& target = ecs().get<Position>(player);
    const float far = distance(at, target);
    mind.alarmed = far < (mind.alarmed ? LOSES_SIGHT : SIGHT);
    if (!mind.alarmed) return wanted;

    const auto run_down = [&](float& time) { time = std::max(0.0f, time - seconds); };
    run_down(mind.cooling);
    run_down(mind.defending);
    run_down(mind.sidestep);
    const float x = (target.x - at.x) / std::max(far, 0.001f);
    const float y = (target.y - at.y) / std::max(far, 0.001f);
    wanted.aim_x = x;
    wanted.aim_y = y;

    if (far < STRIKES_AT) {
        mind.stuck = 0;
        // A guard reacts to the player's blow with a probability that does not depend on the frame rate.
        const float reacts = 1 - std::pow(0.94f, 60 * seconds);
        if (mind.defending == 0 && mind.cooling > 0.25f && ecs().has<Swinging>(player) &&
            mind.random.between(0, 1) < reacts) {
            mind.defending = mind.random.between(0.5f, 1.1f);
        }
        wanted.defend = mind.defending > 0;
        if (!wanted.defend && mind.cooling == 0) {
            wanted.swing = true;
            mind.cooling = mind.random.between(0.9f, 1.7f);
        }
        return wanted;
    }

    const float progress = distance(at, mind.before);
    const bool slow = progress < 0.35f * mind.get<Figure>().speed * seconds;
    mind.stuck = slow ? mind.stuck + seconds : 0;
    if (mind.stuck > 0.35f) {  // walk around the obstacle, or strike it
        mind.stuck = 0;
        if (mind.random.between(0, 1) < 0.5f) {
            wanted.swing = true;
            return wanted;
        }
        mind.sidestep = mind.random.between(0.3f, 0.8f);
        mind.side = mind.random.between(0, 1) < 0.5f ? -1.0f : 1.0f;
    }
    wanted.aim_x = wanted.aim_y = 0;
    wanted.move_x = mind.sidestep > 0 ? -y * mind.side : x;
    wanted.move_y = mind.sidestep > 0 ? x * mind.side : y;
    return wanted;
}

}  // namespace crate_room
