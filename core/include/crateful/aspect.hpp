#pragma once
#include "crateful/component.hpp"
#include "crateful/entity.hpp"

namespace crateful {

class ECS;

/// A system's view of one entity that it tracks, and the place for what that system alone wants to
/// remember of it: derive from it and name the class in `System<MyAspect>` (seed 5). It lives from
/// just before `on_add` until just after `on_remove`, and never moves.
class Aspect {
public:
    virtual ~Aspect() = default;
    Aspect() = default;
    Aspect(const Aspect&) = delete;
    Aspect& operator=(const Aspect&) = delete;

    [[nodiscard]] Entity entity() const noexcept { return entity_; }
    [[nodiscard]] ECS& ecs() const noexcept { return *ecs_; }

    /// The entity's component; throws `missing_component`. In `on_remove` every component is still
    /// there, also the one whose removal caused it (rule A2). O(1).
    template <class T>
    [[nodiscard]] const T& get() const;
    /// The entity's component, or nullptr.
    template <class T>
    [[nodiscard]] const T* try_get() const;
    /// Whether `try_get` would find every one of them.
    template <class... Ts>
    [[nodiscard]] bool has() const {
        return (... && (try_get<Ts>() != nullptr));
    }

private:
    friend class SystemBase;
    ECS* ecs_ = nullptr;
    Entity entity_ = NONE;
    bool leaving_ = false;
};

}  // namespace crateful
