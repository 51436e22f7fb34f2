#pragma once
#include <cstddef>
#include <vector>

#include "input.hpp"
#include "level.hpp"

namespace crate_room {

/// Everything that came from outside since a run began, frame by frame: enough to play it again exactly.
class Recording {
public:
    /// An hour at 60 frames a second; of later ones nothing is recorded.
    static constexpr std::size_t LONGEST = 60 * 60 * 60;

    /// Forgets what was recorded.
    void start(const Level::Place& first);
    /// Plays from the beginning; the world must have been cleared.
    void rewind() noexcept;
    /// Stops replaying; what was not played yet is forgotten, and recording goes on from here.
    void stop() noexcept;
    [[nodiscard]] const Level::Place& first() const noexcept { return first_; }

    /// While replaying replaces both by the recorded ones, else remembers the input.
    void begin_frame(double& delta, Input& input);
    /// A frame in which no game time passed is not recorded: nothing can have happened in it.
    void end_frame(double effective_delta);

    [[nodiscard]] bool replaying() const noexcept { return replaying_; }
    /// Frames were left out at the end.
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
