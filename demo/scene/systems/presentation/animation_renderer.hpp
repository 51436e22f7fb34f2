#pragma once
#include "draw/sprite_batch.hpp"
#include "tracking.hpp"

namespace crate_room {

/// Draws entities with an Animation, which are most entities. A crate at rest has an animation of one frame, which does
/// not change.
class AnimationRenderer final : public System<SpriteSlot>, public FollowsChanges {
public:
    AnimationRenderer(const Tracking& tracking, SpriteBatch& sprites);
    void update(double delta, Entities& entities, Dirty& dirty) override;
    void on_add(SpriteSlot& it) override;
    void on_remove(SpriteSlot& it) override;
    /// Does what `update` does, at once.
    void show() { update(0, entities(), dirty_set()); }

private:
    void draw(const SpriteSlot& it);

    SpriteBatch& sprites_;
};

}  // namespace crate_room
