#pragma once
#include "draw/frames.hpp"
#include "tracking.hpp"

namespace crate_room {

/// Lets the time of animations pass. An animation stays dirty while it is running (rule D12), so at rest this visits
/// nothing. The next frame of an animation is a change of it, which makes its entity dirty for the systems that draw.
class Animations final : public System<>, public FollowsChanges {
public:
    explicit Animations(const Tracking& tracking) : FollowsChanges(tracking), tracking_(tracking) {
        require<Animation>();
        watch<Animation>();
    }
    void update(double delta, Entities& entities, Dirty& dirty) override {
        auto& all = ecs().storage<Animation>();
        each_changed(entities, dirty, [&](const Aspect& aspect) {
            const Entity e = aspect.entity();
            Animation& animation = all.at(all.slot(e));
            if (!frames::is_running(animation)) return;
            const std::uint16_t before = frames::current(animation);
            animation.time += static_cast<float>(delta);
            dirty.keep(e);
            if (frames::current(animation) != before || tracking_.record_times) ecs().dirty<Animation>(e);
        });
    }

private:
    const Tracking& tracking_;
};

}  // namespace crate_room
