#pragma once
#include <vector>

#include "systems/collision_detection.hpp"

namespace crate_room {

/// Whom an attack has met: nobody is hurt twice by the same blow.
struct Struck : crateful::Aspect {
    std::vector<crateful::Entity> met;
};

/// Events: a crate was hit for the last time; powder goes off at a place.
struct CrateSmashed {
    crateful::Entity crate;
    float x;
    float y;
};
struct Blast {
    float x;
    float y;
};
/// Event: somebody on that team was hurt.
struct FigureHurt {
    Team team;
};

/// Lets attacks that nobody blocked do harm: crates shudder or go to pieces, figures are thrown back.
class AttackSystem final : public crateful::System<Struck> {
public:
    AttackSystem(const CollisionDetection& detection, const SpatialHash& hash) : detection_(detection), hash_(hash) { require<Attack, Position>(); }
    [[nodiscard]] std::string name() const override { return "Attack"; }
    void update(double delta, crateful::Entities<Struck>& entities, crateful::DirtySet& dirty) override;

private:
    void hit_crate(crateful::Entity crate, std::uint8_t damage);
    void explode(crateful::Entity crate);
    void shudder(crateful::Entity crate, float seconds);
    void hit_figure(crateful::Entity figure, const Struck& attack);

    const CollisionDetection& detection_;
    const SpatialHash& hash_;
};

}  // namespace crate_room
