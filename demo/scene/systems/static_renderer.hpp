#pragma once
#include "sprite_batch.hpp"
#include "tracking.hpp"

namespace crate_room {

/// Where a renderer keeps an entity's quad.
struct SpriteSlot : crateful::Aspect {
    SpriteBatch::Slot slot = 0;
};

/// Draws what has no animation: walls, pillars, torches.
class StaticRenderer final : public crateful::System<SpriteSlot>, public FollowsChanges {
public:
    StaticRenderer(const Tracking& tracking, SpriteBatch& sprites) : FollowsChanges(tracking), sprites_(sprites) {
        require<Position, Sprite>();
        watch<Position, Sprite>();
    }
    [[nodiscard]] std::string name() const override { return "StaticRenderer"; }
    void update(double, crateful::Entities<SpriteSlot>& entities, crateful::DirtySet& dirty) override {
        each_changed(entities, dirty, [&](const SpriteSlot& slot) { draw(slot); });
    }
    void on_add(SpriteSlot& slot) override {
        slot.slot = sprites_.allocate(slot.entity());
        draw(slot);
    }
    void on_remove(SpriteSlot& slot) override { sprites_.release(slot.slot); }

private:
    void draw(const SpriteSlot& slot) {
        const auto& sprite = slot.get<Sprite>();
        const Colour colour{sprite.shade, sprite.shade, sprite.shade, 255};
        sprites_.write(
            slot.slot, slot.get<Position>(),
            {.frame = sprite.frame, .loop = sprite.loop, .colour = colour, .depth = static_cast<float>(sprite.depth)});
    }
    SpriteBatch& sprites_;
};

}  // namespace crate_room
