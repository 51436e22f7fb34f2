#pragma once
#include "crateful/component.hpp"
#include "crateful/entity.hpp"

namespace crateful {

class ECS;

/// The object that one system keeps for one tracked entity (rules A1 to A4). To store data in it, derive a class and
/// name it in `System<MyAspect>`. An aspect is created before `on_add`, destroyed after `on_remove`, and never moves; one of this class
/// itself, which has no data, may be used for another entity then.
class Aspect {
public:
    virtual ~Aspect() = default;
    Aspect() = default;
    Aspect(const Aspect&) = delete;
    Aspect& operator=(const Aspect&) = delete;

    /// The entity that the system tracks.
    [[nodiscard]] Entity entity() const noexcept { return entity_; }
    /// The ECS of the system.
    [[nodiscard]] ECS& ecs() const noexcept { return *ecs_; }

    /// The entity's component. In `on_remove` every component can still be read, also the one that is removed
    /// (rule A2). Throws `missing_component`. O(1).
    template <class T>
    [[nodiscard]] const T& get() const;
    /// The same, but nullptr if the component is missing. O(1).
    template <class T>
    [[nodiscard]] const T* try_get() const;
    /// Whether `try_get` finds all of these components. O(classes).
    template <class... Ts>
    [[nodiscard]] bool has() const {
        return (... && (try_get<Ts>() != nullptr));
    }

private:
    friend class SystemBase;
    ECS* ecs_ = nullptr;
    Entity entity_ = NONE;
    bool reads_parked_ = false;  // set before `on_remove`
};

}  // namespace crateful
