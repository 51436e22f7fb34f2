#pragma once
#include <array>
#include <vector>

#include "group.hpp"
#include "sounds.hpp"

namespace crate_room {

/// Chooses which sounds are played: the ones nearest to the player, and of each kind at most three per frame.
class Audio final : public System<> {
public:
    explicit Audio(const Group& players);
    void init() override { ecs().events.collect<Noise>(); }
    void on_clear() override { queue_.clear(); }
    void on_enabled(Entities&) override { ecs().events.inbox<Noise>().clear(); }
    void update(double delta) override;

    /// Returns the sounds chosen since the last call, and empties the queue.
    [[nodiscard]] std::vector<Playback> take() { return std::exchange(queue_, {}); }

private:
    const Group& players_;
    std::vector<Playback> queue_;
};

}  // namespace crate_room
