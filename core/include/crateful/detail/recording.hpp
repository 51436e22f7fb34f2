// Recording frames of an ECS whose components and events are partly objects of another language (rule N7): for language bindings.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "crateful/detail/frame_listener.hpp"
#include "crateful/detail/state_steps.hpp"
#include "crateful/rewind.hpp"

namespace crateful::internal {

/// What a language binding adds to a recording.
class RecordingHost {
public:
    /// The events that wait in it: the first call for each frame.
    [[nodiscard]] virtual HostEvents events() = 0;
    /// The encoded value of a component of an object class.
    [[nodiscard]] virtual std::vector<std::byte> encode(ComponentId id, Entity e) = 0;

protected:
    ~RecordingHost() = default;
};

class StateCopy;

/// A field that has values which were not recorded, because they have changed without a signal.
struct Unrecorded {
    const std::string& cls;
    const std::string& field;
    Entity entity;  ///< the first one with such a value
};

/// What a `Rewind` does.
class Recording {
public:
    /// `host` may be nullptr.
    Recording(ECS& of, const RewindOptions& options, RecordingHost* host = nullptr);
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

    [[nodiscard]] double oldest();
    [[nodiscard]] double newest();
    /// `call` is for messages.
    [[nodiscard]] std::size_t bytes_of(double frame, const char* call);
    /// The steps to a frame, of which the first is done. The ECS must be idle and locked. With `shows`, it is paused, and as long as it is, an
    /// update belongs to this frame, and the later ones are kept.
    [[nodiscard]] std::unique_ptr<StateSteps> go(double frame, bool shows);
    /// To be called when an update has ended, before anything changes. It compares described fields, except those of classes with a codec,
    /// with the copy: at most `most` values, from where the last call has ended.
    [[nodiscard]] std::vector<Unrecorded> unrecorded(std::size_t most);

private:
    class Frames;
    class Roll;
    class Steps;
    std::shared_ptr<Frames> frames_;
};

}  // namespace crateful::internal
