#pragma once
#include <vector>

#include "systems/collision_detection.hpp"

namespace crate_room {

/// Whom an attack has met: nobody is hurt twice by the same blow.
struct Struck : crateful::Aspect {
    std::vector<crateful::Entity> met;
};

/// Event: somebody on that team was hurt.
struct FigureHurt {
    Team team;
};

/// Lets attacks that nobody blocked do harm: crates shudder or go to pieces, figures are thrown back.
class Attacks final : public crateful::System<Struck> {
public:
    Attacks(const CollisionDetection& detection, const SpatialHash& hash) : detection_(detection), hash_(hash) {
        require<Attack, Position>();
    }
    [[nodiscard]] std::string name() const override { return "Attack"; }
    void update(double delta, crateful::Entities<Struck>& entities, crateful::DirtySet& dirty) override;

private:
    void hit_crate(crateful::Entity crate, const Attack& attack);
    void hit_figure(crateful::Entity figure, const Struck& attack);

    const CollisionDetection& detection_;
    const SpatialHash& hash_;
};

}  // namespace crate_room
