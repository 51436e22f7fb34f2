#include "systems/presentation/animation_renderer.hpp"

namespace crate_room {
namespace {

constexpr Colour HURT{255, 120, 110, 255};

}  // namespace

AnimationRenderer::AnimationRenderer(const Tracking& tracking, SpriteBatch& sprites)
    : FollowsChanges(tracking), sprites_(sprites) {
    require<Position, Animation>();
    // A damaged figure has another colour, so adding or removing a DamagedFlash is a change, too. It is not required.
    watch<Position, Animation, DamagedFlash>();
}

void AnimationRenderer::update(double, Entities& entities, Dirty& dirty) {
    each_changed(entities, dirty, [&](const SpriteSlot& it) { draw(it); });
}

void AnimationRenderer::on_add(SpriteSlot& it) {
    it.slot = sprites_.allocate(it.entity());
    draw(it);
}

void AnimationRenderer::on_remove(SpriteSlot& it) { sprites_.release(it.slot); }

void AnimationRenderer::draw(const SpriteSlot& it) {
    const auto& animation = it.get<Animation>();
    const Colour shaded{animation.shade, animation.shade, animation.shade, 255};
    sprites_.write(it.slot, it.get<Position>(),
                   {.frame = frames::current(animation),
                    .mirrored = animation.mirrored,
                    .colour = it.has<DamagedFlash>() ? HURT : shaded});
}

}  // namespace crate_room
