#pragma once
#include <span>
#include <vector>

#include "components.hpp"
#include "crateful/profiler.hpp"
#include "draw/overlay.hpp"
#include "draw/view.hpp"

namespace crate_room {

/// Draws the profiler over the picture: the groups Overall and Systems as names, times and bars, largest first. All bars
/// have the same scale, so that they can be compared.
class DebugTiming final : public System<> {
public:
    DebugTiming(const Atlas& atlas, const View& view) : System(true, true), overlay_(atlas), view_(view) {
        require<Player>();
    }
    void on_enabled(Entities&) override;
    void on_disabled(Entities&) override;
    void update(double delta) override;

    /// Systems with a smaller average, in milliseconds, would be shown with 0.00; they are left out.
    static constexpr double LEAST = 0.005;
    /// Rows of a group.
    static constexpr std::size_t MOST = 8;
    /// The groups and clocks that are shown; of `systems`, those that are disabled are left out.
    [[nodiscard]] static std::vector<crateful::Profiler::Group> selection(std::vector<crateful::Profiler::Group> report,
                                                                          std::span<SystemBase* const> systems);

    [[nodiscard]] const Overlay& overlay() const noexcept { return overlay_; }

private:
    void draw();
    void draw_clock(const crateful::Profiler::Reading& clock, float left, float y);

    Overlay overlay_;
    const View& view_;
    bool profiled_ = false;  // whether the profiler was on before
    int frames_ = 0;         // until the next drawing, so that the numbers can be read
};

}  // namespace crate_room
