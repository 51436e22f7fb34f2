#pragma once
#include "components.hpp"

namespace crate_room {

/// Holds up the shields of those who intend to defend themselves, and lowers them again.
class Defend final : public crateful::System<> {
public:
    Defend() { require<Figure, Intent, Facing, Position>(); }
    [[nodiscard]] std::string name() const override { return "Defend"; }
    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet& dirty) override;
    void on_remove(crateful::Aspect& figure) override;
    void on_disabled(crateful::Entities<crateful::Aspect>& entities) override;

private:
    void raise(crateful::Entity e);
    void hold(const crateful::Aspect& figure);
    void lower(crateful::Entity e);
};

}  // namespace crate_room
