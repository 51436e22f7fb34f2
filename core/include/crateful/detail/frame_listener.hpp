#pragma once

namespace crateful {
class SystemBase;
}  // namespace crateful

namespace crateful::internal {

class StateExchange;

/// A listener that an ECS calls in each update, and when its state is exchanged; listeners form a list. It must not change the ECS.
class FrameListener {
public:
    /// Whether an update that would begin now belongs to the present frame (rule N7).
    [[nodiscard]] virtual bool stays() const noexcept { return false; }
    /// Called when an update begins, before time passes.
    virtual void before_update() noexcept {}
    /// Called after delayed events were delivered, before the first system runs.
    virtual void before_systems() noexcept {}
    /// Called when a system has run; its changes are in the dirty sets, or in the mark queue if it has thrown.
    virtual void system_ran(const SystemBase& /*system*/) noexcept {}
    /// All systems have run, and what was marked is removed; nothing else runs. Or the ECS is being destroyed.
    virtual void frame_ended(bool destroyed) noexcept = 0;

    /// The state becomes another one, by `restore` or a Rewind: entities that do not stay vanish, or are there only afterwards.
    virtual void before_exchange(const StateExchange& /*exchange*/) noexcept {}

    FrameListener* next = nullptr;

protected:
    ~FrameListener() = default;
};

}  // namespace crateful::internal
