#pragma once

namespace crateful {
class SystemBase;
}  // namespace crateful

namespace crateful::internal {

/// What is told how far an update of an ECS has come, in a list of such. It must not change the ECS.
class FrameListener {
public:
    /// Delayed events were delivered; the first system runs next.
    virtual void before_systems() noexcept {}
    /// A system has run; its changes are in the dirty sets.
    virtual void system_ran(const SystemBase& /*system*/) noexcept {}
    /// All systems have run, and what was marked is removed; nothing else runs. Or the ECS is being destroyed.
    virtual void frame_ended(bool destroyed) noexcept = 0;

    FrameListener* next = nullptr;

protected:
    ~FrameListener() = default;
};

}  // namespace crateful::internal
