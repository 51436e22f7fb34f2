#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "components.hpp"

namespace crate_room {

/// The input and delta of every frame since a run began, in components of the world entity. Together with the run's seed this
/// replays it exactly.
class Recording {
public:
    /// One hour at 60 frames per second; later frames are not recorded.
    static constexpr std::size_t LONGEST = 60 * 60 * 60;

    explicit Recording(ECS& ecs) noexcept : ecs_(ecs) {}

    /// Clears the recording and starts a new one.
    void start(const Place& first);
    /// Starts replaying from the first frame; the world must have been cleared.
    void rewind();
    /// Stops replaying, discards the frames that were not replayed, and continues recording from here.
    void stop();
    [[nodiscard]] const Place& first() const { return run().first; }

    /// While replaying, replaces both arguments by the recorded ones; otherwise keeps the input for `end_frame`.
    void begin_frame(double& delta, Input& input);
    /// InputRecorder calls it. A frame without game time is not recorded: it cannot have changed the game.
    void end_frame(double effective_delta);

    [[nodiscard]] bool replaying() const { return run().replaying; }
    /// The recording has its maximum length; later frames are missing.
    [[nodiscard]] bool full() const { return length() == LONGEST; }
    [[nodiscard]] std::size_t length() const { return replaying() ? frames().size() : position(); }
    /// How many frames of the run have passed.
    [[nodiscard]] std::size_t position() const { return run().frames; }

private:
    [[nodiscard]] const Run& run() const;
    [[nodiscard]] const std::vector<RecordedFrames::Frame>& frames() const;
    // Discards what was recorded behind the current frame: what a replay has not reached, or what followed a restored state.
    void discard_later_frames();

    ECS& ecs_;
    Input pending_;
};

/// How snapshots contain the frames.
[[nodiscard]] std::vector<std::byte> encode_frames(const RecordedFrames& recorded);
/// The opposite. Throws unless the bytes are frames.
[[nodiscard]] RecordedFrames decode_frames(std::span<const std::byte> bytes);

}  // namespace crate_room
