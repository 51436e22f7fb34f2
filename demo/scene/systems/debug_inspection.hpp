#pragma once
#include "input.hpp"
#include "overlay.hpp"
#include "systems/spatial_hash.hpp"

namespace crate_room {

/// Marks the entity under the pointer, and puts a ring round the one that was picked.
class DebugInspection final : public crateful::System<> {
public:
    DebugInspection(const Atlas& atlas, const Input& input, const SpatialHash& hash);
    [[nodiscard]] std::string name() const override { return "DebugInspection"; }
    void on_clear() override { picked_ = pointed_ = crateful::NONE; }
    void on_disabled(crateful::Entities<crateful::Aspect>&) override;
    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet& dirty) override;

    /// The one that was picked, else the one under the pointer, or NONE.
    [[nodiscard]] crateful::Entity found() const {
        return ecs().alive(picked_) ? picked_ : ecs().alive(pointed_) ? pointed_ : crateful::NONE;
    }
    [[nodiscard]] bool picked() const { return ecs().alive(picked_); }
    [[nodiscard]] std::uint32_t runs() const noexcept { return runs_; }
    [[nodiscard]] const Overlay& overlay() const noexcept { return overlay_; }

private:
    [[nodiscard]] crateful::Entity at_pointer() const;

    Overlay overlay_;
    const Input& input_;
    const SpatialHash& hash_;
    crateful::Entity picked_ = crateful::NONE;
    crateful::Entity pointed_ = crateful::NONE;
    float turned_ = 0;
    std::uint32_t runs_ = 0;
};

}  // namespace crate_room
