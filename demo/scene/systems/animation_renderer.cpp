#include "systems/animation_renderer.hpp"

namespace crate_room {
namespace {

constexpr Colour HURT{255, 120, 110, 255};

// Brightness may change without the pictures starting over.
bool same_pictures(const Animation& a, const Animation& b) {
    return a.first == b.first && a.count == b.count && a.take == b.take && a.frames_per_second == b.frames_per_second &&
           a.repeats == b.repeats;
}

}  // namespace

AnimationRenderer::AnimationRenderer(const Tracking& tracking, SpriteBatch& sprites)
    : FollowsChanges(tracking), sprites_(sprites) {
    require<Position, Animation>();
    // A hurt figure looks different: that its flash came or went is a change as well.
    watch<Position, Animation, DamagedFlash>();
}

void AnimationRenderer::update(double delta, crateful::Entities<Playing>& entities, crateful::DirtySet& dirty) {
    for (std::size_t i = running_.size(); i-- > 0;)
        move_on(*running_[i], static_cast<float>(delta));  // backward: stopping moves the last one here
    each_changed(entities, dirty, [&](Playing& playing) {
        // Looking is not starting: with tracking off all are looked at, changed or not.
        if (!same_pictures(playing.get<Animation>(), playing.started)) start(playing);
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
    } else if (playing.place == Playing::NOT) {
        playing.place = static_cast<std::uint32_t>(running_.size());
        running_.push_back(&playing);
    }
}

void AnimationRenderer::stop(Playing& playing) {
    if (playing.place == Playing::NOT) return;
    running_[playing.place] = running_.back();
    running_[playing.place]->place = playing.place;
    running_.pop_back();
    playing.place = Playing::NOT;
}

void AnimationRenderer::move_on(Playing& playing, float seconds) {
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
