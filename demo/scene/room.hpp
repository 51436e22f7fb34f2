#pragma once
#include <cstdint>
#include <string_view>

#include "camera.hpp"
#include "components.hpp"
#include "frames.hpp"
#include "input.hpp"
#include "inspector.hpp"
#include "sprite_batch.hpp"
#include "tracking.hpp"
#include "view.hpp"

namespace crate_room {

/// The crate room in a world: its systems, and what they share. The world has to outlive it; the
/// systems go with it.
class Room {
public:
    Room(crateful::ECS& ecs, const Atlas& atlas);
    ~Room();
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;

    /// Fills a world that was just made or cleared with walls, crates and the player.
    void build(std::uint32_t seed, std::uint32_t crates);

    /// How many entities a system went through in its last update; all it tracks for those that do not
    /// follow changes, 0 if there is no such system.
    [[nodiscard]] std::size_t looked_at(std::string_view system) const;
    [[nodiscard]] crateful::Entity player() const noexcept { return player_; }
    [[nodiscard]] crateful::ECS& ecs() const noexcept { return ecs_; }
    [[nodiscard]] const Extent& extent() const noexcept { return extent_; }
    [[nodiscard]] SpriteBatch& sprites() const noexcept { return *sprites_; }
    [[nodiscard]] const Inspector& inspector() const noexcept { return *inspector_; }

    Tracking tracking;
    Input input;
    View view;

private:
    template <class S, class... Args>
    S& add(double priority, Args&&... args);
    void add_walls(int width, int height, std::uint32_t seed);
    crateful::Entity add_wall(int x, int y, std::uint16_t frame);

    crateful::ECS& ecs_;
    Extent extent_;
    crateful::Entity player_ = crateful::NONE;
    SpriteBatch* sprites_ = nullptr;
    Inspector* inspector_ = nullptr;
    std::vector<crateful::SystemBase*> systems_;
};

}  // namespace crate_room
