#pragma once
#include "draw/overlay.hpp"
#include "draw/view.hpp"
#include "spatial_grid.hpp"

namespace crate_room {

/// Draws the cells of the spatial grid, and in each the number of its entities.
class DebugHash final : public System<> {
public:
    DebugHash(const Atlas& atlas, const View& view, const SpatialGrid& grid)
        : System(true, true), overlay_(atlas), view_(view), grid_(grid) {
        require<Position>();
    }
    void on_disabled(Entities&) override { overlay_.clear(); }

    void update(double) override {
        constexpr float CELL = SpatialGrid::CELL;
        constexpr Colour LINE{120, 200, 220, 110};
        overlay_.clear();
        const float left = std::floor(view_.left() / CELL) * CELL;
        const float top = std::floor(view_.top() / CELL) * CELL;
        for (float x = left; x < view_.right(); x += CELL) overlay_.box(x, view_.top(), 1, view_.height, LINE);
        for (float y = top; y < view_.bottom(); y += CELL) overlay_.box(view_.left(), y, view_.width, 1, LINE);
        for (float y = top; y < view_.bottom(); y += CELL) {
            for (float x = left; x < view_.right(); x += CELL) {
                const std::size_t count = grid_.count_at(x + CELL / 2, y + CELL / 2);
                if (count > 0) overlay_.text(x + 3, y + 3, std::to_string(count), {170, 230, 245, 230});
            }
        }
    }

    [[nodiscard]] const Overlay& overlay() const noexcept { return overlay_; }

private:
    Overlay overlay_;
    const View& view_;
    const SpatialGrid& grid_;
};

}  // namespace crate_room
