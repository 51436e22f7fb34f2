#pragma once
#include <algorithm>

#include "overlay.hpp"

namespace crate_room {

/// Darkens the screen, for whoever asks it to.
class Fade final : public crateful::System<> {
public:
    explicit Fade(const Atlas& atlas) : overlay_(atlas) { require<Player>(); }
    [[nodiscard]] std::string name() const override { return "Fade"; }

    /// Goes to that darkness, 0 to 1, in that time.
    void request(float darkness, float seconds) noexcept {
        wanted_ = darkness;
        speed_ = seconds > 0 ? 1 / seconds : 1e9f;
    }
    void update(double delta, crateful::Entities<crateful::Aspect>&, crateful::DirtySet&) override {
        const float step = speed_ * static_cast<float>(delta);
        darkness_ += std::clamp(wanted_ - darkness_, -step, step);
        overlay_.clear();
        if (darkness_ <= 0) return;
        // Larger than any screen, which may change its size while the game is paused.
        overlay_.box(0, 0, 10000, 10000, {8, 8, 14, static_cast<std::uint8_t>(255 * darkness_)});
    }
    void on_disabled(crateful::Entities<crateful::Aspect>&) override { overlay_.clear(); }

    [[nodiscard]] float darkness() const noexcept { return darkness_; }
    [[nodiscard]] const Overlay& overlay() const noexcept { return overlay_; }

private:
    Overlay overlay_;
    float darkness_ = 0;
    float wanted_ = 0;
    float speed_ = 1;
};

}  // namespace crate_room
