#pragma once
#include "components.hpp"

namespace crate_room {

/// Raises, holds and lowers the shields of figures whose Intent says so.
class Defend final : public System<> {
public:
    Defend() { require<Figure, Intent, Facing, Position>(); }
    void update(double delta, Entities& entities) override;
    void on_disabled(Entities& entities) override;

private:
    void raise(Entity e);
    void hold(const Aspect& figure);
    void lower(Entity e);
};

}  // namespace crate_room
