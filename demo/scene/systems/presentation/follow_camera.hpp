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
    FollowCamera(View& view, const Extent& extent) : view_(view), extent_(extent) { require<Player, Position>(); }
    void init() override {
        ecs().events.collect<CrateSmashed>();
        ecs().events.collect<FigureHurt>();
    }
    void on_enabled(Entities&) override { clear_inboxes(); }
    void on_clear() override { shake_ = 0, time_ = 0; }
    void on_add(Aspect& player) override {  // in a new room the view starts at the player
        const auto& at = player.get<Position>();
        x_ = at.x, y_ = at.y;
        set_view();
    }

    void update(double delta, Entities& entities) override {
        const auto seconds = static_cast<float>(delta);
        shake_ = shake_ < 0.05f ? 0 : shake_ * std::exp(-9 * seconds);
        for ([[maybe_unused]] const CrateSmashed& smashed : ecs().events.inbox<CrateSmashed>()) shake_ += 1.2f;
        for (const FigureHurt& hurt : ecs().events.inbox<FigureHurt>()) shake_ += hurt.team == Team::hero ? 2.5f : 0.8f;
        shake_ = std::min(shake_, 3.5f);
        clear_inboxes();
        time_ += seconds;
        for (const auto [e, player] : entities) {
            const auto& at = player.get<Position>();
            const float share = 1 - std::exp(-7 * seconds);
            // Near its target the view stops: while it stands still, no list of visible sprites is computed.
            x_ = std::abs(at.x - x_) < 0.05f ? at.x : x_ + (at.x - x_) * share;
            y_ = std::abs(at.y - y_) < 0.05f ? at.y : y_ + (at.y - y_) * share;
        }
        set_view();
    }

private:
    // No other system reads these events. While this system is disabled, they accumulate.
    void clear_inboxes() {
        ecs().events.inbox<CrateSmashed>().clear();
        ecs().events.inbox<FigureHurt>().clear();
    }
    void set_view() {
        view_.x = inside(x_, view_.width, 0, extent_.width) + shake_ * std::sin(time_ * 61);
        view_.y = inside(y_, view_.height, -Extent::ABOVE, extent_.height) + shake_ * std::cos(time_ * 47);
    }
    // The picture of the room extends from `low` to `high`; the view may show a little of the outside.
    [[nodiscard]] static float inside(float middle, float visible, float low, float high) {
        if (visible >= high - low) return (low + high) / 2;
        constexpr float OUTSIDE = TILE / 2;
        return std::clamp(middle, low - OUTSIDE + visible / 2, high + OUTSIDE - visible / 2);
    }

    View& view_;
    const Extent& extent_;
    float x_ = 0;
    float y_ = 0;
    float shake_ = 0;
    float time_ = 0;
};

}  // namespace crate_room
