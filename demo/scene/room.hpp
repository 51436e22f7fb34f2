#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "components.hpp"
#include "frames.hpp"
#include "input.hpp"
#include "level.hpp"
#include "overlay.hpp"
#include "recording.hpp"
#include "sounds.hpp"
#include "sprite_batch.hpp"
#include "tracking.hpp"
#include "view.hpp"

namespace crate_room {

class Ai;
class Audio;
class DebugHeat;
class DebugInspection;
class Lighting;

/// The crate room in a world: its systems, and what they share. The world has to outlive it; the systems
/// go with it. A frame is: fill `input`; `begin_frame`; if `level().due()`, clear the world and `enter()`;
/// update the world; `end_frame`; draw.
class Room {
public:
    Room(crateful::ECS& ecs, const Atlas& atlas);
    ~Room();
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;

    /// Starts over in the first room, in a world that was just made or cleared. `guards` below 0: as many
    /// as the room deserves. A recording begins.
    void begin(std::uint32_t seed, std::uint32_t crates, int guards = -1);
    /// Starts the recorded run over, in a world that was just cleared, and plays it.
    void replay();
    /// The player takes over where the replay has come to.
    void stop_replay() noexcept { recording_.stop(); }
    /// Fills the world, which was just cleared, with the room that is due.
    void enter();

    /// Records the frame's input, or replaces it by a recorded one; returns the delta to update with.
    double begin_frame(double delta);
    /// `delta` is the effective one that the update returned.
    void end_frame(double delta);

    [[nodiscard]] crateful::ECS& ecs() const noexcept { return ecs_; }
    [[nodiscard]] crateful::Entity player() const noexcept { return player_; }
    [[nodiscard]] Level& level() noexcept { return level_; }
    [[nodiscard]] const Level& level() const noexcept { return level_; }
    [[nodiscard]] const Recording& recording() const noexcept { return recording_; }
    [[nodiscard]] SpriteBatch& sprites() const noexcept { return *sprites_; }
    /// A number for where things are and how they fare: equal states have equal numbers, whatever handles
    /// their entities have.
    [[nodiscard]] std::uint64_t state_hash() const;

    // --- what there is to draw, back to front -----------------------------------------------------------
    /// Light that is added to the picture, and the ambient one that it is multiplied with, both in the room.
    [[nodiscard]] const Lighting& lighting() const noexcept { return *lighting_; }
    /// Over the picture, in the room's pixels and in those of the screen.
    [[nodiscard]] const std::vector<const Overlay*>& room_overlays() const noexcept { return room_overlays_; }
    [[nodiscard]] const std::vector<const Overlay*>& screen_overlays() const noexcept { return screen_overlays_; }
    /// The sounds that the last update wants to be heard; empty afterwards.
    [[nodiscard]] std::vector<Playback> take_sounds();

    // --- looking at it from outside --------------------------------------------------------------------
    [[nodiscard]] const DebugInspection& inspection() const noexcept { return *inspection_; }
    [[nodiscard]] DebugHeat& heat() const noexcept { return *heat_; }
    /// How many entities a system went through in its last update; all it tracks for those that do not
    /// follow changes, 0 if there is no such system or it is disabled.
    [[nodiscard]] std::size_t looked_at(std::string_view system) const;
    /// False if there is no such system here.
    bool set_enabled(std::string_view system, bool enabled);

    Tracking tracking;
    /// Before `begin_frame` what devices say; after it what the frame is run with.
    Input input;
    View view;
    Extent extent;

private:
    template <class S, class... Args>
    S& add(double priority, Args&&... args);
    [[nodiscard]] crateful::SystemBase* find(std::string_view system) const;
    void populate();
    [[nodiscard]] std::uint32_t hash_of(crateful::Entity e) const;

    crateful::ECS& ecs_;
    Level level_;
    Recording recording_;
    crateful::Entity player_ = crateful::NONE;
    std::unique_ptr<SpriteBatch> sprites_;  // its systems go before it
    Ai* ai_ = nullptr;
    SpatialHash* hash_ = nullptr;
    Lighting* lighting_ = nullptr;
    Audio* audio_ = nullptr;
    DebugInspection* inspection_ = nullptr;
    DebugHeat* heat_ = nullptr;
    std::vector<crateful::SystemBase*> systems_;
    std::vector<const Overlay*> room_overlays_;
    std::vector<const Overlay*> screen_overlays_;
    std::optional<Input> missed_;  // a blow asked for in a frame in which slow motion let no time pass
};

}  // namespace crate_room
