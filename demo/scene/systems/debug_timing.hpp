#pragma once
#include "overlay.hpp"
#include "view.hpp"

namespace crate_room {

/// Draws the profiler over the picture: white bars and text, a block for each group, biggest first (seed 1).
/// All bars have the same scale, so that they can be compared.
class DebugTiming final : public crateful::System<> {
public:
    DebugTiming(const Atlas& atlas, const View& view) : System(true, true), overlay_(atlas), view_(view) {
        require<Player>();
    }
    [[nodiscard]] std::string name() const override { return "DebugTiming"; }
    void on_enabled(crateful::Entities<crateful::Aspect>&) override;
    void on_disabled(crateful::Entities<crateful::Aspect>&) override;
    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet& dirty) override;

    [[nodiscard]] const Overlay& overlay() const noexcept { return overlay_; }

private:
    void draw();
    void forget_disabled(crateful::Profiler::Group& group) const;

    Overlay overlay_;
    const View& view_;
    bool profiled_ = false;  // before it was enabled
    int frames_ = 0;         // until it is drawn again: nobody reads faster
};

}  // namespace crate_room
