#pragma once
#include <algorithm>

#include "components.hpp"
#include "draw/overlay.hpp"

namespace crate_room {

/// Darkens the screen.
class Fade final : public System<> {
public:
    explicit Fade(const Atlas& atlas) : overlay_(atlas) { require<Player>(); }

    /// Changes the darkness to a value from 0 to 1, within that time.
    void request(float darkness, float seconds) {
        ecs().modify<Darkness>(ecs().world(), [&](Darkness& dark) {
            dark.wanted = darkness;
            dark.speed = seconds > 0 ? 1 / seconds : 1e9f;
        });
    }
    void update(double delta) override {
        ecs().modify<Darkness>(ecs().world(), [&](Darkness& dark) {
            const float step = dark.speed * static_cast<float>(delta);
            dark.now += std::clamp(dark.wanted - dark.now, -step, step);
        });
        show();
    }
    /// Draws it.
    void show() {
        overlay_.clear();
        if (!enabled() || darkness() <= 0) return;
        // Larger than any screen: its size may change while the game is paused.
        overlay_.box(0, 0, 10000, 10000, {8, 8, 14, static_cast<std::uint8_t>(255 * darkness())});
    }
    void on_disabled(Entities&) override { overlay_.clear(); }

    [[nodiscard]] float darkness() const { return ecs().get<Darkness>(ecs().world()).now; }
    [[nodiscard]] const Overlay& overlay() const noexcept { return overlay_; }

private:
    Overlay overlay_;
};

}  // namespace crate_room
