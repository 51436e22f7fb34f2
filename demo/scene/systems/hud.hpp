#pragma once
#include "level.hpp"
#include "overlay.hpp"
#include "systems/doors.hpp"
#include "view.hpp"

namespace crate_room {

/// The head-up display: hearts, the number of the room, and where the nearest door is. Watches the player
/// and draws only when something it shows has changed.
class Hud final : public crateful::System<> {
public:
    Hud(const Atlas& atlas, const View& view, const Level& level, Doors& doors);
    [[nodiscard]] std::string name() const override { return "Hud"; }
    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet& dirty) override;
    void on_clear() override { overlay_.clear(), words_.clear(); }
    void on_disabled(crateful::Entities<crateful::Aspect>&) override { on_clear(); }
    void on_enabled(crateful::Entities<crateful::Aspect>&) override { drawn_for_.overlay_width = 0; }

    [[nodiscard]] const Overlay& overlay() const noexcept { return overlay_; }
    /// What is to be read even while the screen is dark.
    [[nodiscard]] const Overlay& words() const noexcept { return words_; }

private:
    void draw(const crateful::Aspect& player);

    Overlay overlay_;
    Overlay words_;
    const View& view_;
    const Level& level_;
    Doors& doors_;
    View drawn_for_{.overlay_width = 0};  // nothing is so narrow: it is drawn at first
};

}  // namespace crate_room
