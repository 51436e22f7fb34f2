#include "animator.hpp"

namespace crate_room {

Animator::Animator(const Tracking& tracking) : FollowsChanges(tracking) {
    require<Sprite, Animation>();
    watch<Animation>();
}

void Animator::update(double delta, crateful::Entities<Playing>& entities, crateful::DirtySet& dirty) {
    each_changed(entities, dirty, [&](Playing& playing) {
        // Looking is not starting: with tracking off all are looked at, changed or not.
        if (playing.get<Animation>() != playing.started) start(playing);
    });
    for (std::size_t i = running_.size(); i-- > 0;) {  // backward: stopping moves the last one here
        Playing& playing = *running_[i];
        const Animation& a = playing.started;
        playing.time += static_cast<float>(delta);
        int step = static_cast<int>(playing.time * static_cast<float>(a.frames_per_second));
        if (step >= a.count && !a.repeats) {
            step = a.count - 1;
            stop(playing);
        }
        show(playing, step % a.count);
    }
}

void Animator::on_add(Playing& playing) { start(playing); }
void Animator::on_remove(Playing& playing) { stop(playing); }

void Animator::start(Playing& playing) {
    playing.started = playing.get<Animation>();
    playing.time = 0;
    if (playing.started.count <= 1) {
        stop(playing);
    } else if (playing.place == Playing::NOT) {
        playing.place = static_cast<std::uint32_t>(running_.size());
        running_.push_back(&playing);
    }
    show(playing, 0);
}

void Animator::stop(Playing& playing) {
    if (playing.place == Playing::NOT) return;
    running_[playing.place] = running_.back();
    running_[playing.place]->place = playing.place;
    running_.pop_back();
    playing.place = Playing::NOT;
}

void Animator::show(Playing& playing, int step) {
    const auto frame = static_cast<std::uint16_t>(playing.started.first + step);
    if (playing.get<Sprite>().frame == frame) return;
    ecs().modify<Sprite>(playing.entity(), [&](Sprite& s) { s.frame = frame; });
}

}  // namespace crate_room
