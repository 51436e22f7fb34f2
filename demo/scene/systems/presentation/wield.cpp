#include "systems/presentation/wield.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "draw/frames.hpp"
#include "systems/actions/swing.hpp"

namespace crate_room {
namespace {

constexpr float PI = std::numbers::pi_v<float>;
constexpr float SWEEP = 0.1f;  // seconds from the raised weapon to the end of a blow; half of them before it hits

/// How a weapon is held by a figure that is not mirrored: the pixel of the hand, relative to the figure's position.
struct Hold {
    float x = 0;
    float y = 0;
    float angle = 0;
    bool in_front = false;
};
using Sides = std::array<Hold, 3>;  // front, back, side

constexpr Sides HERO_CARRIES{{{-4, -4, -2.0f, false}, {3, -4, -1.1f, true}, {0, -4, -2.5f, false}}};
constexpr Sides GUARD_CARRIES{{{-8, -4, -1.75f, true}, {7, -4, -1.4f, true}, {-4, -2, 2.7f, true}}};
constexpr Sides FLUNG{{{6, -5, -0.9f}, {6, -6, -0.8f}, {-7, -6, -2.3f}}};
// Standing, kneeling, falling, lying.
constexpr std::array<Hold, frames::DEATH_STEPS> DROPPED{
    {{6, -7, -0.75f, true}, {5, -1, 0.1f, true}, {3, 5, 0.25f, true}, {4, 8, 0, true}}};

Hold between(const Hold& from, const Hold& to, float t) {
    return {std::lerp(from.x, to.x, t), std::lerp(from.y, to.y, t),
            from.angle + t * std::remainder(to.angle - from.angle, 2 * PI), to.in_front};
}

// The arm turns around the shoulder. It is raised from where the weapon was carried, then swept down.
Hold strike(const Hold& carried, int side, Team team, float time) {
    const bool aside = side == static_cast<int>(Side::side);
    const float end = std::array{PI / 2, -PI / 2, 0.25f}[static_cast<std::size_t>(side)];
    const float raised = end - (aside ? 2.0f : 1.9f);
    const auto arm = [&](float angle) {
        return Hold{(aside ? 1.0f : 0.0f) + 3 * std::cos(angle), -5 + 3 * std::sin(angle), angle,
                    side != static_cast<int>(Side::back)};
    };
    const float sweeps = wind_up(team) - SWEEP / 2;
    if (time < sweeps) return between(carried, arm(raised), std::min(1.0f, time / sweeps * 1.5f));
    const float left = 1 - std::min(1.0f, (time - sweeps) / SWEEP);
    return arm(std::lerp(end, raised, left * left));  // fast at first, as the trail that the figure's picture contains
}

Hold hold(const Animation& animation, Team team) {
    using namespace frames;
    const float time = animation.time;
    const int n = animation.first - (team == Team::hero ? HERO : GUARD);
    const auto& carries = team == Team::hero ? HERO_CARRIES : GUARD_CARRIES;
    const auto carried = [&](int side) { return carries[static_cast<std::size_t>(side)]; };
    if (n >= figure::DEATH) {
        const float step = std::min(time * animation.frames_per_second, DEATH_STEPS - 1.0f);
        const auto at = std::min(static_cast<std::size_t>(step), DROPPED.size() - 2);
        return between(DROPPED[at], DROPPED[at + 1], step - static_cast<float>(at));
    }
    if (n >= figure::STAGGER) return FLUNG[static_cast<std::size_t>(n - figure::STAGGER)];
    if (n >= figure::DEFEND) {
        const int side = n - figure::DEFEND;
        Hold behind_shield = carried(side);
        behind_shield.in_front = side == static_cast<int>(Side::back);
        return behind_shield;
    }
    if (n >= figure::STRIKE) {
        const int side = (n - figure::STRIKE) / STRIKE_STEPS;
        return strike(carried(side), side, team, time);
    }
    Hold walking = carried(n / WALK_STEPS);
    // The body moves down by a pixel in every other picture.
    if (animation.count > 1 && static_cast<int>(time * animation.frames_per_second) % 2 == 1) walking.y += 1;
    return walking;
}

Local local(const Hold& hold, bool mirrored) {
    // Whole pixels, so that the weapon and the figure are rounded to the same pixels of the screen.
    const float x = std::round(hold.x) + 0.5f;
    const float y = std::round(hold.y) + 0.5f;
    return {mirrored ? -x : x, y, mirrored ? PI - hold.angle : hold.angle, hold.in_front ? 0.5f : -0.5f};
}

}  // namespace

Wield::Wield(const Tracking& tracking) : FollowsChanges(tracking) {
    require<Weapon, Local, Parent>();
    watch_ancestors<Animation>();
}

void Wield::update(double, Entities& entities, Dirty& dirty) {
    each_changed(entities, dirty, [&](const Aspect& weapon) {
        const Entity figure = weapon.get<Parent>().entity();
        const auto& animation = ecs().get<Animation>(figure);
        const Team team = ecs().get<Figure>(figure).team;
        ecs().set<Local>(weapon.entity(), local(hold(animation, team), animation.mirrored));
        if (frames::is_running(animation)) dirty.keep(weapon.entity());
    });
}

}  // namespace crate_room
