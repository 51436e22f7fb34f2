#pragma once
#include "tracking.hpp"

namespace crate_room {

/// Performs the blows that figures intend: it turns the figure to its aim, adds Swinging, and after the wind-up creates
/// an attack entity for some frames.
class Swing final : public System<> {
public:
    explicit Swing(const Tracking& tracking) : tracking_(tracking) { require<Figure, Intent, Facing, Position>(); }
    void update(double delta, Entities& entities) override;
    void on_disabled(Entities& entities) override;

private:
    void set_rest(Entity e, float seconds);
    void begin(const Aspect& figure);
    void advance(const Aspect& figure, float seconds);
    void strike(const Aspect& figure);
    const Tracking& tracking_;
};

/// The seconds from the start of a blow until it hits.
[[nodiscard]] float wind_up(Team team);
/// Turns a figure in the direction (x, y). The vector (0, 0) changes nothing.
void face(ECS& ecs, Entity e, float x, float y);

}  // namespace crate_room
