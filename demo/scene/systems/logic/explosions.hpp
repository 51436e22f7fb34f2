#pragma once
#include <string_view>

#include "spatial_grid.hpp"
#include "tracking.hpp"

namespace crate_room {

/// Event: a crate bursts.
struct CrateSmashed {
    static constexpr std::string_view type_name = "CrateSmashed";
    float x;
    float y;
};

/// Makes a crate shake for that time. No effect if it already shakes for longer.
void shudder(ECS& ecs, Entity crate, float seconds);
/// Makes a crate burst; the crates near it shake.
void explode(ECS& ecs, const SpatialGrid& grid, Entity crate);

/// Fades the light of bursting crates and removes them when their time is over. Some crates leave a heart.
class Explosions final : public System<> {
public:
    explicit Explosions(const Tracking& tracking) : tracking_(tracking) { require<Exploding, Light, Position>(); }
    void update(double delta, Entities& entities) override;

private:
    void leave_heart(Position at);
    const Tracking& tracking_;
};

}  // namespace crate_room
