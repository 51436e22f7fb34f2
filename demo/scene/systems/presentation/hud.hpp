#pragma once
#include "draw/overlay.hpp"
#include "draw/view.hpp"
#include "group.hpp"

namespace crate_room {

/// The head-up display: hearts, the number of the room, and the direction of the nearest door. It watches the player
/// and draws only when something that it shows has changed.
class Hud final : public System<> {
public:
    Hud(const Atlas& atlas, const View& view, const Group& doors);
    void update(double delta, Entities& entities, Dirty& dirty) override;
    void on_clear() override { overlay_.clear(), words_.clear(); }
    void on_disabled(Entities&) override { on_clear(); }
    void on_enabled(Entities&) override { drawn_for_.overlay_width = 0; }
    /// Draws it if something has changed.
    void show() {
        if (enabled()) update(0, entities(), dirty_set());
        else on_clear();
    }

    [[nodiscard]] const Overlay& overlay() const noexcept { return overlay_; }
    /// Text that is drawn above the fade, so that it can be read while the screen is dark.
    [[nodiscard]] const Overlay& words() const noexcept { return words_; }

private:
    void draw(const Aspect& player);
    /// The direction of the nearest door, at the top. The first line is in use up to `right_of`.
    void draw_door(const Position& at, float right_of);
    void draw_death();

    Overlay overlay_;
    Overlay words_;
    const View& view_;
    const Group& doors_;
    View drawn_for_{.overlay_width = 0};  // 0: differs from any real view, so the first update draws
    std::uint32_t drawn_number_ = 0;      // of the room
};

}  // namespace crate_room
