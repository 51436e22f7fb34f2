#pragma once
#include "crateful/entity.hpp"

namespace crateful {

/// A reference to an entity of which the ECS keeps the reverse (rule C15): `ecs.linked<Targeting>(enemy)` are the entities whose
/// component refers to `enemy`, and when `enemy` is removed, these members become NONE, with a signal. It is the type of a member
/// that `describe_component` names:
///
///     struct Targeting { Link target; };
///     describe_component<Targeting>("Targeting").field("target", &Targeting::target);
///
/// A change is known after a signal: use `add`, `set`, `modify` or `change`.
struct Link {
    Entity entity = NONE;

    constexpr Link() noexcept = default;
    constexpr Link(Entity e) noexcept : entity(e) {}               // NOLINT(google-explicit-constructor)
    constexpr operator Entity() const noexcept { return entity; }  // NOLINT(google-explicit-constructor)
    friend constexpr bool operator==(Link a, Link b) noexcept { return a.entity == b.entity; }
    friend constexpr bool operator==(Link a, Entity b) noexcept { return a.entity == b; }
};

}  // namespace crateful
