#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "components.hpp"
#include "contacts.hpp"
#include "draw/frames.hpp"
#include "draw/overlay.hpp"
#include "draw/sprite_batch.hpp"
#include "draw/view.hpp"
#include "group.hpp"
#include "input.hpp"
#include "level/level.hpp"
#include "recording.hpp"
#include "sounds.hpp"
#include "spatial_grid.hpp"
#include "tracking.hpp"

namespace crate_room {

class Audio;
class DebugHeat;
class DebugInspection;
class Lighting;

/// The crate room in a world: its systems, and the data that they share. All state of the game is in components, also of the
/// world entity, so a snapshot of the world with its systems contains it. The world must exist longer than the room,
/// whose destructor removes the systems. A frame is: write `input`; `begin_frame`; if `level().due()`, clear the world
/// and call `enter()`; update the world; `end_frame`; draw.
class Room {
public:
    /// Adds one system to a room.
    using Addition = void (*)(Room&);
    /// All systems, in the order of their priorities.
    [[nodiscard]] static const std::vector<Addition>& all_systems();

    /// Adds the systems in that order. The order makes no difference to the game, see room.cpp.
    Room(ECS& ecs, const Atlas& atlas, std::span<const Addition> systems = all_systems());
    ~Room();
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;

    /// Starts a new run and its recording, in the first room; the world must be empty. If `guards` is negative, their
    /// number depends on the room. With `opening`, explosions go around the player at first.
    void begin(std::uint32_t seed, std::uint32_t crates, int guards = -1, bool opening = false);
    /// Starts the recorded run again and replays it; the world must be empty.
    void replay();
    /// Stops the replay; the player continues from the current state.
    void stop_replay() { recording_.stop(); }
    /// Fills the world with the next room; the world must be empty.
    void enter();

    /// Call it after `restore` and `Rewind::to`: computes again what is derived from components and is drawn, so that the picture shows the
    /// restored room also while the game is paused. Changes no component. O(entities that differ).
    void show_restored();

    /// Records the frame's input, or replaces it by recorded input. Returns the delta for the update.
    double begin_frame(double delta);
    /// `delta` is the effective delta that the update returned.
    void end_frame(double delta);

    [[nodiscard]] ECS& ecs() const noexcept { return ecs_; }
    [[nodiscard]] Entity player() const { return players_.any(); }
    [[nodiscard]] const Extent& extent() const { return ecs_.get<Extent>(ecs_.world()); }
    [[nodiscard]] Level& level() noexcept { return level_; }
    [[nodiscard]] const Level& level() const noexcept { return level_; }
    [[nodiscard]] const Recording& recording() const noexcept { return recording_; }
    [[nodiscard]] SpriteBatch& sprites() noexcept { return sprites_; }
    [[nodiscard]] const Contacts& contacts() const noexcept { return contacts_; }
    /// A hash of the game's state. It does not depend on entity handles or on the order of entities. O(entities).
    [[nodiscard]] std::uint64_t state_hash() const;

    // --- what is drawn and played ----------------------------------------------------------------------
    /// The lamps that are added to the picture.
    [[nodiscard]] const Lighting& lighting() const noexcept { return *lighting_; }
    /// Overlays from back to front: in the room's pixels, and in those of the screen.
    [[nodiscard]] const std::vector<const Overlay*>& room_overlays() const noexcept { return room_overlays_; }
    [[nodiscard]] const std::vector<const Overlay*>& screen_overlays() const noexcept { return screen_overlays_; }
    /// Returns the sounds to play since the last call, and empties the list.
    [[nodiscard]] std::vector<Playback> take_sounds();

    // --- for the page and tests ------------------------------------------------------------------------
    [[nodiscard]] const DebugInspection& inspection() const noexcept { return *inspection_; }
    [[nodiscard]] DebugHeat& heat() const noexcept { return *heat_; }
    /// How many entities a system visited in its last update. For systems that do not follow changes: all that they
    /// track. 0 if there is no such system or it is disabled.
    [[nodiscard]] std::size_t visited(std::string_view system) const;
    /// Returns false if there is no such system.
    bool set_enabled(std::string_view system, bool enabled);

    Tracking tracking;
    /// Before `begin_frame` the input of the devices; after it the input that the frame uses.
    Input input;
    View view;

private:
    struct Added {
        SystemBase* system;
        FollowsChanges* changes;  // the same system, or null if it does not follow changes
    };
    template <class S, class... Args>
    void add(double priority, Args&&... args);
    [[nodiscard]] const Added* find(std::string_view system) const;
    [[nodiscard]] std::vector<Added> in_run_order() const;
    void populate();
    [[nodiscard]] std::uint32_t hash_of(Entity e) const;

    ECS& ecs_;
    const Atlas& atlas_;
    Level level_;
    Recording recording_;

    // Shared by systems, which get references to the parts that they use.
    Group players_;
    Group doors_;
    SpatialGrid grid_;
    Contacts contacts_;
    SpriteBatch sprites_;

    std::vector<Added> systems_;
    // Of these, the ones that the room itself uses.
    Lighting* lighting_;
    Audio* audio_;
    DebugInspection* inspection_;
    DebugHeat* heat_;
    std::vector<const Overlay*> room_overlays_;
    std::vector<const Overlay*> screen_overlays_;
};

}  // namespace crate_room
