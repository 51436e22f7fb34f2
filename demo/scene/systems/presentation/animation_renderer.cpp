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

void AnimationRenderer::update(double delta, Entities& entities, Dirty& dirty) {
    // Backward, because stop() moves the last element to the position of the stopped one.
    for (std::size_t i = running_.size(); i-- > 0;) advance(*running_[i], static_cast<float>(delta));
    each_changed(entities, dirty, [&](Playing& playing) {
        // Animations that did not change must not restart: with tracking off they are visited as well.
        if (!frames::same_frames(playing.get<Animation>(), playing.started)) start(playing);
        draw(playing);
    });
}

void AnimationRenderer::on_add(Playing& playing) {
    playing.slot = sprites_.allocate(playing.entity());
    start(playing);
    draw(playing);
}

void AnimationRenderer::on_remove(Playing& playing) {
    stop(playing);
    sprites_.release(playing.slot);
}

void AnimationRenderer::start(Playing& playing) {
    playing.started = playing.get<Animation>();
    playing.time = 0;
    playing.step = 0;
    if (playing.started.count <= 1) {
        stop(playing);
    } else if (playing.running_at == Playing::NOT_RUNNING) {
        playing.running_at = static_cast<std::uint32_t>(running_.size());
        running_.push_back(&playing);
    }
}

void AnimationRenderer::stop(Playing& playing) {
    if (playing.running_at == Playing::NOT_RUNNING) return;
    running_[playing.running_at] = running_.back();
    running_[playing.running_at]->running_at = playing.running_at;
    running_.pop_back();
    playing.running_at = Playing::NOT_RUNNING;
}

void AnimationRenderer::advance(Playing& playing, float seconds) {
    const Animation& a = playing.started;
    playing.time += seconds;
    int step = static_cast<int>(playing.time * static_cast<float>(a.frames_per_second));
    if (step >= a.count && !a.repeats) {
        step = a.count - 1;
        stop(playing);
    }
    step %= a.count;
    if (step == playing.step) return;
    playing.step = static_cast<std::uint16_t>(step);
    draw(playing);
}

void AnimationRenderer::draw(const Playing& playing) {
    const auto& animation = playing.get<Animation>();
    const Colour shaded{animation.shade, animation.shade, animation.shade, 255};
    sprites_.write(playing.slot, playing.get<Position>(),
                   {.frame = static_cast<std::uint16_t>(playing.started.first + playing.step),
                    .mirrored = animation.mirrored,
                    .colour = playing.has<DamagedFlash>() ? HURT : shaded});
}

}  // namespace crate_room
