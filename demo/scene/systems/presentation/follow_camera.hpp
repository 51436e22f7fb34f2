#pragma once
#include <algorithm>
#include <cmath>

#include "components.hpp"
#include "draw/view.hpp"
#include "systems/logic/attacks.hpp"
#include "systems/logic/explosions.hpp"

namespace crate_room {

/// Moves the view smoothly to the player and keeps it inside the room. A room that is narrower or lower than the view is
/// centred in that direction. Bursting crates and damage shake the view.
class FollowCamera final : public System<> {
public:
    explicit FollowCamera(View& view) : view_(view) { require<Player, Position>(); }
    void init() override {
        ecs().events.collect<CrateSmashed>();
        ecs().events.collect<FigureHurt>();
    }
    void on_enabled(Entities&) override { clear_inboxes(); }

    void update(double delta, Entities& entities) override {
        const auto seconds = static_cast<float>(delta);
        Camera camera = ecs().get<Camera>(ecs().world());
        auto& [x, y, shake, time] = camera;
        shake = shake < 0.05f ? 0 : shake * std::exp(-9 * seconds);
        for ([[maybe_unused]] const CrateSmashed& smashed : ecs().events.inbox<CrateSmashed>()) shake += 1.2f;
        for (const FigureHurt& hurt : ecs().events.inbox<FigureHurt>()) shake += hurt.team == Team::hero ? 2.5f : 0.8f;
        shake = std::min(shake, 3.5f);
        clear_inboxes();
        time += seconds;
        for (const auto [e, player] : entities) {
            const auto& at = player.get<Position>();
            const float share = 1 - std::exp(-7 * seconds);
            // Near its target the view stops: while it stands still, no list of visible sprites is computed.
            x = std::abs(at.x - x) < 0.05f ? at.x : x + (at.x - x) * share;
            y = std::abs(at.y - y) < 0.05f ? at.y : y + (at.y - y) * share;
        }
        ecs().set<Camera>(ecs().world(), camera);
        show();
    }
    /// Moves the view to the camera.
    void show() {
        const auto& [x, y, shake, time] = ecs().get<Camera>(ecs().world());
        const auto& [width, height] = ecs().get<Extent>(ecs().world());
        view_.x = inside(x, view_.width, 0, width) + shake * std::sin(time * 61);
        view_.y = inside(y, view_.height, -Extent::ABOVE, height) + shake * std::cos(time * 47);
    }

private:
    // No other system reads these events. While this system is disabled, they accumulate.
    void clear_inboxes() {
        ecs().events.inbox<CrateSmashed>().clear();
        ecs().events.inbox<FigureHurt>().clear();
    }
    // The picture of the room extends from `low` to `high`; the view may show a little of the outside.
    [[nodiscard]] static float inside(float middle, float visible, float low, float high) {
        if (visible >= high - low) return (low + high) / 2;
        constexpr float OUTSIDE = TILE / 2;
        return std::clamp(middle, low - OUTSIDE + visible / 2, high + OUTSIDE - visible / 2);
    }

    View& view_;
};

}  // namespace crate_room
