#pragma once
#include <cstdint>

#include "crateful.hpp"

namespace crate_room {

/// Event: input controls the player, or no longer does.
struct PlayerControl {
    bool allowed;
};
/// Event: the player went through a door.
struct DoorEntered {};
struct PlayerDied {};
/// Event: the screen is dark; the room ends now.
struct RoomLeft {};

/// The sequence of rooms in a game. It is no system. It communicates with systems in three ways: by events, by setting
/// members of a system, and by calling a system.
class Level {
public:
    explicit Level(ECS& ecs);

    /// A room in a run, and the settings that it is made from.
    struct Place {
        std::uint32_t seed = 0;  ///< of the run; `room_seed()` returns that of the room
        std::uint32_t crates = 0;
        int guards = -1;  ///< negative: chosen by the size and number of the room
        std::uint32_t number = 1;
        bool opening = false;  ///< explosions around the player, see `add_opening`
    };
    /// Starts a run. The world must be empty; the caller then fills it with the first room.
    void begin(const Place& first);
    /// Starts the next room, or the same room again after a death. The world must be empty; the caller then fills it
    /// with the room that `place()` returns.
    void enter();
    [[nodiscard]] const Place& place() const noexcept { return place_; }
    /// Differs for each room and run.
    [[nodiscard]] std::uint32_t room_seed() const noexcept;

    /// Handles the events of the last update: after a door or a death the screen starts to darken.
    void update();
    /// The screen is dark: the caller must clear the world and call `enter()`.
    [[nodiscard]] bool due() const noexcept { return due_; }

private:
    void start_leaving(double after);
    void start_room();

    ECS& ecs_;
    Place place_;
    bool leaving_ = false;
    bool to_next_ = false;  // through a door
    bool due_ = false;
};

}  // namespace crate_room
