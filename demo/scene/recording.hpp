#pragma once
#include <cstddef>
#include <vector>

#include "input.hpp"
#include "level/level.hpp"

namespace crate_room {

/// The input and delta of every frame since a run began. Together with the run's seed this replays it exactly.
class Recording {
public:
    /// One hour at 60 frames per second; later frames are not recorded.
    static constexpr std::size_t LONGEST = 60 * 60 * 60;

    /// Clears the recording and starts a new one.
    void start(const Level::Place& first);
    /// Starts replaying from the first frame; the world must have been cleared.
    void rewind() noexcept;
    /// Stops replaying, discards the frames that were not replayed, and continues recording from here.
    void stop() noexcept;
    [[nodiscard]] const Level::Place& first() const noexcept { return first_; }

    /// While replaying, replaces both arguments by the recorded ones; otherwise keeps the input for `end_frame`.
    void begin_frame(double& delta, Input& input);
    /// A frame without game time is not recorded: it cannot have changed the game.
    void end_frame(double effective_delta);

    [[nodiscard]] bool replaying() const noexcept { return replaying_; }
    /// The recording has its maximum length; later frames are missing.
    [[nodiscard]] bool full() const noexcept { return frames_.size() == LONGEST; }
    [[nodiscard]] std::size_t length() const noexcept { return frames_.size(); }
    [[nodiscard]] std::size_t position() const noexcept { return position_; }

private:
    struct Frame {
        double delta;
        Input input;
    };
    Level::Place first_;
    std::vector<Frame> frames_;
    Input pending_;
    std::size_t position_ = 0;
    bool replaying_ = false;
};

}  // namespace crate_room
