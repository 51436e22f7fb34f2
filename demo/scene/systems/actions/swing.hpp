#pragma once
#include "components.hpp"

namespace crate_room {

/// When a figure may strike again.
struct Arm : Aspect {
    float rest = 0;  ///< seconds
};

/// Performs the blows that figures intend: it turns the figure to its aim, adds Swinging, and after the wind-up creates
/// an attack entity for some frames.
class Swing final : public System<Arm> {
public:
    Swing() { require<Figure, Intent, Facing, Position>(); }
    void update(double delta, Entities& entities) override;
    void on_disabled(Entities& entities) override;

private:
    void begin(const Arm& arm);
    void advance(Arm& arm, float seconds);
    void strike(const Arm& arm);
};

/// The seconds from the start of a blow until it hits.
[[nodiscard]] float wind_up(Team team);
/// Turns a figure in the direction (x, y). The vector (0, 0) changes nothing.
void face(ECS& ecs, Entity e, float x, float y);

}  // namespace crate_room
