#pragma once
#include "draw/sprite_batch.hpp"
#include "tracking.hpp"

namespace crate_room {

/// Draws entities without an animation: walls, pillars, torches, weapons.
class StaticRenderer final : public System<SpriteSlot>, public FollowsChanges {
public:
    StaticRenderer(const Tracking& tracking, SpriteBatch& sprites) : FollowsChanges(tracking), sprites_(sprites) {
        require<Position, Sprite>();
        watch<Position, Sprite>();
    }
    void update(double, Entities& entities, Dirty& dirty) override {
        each_changed(entities, dirty, [&](const SpriteSlot& it) { draw(it); });
    }
    void on_add(SpriteSlot& it) override {
        it.slot = sprites_.allocate(it.entity());
        draw(it);
    }
    void on_remove(SpriteSlot& it) override { sprites_.release(it.slot); }
    /// Does what `update` does, at once.
    void show() { update(0, entities(), dirty_set()); }

private:
    void draw(const SpriteSlot& it) {
        const auto& sprite = it.get<Sprite>();
        const Colour colour{sprite.shade, sprite.shade, sprite.shade, 255};
        sprites_.write(it.slot, it.get<Position>(),
                       {.frame = sprite.frame, .loop = sprite.loop, .colour = colour, .depth = sprite.depth});
    }
    SpriteBatch& sprites_;
};

}  // namespace crate_room
