#pragma once
#include "systems/blasts.hpp"
#include "systems/explosions.hpp"
#include "systems/timebombs.hpp"

namespace crate_room {

/// Lets powder go off when its fuse has burnt.
class Fuses final : public Timebomb<Fuse> {
public:
    explicit Fuses(const SpatialHash& hash) : hash_(hash) {}
    [[nodiscard]] std::string name() const override { return "Fuses"; }

private:
    void ended(crateful::Entity e) override {
        const Position at = ecs().get<Position>(e);
        ecs().remove<Fuse>(e);
        explode(ecs(), hash_, e);
        ecs().events.dispatch(Blast{at.x, at.y});
    }
    const SpatialHash& hash_;
};

}  // namespace crate_room
