#pragma once
#include "overlay.hpp"
#include "systems/spatial_hash.hpp"
#include "view.hpp"

namespace crate_room {

/// Draws the cells of the spatial hash, and in each how many entities it holds.
class DebugHash final : public crateful::System<> {
public:
    DebugHash(const Atlas& atlas, const View& view, const SpatialHash& hash)
        : System(true, true), overlay_(atlas), view_(view), hash_(hash) {
        require<Position>();
    }
    [[nodiscard]] std::string name() const override { return "DebugHash"; }
    void on_disabled(crateful::Entities<crateful::Aspect>&) override { overlay_.clear(); }

    void update(double, crateful::Entities<crateful::Aspect>&, crateful::DirtySet&) override {
        constexpr float CELL = SpatialHash::CELL;
        constexpr Colour LINE{120, 200, 220, 110};
        overlay_.clear();
        const float left = std::floor(view_.left() / CELL) * CELL;
        const float top = std::floor(view_.top() / CELL) * CELL;
        for (float x = left; x < view_.right(); x += CELL) overlay_.box(x, view_.top(), 1, view_.height, LINE);
        for (float y = top; y < view_.bottom(); y += CELL) overlay_.box(view_.left(), y, view_.width, 1, LINE);
        for (float y = top; y < view_.bottom(); y += CELL) {
            for (float x = left; x < view_.right(); x += CELL) {
                const std::size_t count = hash_.count_at(x + CELL / 2, y + CELL / 2);
                if (count > 0) overlay_.text(x + 3, y + 3, std::to_string(count), {170, 230, 245, 230});
            }
        }
    }

    [[nodiscard]] const Overlay& overlay() const noexcept { return overlay_; }

private:
    Overlay overlay_;
    const View& view_;
    const SpatialHash& hash_;
};

}  // namespace crate_room
