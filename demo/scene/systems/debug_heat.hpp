#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "overlay.hpp"
#include "tracking.hpp"
#include "view.hpp"

namespace crate_room {

/// Flashes what systems had to look at in this frame: with dirty tracking that is exactly what was dirty
/// for them. Each system has a colour; what was dirty before fades away.
class DebugHeat final : public crateful::System<> {
public:
    struct Source {
        const crateful::SystemBase* system;
        FollowsChanges* follower;
    };
    DebugHeat(const Atlas& atlas, const View& view, Tracking& tracking)
        : System(true, true), room_(atlas), legend_(atlas), view_(view), tracking_(tracking) {
        require<Position>();
    }
    [[nodiscard]] std::string name() const override { return "DebugHeat"; }
    void on_enabled(crateful::Entities<crateful::Aspect>&) override { tracking_.listed = true; }
    void on_disabled(crateful::Entities<crateful::Aspect>&) override;
    void on_clear() override;
    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet& dirty) override;

    /// The systems to choose from. They live as long as this one.
    void watch_over(std::vector<Source> sources) { sources_ = std::move(sources); }
    std::string chosen;  ///< a system's name; empty: all of them

    /// How many entities were flashed in the last update, each once for each system.
    [[nodiscard]] std::size_t heated() const noexcept { return heated_; }
    [[nodiscard]] const Overlay& overlay() const noexcept { return room_; }
    [[nodiscard]] const Overlay& legend() const noexcept { return legend_; }

private:
    struct Glow {
        float x, y;
        float left;
    };
    void flash(std::size_t source, float inset);

    Overlay room_;
    Overlay legend_;
    const View& view_;
    Tracking& tracking_;
    std::vector<Source> sources_;
    std::map<std::pair<crateful::Entity, std::size_t>, Glow> glows_;  // by entity and source
    std::size_t heated_ = 0;
};

}  // namespace crate_room
