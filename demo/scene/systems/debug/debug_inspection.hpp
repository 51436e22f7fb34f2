#pragma once
#include "draw/overlay.hpp"
#include "input.hpp"
#include "spatial_grid.hpp"

namespace crate_room {

/// Marks the entity under the pointer, and draws a ring around the picked entity.
class DebugInspection final : public System<> {
public:
    DebugInspection(const Atlas& atlas, const Input& input, const SpatialGrid& grid);
    void on_clear() override { picked_ = pointed_ = NONE; }
    void on_disabled(Entities&) override;
    void update(double delta) override;

    /// The picked entity, otherwise the entity under the pointer, or NONE.
    [[nodiscard]] Entity found() const {
        return ecs().alive(picked_) ? picked_ : ecs().alive(pointed_) ? pointed_ : NONE;
    }
    [[nodiscard]] bool picked() const { return ecs().alive(picked_); }
    [[nodiscard]] std::uint32_t runs() const noexcept { return runs_; }
    [[nodiscard]] const Overlay& overlay() const noexcept { return overlay_; }

private:
    [[nodiscard]] Entity at_pointer() const;

    Overlay overlay_;
    const Input& input_;
    const SpatialGrid& grid_;
    Entity picked_ = NONE;
    Entity pointed_ = NONE;
    float angle_ = 0;  // of the ring
    std::uint32_t runs_ = 0;
};

}  // namespace crate_room
