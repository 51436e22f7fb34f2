#pragma once
#include <vector>

#include "draw/sprite_batch.hpp"
#include "tracking.hpp"

namespace crate_room {

/// An entity's quad and the progress of its animation. Only AnimationRenderer uses it, so it is in the aspect.
struct Playing : Aspect {
    static constexpr std::uint32_t NOT_RUNNING = 0xFFFFFFFFu;
    SpriteBatch::Slot slot = 0;
    Animation started;
    float time = 0;
    std::uint16_t step = 0;
    std::uint32_t running_at = NOT_RUNNING;  // where it is in the list of running animations
};

/// Draws entities with an Animation, which are most entities. It visits changed entities and, in addition, the list of
/// running animations: their next frame is no change of a component. A crate at rest has an animation of one frame, so
/// it is in neither.
class AnimationRenderer final : public System<Playing>, public FollowsChanges {
public:
    AnimationRenderer(const Tracking& tracking, SpriteBatch& sprites);
    void update(double delta, Entities& entities, Dirty& dirty) override;
    void on_add(Playing& playing) override;
    void on_remove(Playing& playing) override;

private:
    void start(Playing& playing);
    void stop(Playing& playing);
    void advance(Playing& playing, float seconds);
    void draw(const Playing& playing);

    SpriteBatch& sprites_;
    std::vector<Playing*> running_;
};

}  // namespace crate_room
