#pragma once
#include <algorithm>

#include "draw/overlay.hpp"

namespace crate_room {

/// Darkens the screen.
class Fade final : public System<> {
public:
    explicit Fade(const Atlas& atlas) : overlay_(atlas) { require<Player>(); }

    /// Changes the darkness to a value from 0 to 1, within that time.
    void request(float darkness, float seconds) noexcept {
        wanted_ = darkness;
        speed_ = seconds > 0 ? 1 / seconds : 1e9f;
    }
    void update(double delta) override {
        const float step = speed_ * static_cast<float>(delta);
        darkness_ += std::clamp(wanted_ - darkness_, -step, step);
        overlay_.clear();
        if (darkness_ <= 0) return;
        // Larger than any screen: its size may change while the game is paused.
        overlay_.box(0, 0, 10000, 10000, {8, 8, 14, static_cast<std::uint8_t>(255 * darkness_)});
    }
    void on_disabled(Entities&) override { overlay_.clear(); }

    [[nodiscard]] float darkness() const noexcept { return darkness_; }
    [[nodiscard]] const Overlay& overlay() const noexcept { return overlay_; }

private:
    Overlay overlay_;
    float darkness_ = 0;
    float wanted_ = 0;
    float speed_ = 1;
};

}  // namespace crate_room
