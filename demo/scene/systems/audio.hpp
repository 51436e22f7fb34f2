#pragma once
#include <array>
#include <vector>

#include "sounds.hpp"
#include "systems/player_selector.hpp"

namespace crate_room {

/// Chooses what is heard of all the noise: the nearest, and of each kind only so many in one frame.
class Audio final : public crateful::System<> {
public:
    explicit Audio(PlayerSelector& players);
    [[nodiscard]] std::string name() const override { return "Audio"; }
    void init() override { static_cast<void>(ecs().events.inbox<Noise>()); }
    void on_clear() override { queue_.clear(); }
    void on_enabled(crateful::Entities<crateful::Aspect>&) override { ecs().events.inbox<Noise>().clear(); }
    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet& dirty) override;

    /// What is to be played since the last call.
    [[nodiscard]] std::vector<Playback> take() { return std::exchange(queue_, {}); }

private:
    PlayerSelector& players_;
    std::vector<Playback> queue_;
};

}  // namespace crate_room
