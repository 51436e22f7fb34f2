#pragma once
#include "components.hpp"
#include "recording.hpp"

namespace crate_room {

/// Adds the input of this frame to the recording. It runs last, and inside the update, so that the state after an update contains the
/// frame: `Rewind` goes to such states. It does not run in frames without game time, which cannot have changed the game.
class InputRecorder final : public System<> {
public:
    explicit InputRecorder(Recording& recording) : recording_(recording) { require_none(); }
    void update(double delta) override {
        recording_.end_frame(delta);
        ecs().remove<MissedBlow>(ecs().world());
    }

private:
    Recording& recording_;
};

}  // namespace crate_room
