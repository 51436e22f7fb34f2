#pragma once
#include "components.hpp"

namespace crate_room {

/// When a figure may deal its next blow.
struct Arm : crateful::Aspect {
    float rest = 0;
};

/// Deals the blows that figures intend: first the swing, then for some frames a box that hurts. Also turns
/// a figure to where it strikes.
class Swing final : public crateful::System<Arm> {
public:
    Swing() { require<Figure, Intent, Facing, Position>(); }
    [[nodiscard]] std::string name() const override { return "Swing"; }
    void update(double delta, crateful::Entities<Arm>& entities, crateful::DirtySet& dirty) override;
    void on_disabled(crateful::Entities<Arm>& entities) override;

private:
    void begin(const Arm& arm);
    void go_on(Arm& arm, float seconds);
    void strike(const Arm& arm);
};

/// Turns a figure; (0, 0) leaves it as it is.
void face(crateful::ECS& ecs, crateful::Entity e, float x, float y);

}  // namespace crate_room
