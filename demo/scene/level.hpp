#pragma once
#include <cstdint>

#include "crateful/ecs.hpp"

namespace crate_room {

/// Events: input obeys or not; the player went through a door; the player died; the room is to be left now.
struct PlayerControl {
    bool allowed;
};
struct DoorEntered {};
struct PlayerDied {};
struct RoomLeft {};

/// The script of a game: from room to room. It lives outside the systems and stitches them together, in the
/// three ways that seed 4 has: by events, by setting what a system has, and by calling it.
class Level {
public:
    explicit Level(crateful::ECS& ecs);

    /// Which room it is, and what it is made from.
    struct Place {
        std::uint32_t seed = 0;  ///< of the run; each room has its own by `room_seed()`
        std::uint32_t crates = 0;
        int guards = -1;  ///< below 0: as many as the room deserves
        std::uint32_t number = 1;
    };
    /// Starts a run. The world was just made or cleared and is to be filled.
    void begin(const Place& first);
    /// Goes on to the room that is due, or to the same one again after a death. The world was just cleared
    /// and is to be filled: `place()` is the new one.
    void enter();
    [[nodiscard]] const Place& place() const noexcept { return place_; }
    /// Another one for each room and run.
    [[nodiscard]] std::uint32_t room_seed() const noexcept;

    /// Goes on with what the last update brought: a door or a death starts the way out.
    void update();
    /// The screen is dark: the world is to be cleared and the next room to be filled in.
    [[nodiscard]] bool due() const noexcept { return due_; }

private:
    void leave(double after);
    void arrive();

    crateful::ECS& ecs_;
    Place place_;
    bool leaving_ = false;
    bool onward_ = false;  // through a door
    bool due_ = false;
};

}  // namespace crate_room
