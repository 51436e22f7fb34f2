#pragma once
#include <vector>

#include "components.hpp"
#include "tracking.hpp"

namespace crate_room {

/// How far an entity's animation has come: nobody else's business, so it lives in the aspect.
struct Playing : crateful::Aspect {
    static constexpr std::uint32_t NOT = 0xFFFFFFFFu;
    Animation started;
    float time = 0;
    std::uint32_t place = NOT;  // in the list of those that run
};

/// Plays animations. A changed Animation starts; only those that run are advanced. A crate at rest is
/// an animation of one frame, and not among them.
class Animator final : public crateful::System<Playing>, public FollowsChanges {
public:
    explicit Animator(const Tracking& tracking);
    [[nodiscard]] std::string name() const override { return "Animator"; }
    void update(double delta, crateful::Entities<Playing>& entities, crateful::DirtySet& dirty) override;
    void on_add(Playing& playing) override;
    void on_remove(Playing& playing) override;

private:
    void start(Playing& playing);
    void stop(Playing& playing);
    void show(Playing& playing, int step);

    std::vector<Playing*> running_;
};

}  // namespace crate_room
