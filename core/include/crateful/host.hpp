#pragma once
#include "crateful/component.hpp"
#include "crateful/entity.hpp"

namespace crateful {

/// What another language that shows a world's components as objects of its own has to hear of. Only
/// components flagged with `Storage::OBJECT` are reported, and entities flagged in their pool's table.
class Host {
public:
    virtual ~Host() = default;
    /// The entity's component is about to go, its value still in place. Where `final` is false, systems
    /// may read it until `component_gone`; else this is the only call.
    virtual void component_leaves(Entity e, ComponentId component, bool final) = 0;
    virtual void component_gone(Entity e, ComponentId component) = 0;
    /// An entity flagged as shown is going; of its components nothing is left.
    virtual void entity_gone(Entity e) = 0;
    /// Game time has moved on; delayed events of the host are due. May throw.
    virtual void time_advanced(double game_time) = 0;
    /// The world was cleared; events of the host are to go too.
    virtual void cleared() = 0;
};

}  // namespace crateful
