#pragma once
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "crateful/detail/shared.hpp"

namespace crateful {

class ECS;

namespace internal {
class Recording;
}  // namespace internal

/// What a `Rewind` keeps.
struct RewindOptions {
    /// How many bytes the recorded frames have at most; the oldest ones are dropped.
    std::size_t bytes = std::size_t{16} << 20;
    /// How many seconds of wall time (`Clock::wall_time`) can be gone back to at least, if `bytes` suffices; older frames are dropped.
    double seconds = std::numeric_limits<double>::infinity();
    /// The names of component classes that are not recorded. `to` keeps their components with their entities.
    std::vector<std::string> without{};
};

/// Records what changes in each frame, and goes back and forth between frames (rule N7).
///
///     Rewind rewind(ecs);
///     …                              // frames
///     rewind.to(rewind.newest() - 8);  // 8 frames earlier
///
/// It records all components, whose classes must be described, or have a codec if they own memory, the hierarchy, the time, events that
/// wait, and the state of systems. What was changed outside of an update belongs to the next frame. Changes are found by signals: values
/// that were written without one are not recorded. `restore` starts the recording anew, with the restored state as the first frame. A system that is added again is another one: in a
/// frame that was recorded before, it has no state, and finds what differs dirty.
///
/// A frame costs O(changes), and O(entities) if entities were created or removed in it: 4 bytes of each are compared. Memory, beside the
/// recorded frames: all values once more, 8 bytes for each component (with the policy `linear` 4), and 8 for each entity that a system
/// tracks; and 32 for each component, which all recordings, histories and sources of changes of an ECS share.
class Rewind {
public:
    /// Begins to record. When the ECS does not exist any more, it can only be destroyed. Throws `bad_argument` for components and events
    /// that cannot be recorded, `reentrant_update` inside an update or a callback, `std::bad_alloc`, and what functions that encode values
    /// throw.
    explicit Rewind(ECS& ecs, const RewindOptions& options = {});
    Rewind(Rewind&&) noexcept;
    Rewind& operator=(Rewind&&) noexcept;
    ~Rewind();

    /// The first frame to which `to` can go: a number of completed updates (`Clock::frame`). If the last frame could not be recorded, it
    /// throws what was thrown then, until the next update; otherwise as the constructor, if the recording starts anew.
    [[nodiscard]] double oldest();
    /// The last one. Throws as `oldest`.
    [[nodiscard]] double newest();
    /// How many bytes of the ring the changes of a frame take. Throws `bad_argument` unless it is behind `oldest` and not behind `newest`,
    /// and as `oldest`.
    [[nodiscard]] std::size_t bytes_of(double frame);
    /// Makes the ECS what it was after update number `frame`, as `restore` does with a snapshot that contains the state of systems:
    /// callbacks, dirty entities and errors are those of rule N2, and replaying is exact (rule N3). Changes since the last update are lost.
    /// The later frames can still be gone to, until the next update. Throws `bad_argument` unless the frame is between `oldest` and
    /// `newest`, and for what could not be recorded; `reentrant_update` inside an update or a callback; `std::bad_alloc`, and what functions
    /// that encode and decode throw. Then the ECS is unchanged, but after the last two the recording may begin again with the next update.
    /// O(changes between).
    void to(double frame);
    /// For tools and views of the past: as `to`, and pauses the ECS. While it stays paused, its updates belong to this frame, and the later
    /// frames remain; what changes in these updates is lost with the next `to` or `show`. Throws as `to`; it is paused if only callbacks
    /// have thrown.
    void show(double frame);

private:
    void go(double frame, bool shows);
    ECS* ecs_;
    std::unique_ptr<internal::Recording> made_;
};

}  // namespace crateful
