#pragma once
#include "components.hpp"
#include "draw/overlay.hpp"
#include "draw/view.hpp"

namespace crate_room {

/// Draws the profiler over the picture: for each group a block of names, times and white bars, largest first. All bars
/// have the same scale, so that they can be compared.
class DebugTiming final : public System<> {
public:
    DebugTiming(const Atlas& atlas, const View& view) : System(true, true), overlay_(atlas), view_(view) {
        require<Player>();
    }
    void on_enabled(Entities&) override;
    void on_disabled(Entities&) override;
    void update(double delta) override;

    [[nodiscard]] const Overlay& overlay() const noexcept { return overlay_; }

private:
    void draw();
    void remove_disabled(crateful::Profiler::Group& group) const;

    Overlay overlay_;
    const View& view_;
    bool profiled_ = false;  // whether the profiler was on before
    int frames_ = 0;         // until the next drawing, so that the numbers can be read
};

}  // namespace crate_room
