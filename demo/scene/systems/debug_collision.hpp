#pragma once
#include "overlay.hpp"
#include "systems/spatial_hash.hpp"
#include "view.hpp"

namespace crate_room {

/// Draws the collision shapes that are in view, coloured by what they are. Debug systems live on while the
/// game is paused; these start disabled, and take their drawings away when they are disabled again (seed 4).
class DebugCollision final : public crateful::System<> {
public:
    DebugCollision(const Atlas& atlas, const View& view, const SpatialHash& hash)
        : System(true, true), overlay_(atlas), view_(view), hash_(hash) {
        require<Position, CollisionShape>();
    }
    [[nodiscard]] std::string name() const override { return "DebugCollision"; }
    void on_disabled(crateful::Entities<crateful::Aspect>&) override { overlay_.clear(); }

    void update(double, crateful::Entities<crateful::Aspect>&, crateful::DirtySet&) override {
        overlay_.clear();
        hash_.each_near(view_.left() - TILE, view_.top() - TILE, view_.right() + TILE, view_.bottom() + TILE,
                        [&](crateful::Entity e) {
                            const auto* shape = ecs().try_get<CollisionShape>(e);
                            if (shape == nullptr) return;
                            const auto& at = ecs().get<Position>(e);
                            overlay_.turned_outline(at.x, at.y, shape->half_width, shape->half_height, shape->angle, 1,
                                                    colour(shape->kinds));
                        });
    }

    [[nodiscard]] const Overlay& overlay() const noexcept { return overlay_; }

private:
    [[nodiscard]] static Colour colour(std::uint8_t kinds) noexcept {
        if ((kinds & ATTACK) != 0) return {255, 70, 60, 255};
        if ((kinds & SHIELD) != 0) return {90, 170, 255, 255};
        if ((kinds & MOBILE) != 0) return {255, 230, 90, 255};
        if ((kinds & SENSOR) != 0) return {200, 120, 255, 255};
        if ((kinds & VULNERABLE) != 0) return {110, 230, 130, 200};
        return {150, 160, 190, 200};
    }
    Overlay overlay_;
    const View& view_;
    const SpatialHash& hash_;
};

}  // namespace crate_room
