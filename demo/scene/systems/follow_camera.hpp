#pragma once
#include <algorithm>
#include <cmath>

#include "systems/attack.hpp"
#include "systems/explosions.hpp"
#include "view.hpp"

namespace crate_room {

/// Keeps the view on the player, softly, and inside the room; crates and powder that go off shake it.
class FollowCamera final : public crateful::System<> {
public:
    FollowCamera(View& view, const Extent& extent) : view_(view), extent_(extent) { require<Player, Position>(); }
    [[nodiscard]] std::string name() const override { return "FollowCamera"; }
    void init() override { forget(); }
    void on_enabled(crateful::Entities<crateful::Aspect>&) override { forget(); }
    void on_clear() override { shake_ = 0, time_ = 0; }
    void on_add(crateful::Aspect& player) override {  // a new room is not panned to
        const auto& at = player.get<Position>();
        x_ = at.x, y_ = at.y;
        look();
    }

    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet&) override {
        const auto seconds = static_cast<float>(delta);
        shake_ = shake_ < 0.05f ? 0 : shake_ * std::exp(-9 * seconds);
        for ([[maybe_unused]] const CrateSmashed& smashed : ecs().events.inbox<CrateSmashed>()) shake_ += 1.2f;
        for (const FigureHurt& hurt : ecs().events.inbox<FigureHurt>()) shake_ += hurt.team == Team::hero ? 2.5f : 0.8f;
        shake_ = std::min(shake_, 3.5f);
        forget();
        time_ += seconds;
        for (const auto [e, player] : entities) {
            const auto& at = player.get<Position>();
            const float share = 1 - std::exp(-7 * seconds);
            // It arrives, instead of coming nearer for ever: a view that stands still costs nothing.
            x_ = std::abs(at.x - x_) < 0.05f ? at.x : x_ + (at.x - x_) * share;
            y_ = std::abs(at.y - y_) < 0.05f ? at.y : y_ + (at.y - y_) * share;
        }
        look();
    }

private:
    // While it is disabled nobody else empties these.
    void forget() {
        ecs().events.inbox<CrateSmashed>().clear();
        ecs().events.inbox<FigureHurt>().clear();
    }
    void look() {
        view_.x = inside(x_, view_.width, extent_.width) + shake_ * std::sin(time_ * 61);
        view_.y = inside(y_, view_.height, extent_.height) + shake_ * std::cos(time_ * 47);
    }
    // A little of what is outside is seen too: walls rise above the ground they stand on.
    static constexpr float BORDER = 1.5f * TILE;
    [[nodiscard]] static float inside(float middle, float seen, float all) {
        const float nearest = seen / 2 - BORDER;
        return nearest >= all / 2 ? all / 2 : std::clamp(middle, nearest, all - nearest);
    }

    View& view_;
    const Extent& extent_;
    float x_ = 0;
    float y_ = 0;
    float shake_ = 0;
    float time_ = 0;
};

}  // namespace crate_room
