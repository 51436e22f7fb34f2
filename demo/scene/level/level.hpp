#pragma once
#include <cstdint>
#include <string_view>

#include "components.hpp"

namespace crate_room {

/// Event: input controls the player, or no longer does.
struct PlayerControl {
    static constexpr std::string_view type_name = "PlayerControl";
    bool allowed;
};
/// Event: the player went through a door.
struct DoorEntered {
    static constexpr std::string_view type_name = "DoorEntered";
};
struct PlayerDied {
    static constexpr std::string_view type_name = "PlayerDied";
};
/// Event: the screen is dark; the room ends now.
struct RoomLeft {
    static constexpr std::string_view type_name = "RoomLeft";
};

/// The sequence of rooms in a game. It is no system. Its state is the components Place and Story of the world entity. It
/// communicates with systems in three ways: by these components, by events, and by calling a system.
class Level {
public:
    explicit Level(ECS& ecs);

    /// Starts a run. The world must be empty; the caller then fills it with the first room.
    void begin(const Place& first);
    /// Starts the next room, or the same room again after a death. The world must be empty; the caller then fills it
    /// with the room that `place()` returns.
    void enter();
    [[nodiscard]] const Place& place() const { return ecs_.get<Place>(ecs_.world()); }
    /// Differs for each room and run.
    [[nodiscard]] std::uint32_t room_seed() const;

    /// Handles the events of the last update: after a door or a death the screen starts to darken.
    void update();
    /// The screen is dark: the caller must clear the world and call `enter()`.
    [[nodiscard]] bool due() const noexcept { return due_; }

private:
    [[nodiscard]] const Story& story() const { return ecs_.get<Story>(ecs_.world()); }
    void start_leaving(double after);
    void start_room();

    ECS& ecs_;
    bool due_ = false;  // only between `update()` and `enter()`, so it is no component
};

}  // namespace crate_room
