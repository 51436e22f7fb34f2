#pragma once
#include <cstdint>

#include "crateful/component.hpp"
#include "crateful/entity.hpp"

namespace crateful {

/// The listener for a language that keeps objects for the components of an ECS. Components are reported only if their
/// slot has the flag `Storage::HAS_OBJECT`, entities only with the flag `EntityPool::NOTIFIES_REMOVAL`.
class Host {
public:
    virtual ~Host() = default;
    /// The component is about to be removed or replaced; its value is still in its slot. If `final` is false, systems
    /// may read it until `component_destroyed` is called; otherwise this is the only call for the component.
    virtual void component_detached(Entity e, ComponentId component, bool final) = 0;
    /// The value of a detached component can no longer be read.
    virtual void component_destroyed(Entity e, ComponentId component) = 0;
    /// The entity is about to be destroyed; its components already are.
    virtual void entity_destroyed(Entity e) = 0;
    /// The control block of a storage has changed: an array is at another address, or the number of watchers differs.
    virtual void storage_changed(ComponentId component) noexcept = 0;
    /// The entity's component is about to be removed from a storage whose `Control::cursors` is not 0, or it and all others are
    /// about to be sorted. Afterwards, components can be in other slots.
    virtual void slots_change(Entity e, ComponentId component) noexcept = 0;
    /// Nothing uses the string with this number any more, which another one can have from now on.
    virtual void string_freed(std::uint32_t number) noexcept = 0;
    /// Game time was advanced to `game_time` (in seconds): delayed events of the host may be due. May throw.
    virtual void time_advanced(double game_time) = 0;
    /// The ECS was cleared: the host has to remove its queued events and transient subscriptions (rule K1).
    virtual void cleared() = 0;
};

}  // namespace crateful
