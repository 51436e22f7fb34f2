#pragma once
#include "draw/overlay.hpp"
#include "draw/view.hpp"
#include "spatial_grid.hpp"

namespace crate_room {

/// Draws the visible collision shapes, coloured by kind, and a line from each figure to what it holds. As a debug system it also runs while the game is paused (rule
/// S5). It starts disabled, and removes its drawings when it is disabled again.
class DebugCollision final : public System<> {
public:
    DebugCollision(const Atlas& atlas, const View& view, const SpatialGrid& grid)
        : System(true, true), overlay_(atlas), view_(view), grid_(grid) {
        require<Position, CollisionShape>();
    }
    void on_disabled(Entities&) override { overlay_.clear(); }

    void update(double) override {
        overlay_.clear();
        grid_.each_near(view_.left() - TILE, view_.top() - TILE, view_.right() + TILE, view_.bottom() + TILE,
                        [&](Entity e) {
                            const auto& at = ecs().get<Position>(e);
                            if (const Entity holder = ecs().parent(e); holder != NONE)
                                link(at, ecs().get<Position>(holder));
                            const auto* shape = ecs().try_get<CollisionShape>(e);
                            if (shape == nullptr) return;
                            overlay_.rotated_outline(at.x, at.y, shape->half_width, shape->half_height, shape->angle, 1,
                                                     colour(shape->kinds));
                        });
    }

    [[nodiscard]] const Overlay& overlay() const noexcept { return overlay_; }

private:
    void link(const Position& held, const Position& holder) {
        overlay_.line(holder.x, holder.y, held.x, held.y, 1, HELD);
        overlay_.outline(held.x - 1.5f, held.y - 1.5f, 3, 3, 1, HELD);
    }
    static constexpr Colour HELD{90, 240, 230, 255};
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
    const SpatialGrid& grid_;
};

}  // namespace crate_room
