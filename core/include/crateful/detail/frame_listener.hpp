#pragma once

namespace crateful::internal {

/// What is told when an update of an ECS has ended, in a list of such.
class FrameListener {
public:
    /// All systems have run, and what was marked is removed; nothing else runs. Or the ECS is being destroyed.
    virtual void frame_ended(bool destroyed) noexcept = 0;

    FrameListener* next = nullptr;

protected:
    ~FrameListener() = default;
};

}  // namespace crateful::internal
