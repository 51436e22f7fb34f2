#pragma once
#include <vector>

#include "sprite_batch.hpp"
#include "tracking.hpp"

namespace crate_room {

/// An entity's quad, and how far its animation has come: nobody else's business, so it lives in the aspect.
struct Playing : crateful::Aspect {
    static constexpr std::uint32_t NOT = 0xFFFFFFFFu;
    SpriteBatch::Slot slot = 0;
    Animation started;
    float time = 0;
    std::uint16_t step = 0;
    std::uint32_t place = NOT;  // in the list of those that run
};

/// Draws what has an animation, which is nearly everything. What changed is drawn anew; an animation that
/// runs moves on without anything being dirty. A crate at rest is an animation of one picture, and
/// neither.
class AnimationRenderer final : public crateful::System<Playing>, public FollowsChanges {
public:
    AnimationRenderer(const Tracking& tracking, SpriteBatch& sprites);
    [[nodiscard]] std::string name() const override { return "AnimationRenderer"; }
    void update(double delta, crateful::Entities<Playing>& entities, crateful::DirtySet& dirty) override;
    void on_add(Playing& playing) override;
    void on_remove(Playing& playing) override;

private:
    void start(Playing& playing);
    void stop(Playing& playing);
    void move_on(Playing& playing, float seconds);
    void draw(const Playing& playing);

    SpriteBatch& sprites_;
    std::vector<Playing*> running_;
};

}  // namespace crate_room
