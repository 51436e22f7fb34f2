#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "draw/overlay.hpp"
#include "draw/view.hpp"
#include "tracking.hpp"

namespace crate_room {

/// Marks the entities that systems visited in this frame; with dirty tracking these are exactly their dirty entities.
/// Each system has a colour. The marks of earlier frames fade.
class DebugHeat final : public System<> {
public:
    struct Source {
        const SystemBase* system;
        FollowsChanges* changes;  // the same system
    };
    DebugHeat(const Atlas& atlas, const View& view, Tracking& tracking)
        : System(true, true), room_(atlas), legend_(atlas), view_(view), tracking_(tracking) {
        require<Position>();
    }
    void on_enabled(Entities&) override { tracking_.record_visited = true; }
    void on_disabled(Entities&) override;
    void on_clear() override;
    void update(double delta) override;

    /// The systems that it can show, in the order of their colours. They must exist as long as this system.
    void set_sources(std::vector<Source> sources) { sources_ = std::move(sources); }
    std::string chosen;  ///< the name of the system that is shown; empty: all of them

    /// How many entities were marked in the last update; an entity counts once for each system.
    [[nodiscard]] std::size_t heated() const noexcept { return heated_; }
    [[nodiscard]] const Overlay& overlay() const noexcept { return room_; }
    [[nodiscard]] const Overlay& legend() const noexcept { return legend_; }

private:
    struct Glow {
        float x, y;
        float left;
    };
    void mark(std::size_t source, float inset);

    Overlay room_;
    Overlay legend_;
    const View& view_;
    Tracking& tracking_;
    std::vector<Source> sources_;
    std::map<std::pair<Entity, std::size_t>, Glow> glows_;  // by entity and source
    std::size_t heated_ = 0;
};

}  // namespace crate_room
