#include "systems/input/ai.hpp"

#include <algorithm>
#include <cmath>

namespace crate_room {

void Ai::on_disabled(Entities& entities) {
    for (const auto [e, figure] : entities) ecs().modify<Intent>(e, [](Intent& i) { i = {}; });
}

void Ai::update(double delta, Entities& entities) {
    // Swing comes later in the frame, so this is the frame after the blow began.
    const Entity player = players_.any();
    if (player != NONE && ecs().has<Swinging>(player))
        ecs().modify<Story>(ecs().world(), [](Story& story) { story.provoked = true; });
    const auto& story = ecs().get<Story>(ecs().world());
    const bool passive = story.in_cutscene || input_.calm || !story.provoked;
    for (const auto [e, figure] : entities) {
        if (input_.calm) ecs().remove<Swinging>(e);
        const bool able = !passive && !figure.has<Dead>() && !figure.has<Staggered>();
        Guard guard = figure.get<Guard>();
        const Intent wanted = able ? think(figure, guard, static_cast<float>(delta)) : Intent{};
        guard.before = figure.get<Position>();
        ecs().modify<Guard>(e, [&](Guard& g) { g = guard; });
        if (figure.get<Intent>() != wanted) ecs().modify<Intent>(e, [&](Intent& i) { i = wanted; });
    }
}

Intent Ai::think(const Aspect& figure, Guard& guard, float seconds) {
    Intent wanted;
    const auto& at = figure.get<Position>();
    const Entity player = players_.nearest(at);
    if (player == NONE) return wanted;
    const auto& target = ecs().get<Position>(player);
    const float far = distance(at, target);
    guard.alarmed = far < (guard.alarmed ? LOSES_SIGHT : SIGHT);
    if (!guard.alarmed) return wanted;

    const auto run_down = [&](float& time) { time = std::max(0.0f, time - seconds); };
    run_down(guard.cooling);
    run_down(guard.defending);
    run_down(guard.sidestep);
    const float x = (target.x - at.x) / std::max(far, 0.001f);
    const float y = (target.y - at.y) / std::max(far, 0.001f);
    wanted.aim_x = x;
    wanted.aim_y = y;

    if (far < STRIKES_AT) {
        guard.stuck = 0;
        // A guard reacts to the player's blow with a probability that does not depend on the frame rate.
        const float reacts = 1 - std::pow(0.94f, 60 * seconds);
        if (guard.defending == 0 && guard.cooling > 0.25f && ecs().has<Swinging>(player) &&
            guard.random.between(0, 1) < reacts) {
            guard.defending = guard.random.between(0.5f, 1.1f);
        }
        wanted.defend = guard.defending > 0;
        if (!wanted.defend && guard.cooling == 0) {
            wanted.swing = true;
            guard.cooling = guard.random.between(0.9f, 1.7f);
        }
        return wanted;
    }

    const float progress = distance(at, guard.before);
    const bool slow = progress < 0.35f * figure.get<Figure>().speed * seconds;
    guard.stuck = slow ? guard.stuck + seconds : 0;
    if (guard.stuck > 0.35f) {  // walk around the obstacle, or strike it
        guard.stuck = 0;
        if (guard.random.between(0, 1) < 0.5f) {
            wanted.swing = true;
            return wanted;
        }
        guard.sidestep = guard.random.between(0.3f, 0.8f);
        guard.side = guard.random.between(0, 1) < 0.5f ? -1.0f : 1.0f;
    }
    wanted.aim_x = wanted.aim_y = 0;
    wanted.move_x = guard.sidestep > 0 ? -y * guard.side : x;
    wanted.move_y = guard.sidestep > 0 ? x * guard.side : y;
    return wanted;
}

}  // namespace crate_room
