#pragma once

namespace crateful::internal {

/// What is told when an update of an ECS has ended, in a list that contains itself.
class FrameListener {
public:
    /// All systems have run, and what was marked is removed; nothing else runs.
    virtual void frame_ended() noexcept = 0;

    FrameListener* next = nullptr;
    bool attached = true;  ///< the ECS exists

protected:
    ~FrameListener() = default;
};

}  // namespace crateful::internal
