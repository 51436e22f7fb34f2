#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crateful/detail/change_steps.hpp"
#include "crateful/detail/state_steps.hpp"
#include "crateful/entity.hpp"
#include "crateful/world.hpp"

// What JavaScript reads during snapshots (web/src/module/layout.ts).
namespace crateful {

/// The components of one class in the bytes.
struct StateClass {
    std::uint32_t id;        ///< of the class
    std::uint32_t n;         ///< how many components there are
    const Entity* entities;  ///< which have them
    // Of an object class:
    const std::uint32_t* lengths;  ///< of their values, in bytes
    const std::byte* bytes;        ///< of all values, one behind the other
    std::uint8_t* differs;         ///< for each value: 1, to be set to 0 if the ECS has it
};

/// The values of one object class in changes.
struct ApplyClass {
    std::uint32_t id;  ///< of the class
    std::uint32_t n;   ///< how many values there are
    const internal::ApplySteps::Value* values;
};

/// One step in a list of events that JavaScript keeps: an event with a delay, or what `due` says.
struct StateEvent {
    static constexpr double INBOX = -1;     ///< an inbox, for the events that follow
    static constexpr double IN_INBOX = -2;  ///< an event in the inbox before
    static constexpr double WITHOUT = -3;   ///< the snapshot leaves out what has this name
    static constexpr double SYSTEMS = -4;   ///< the snapshot has the state of systems
    static constexpr double SAME = -5;      ///< the events that wait are those that wait now
    double due;                             ///< the game time at which it is delivered, or one of these
    const char* text;    ///< the name of the system, or none, and the byte 255; the name of the class, and that byte
    std::size_t n_text;  ///< in bytes
    const std::byte* first;  ///< the encoded event
    std::size_t n;
    std::size_t position;  ///< of it in the snapshot
};

/// A snapshot.
struct StateBytes {
    const std::byte* first;
    std::size_t n;
};

/// One call of `snapshot`, `restore`, `merge` or `rewind.to`.
struct StateCall {
    explicit StateCall(World& w) : world(w) {}
    /// Lists what `restore` has read.
    void list();

    World& world;
    SnapshotOptions snapshot_options;
    RestoreOptions restore_options;
    std::vector<std::unique_ptr<std::uint64_t[]>> memory;  // that JavaScript writes to
    std::vector<internal::EncodedValues> values;
    std::vector<std::byte> result;
    EntityMap compact_handles;                         // for a compact snapshot
    bool merges = false;                               // `restore` has the steps of `merge`
    std::vector<std::pair<Entity, Entity>> handles{};  // of what it merges: in the bytes, and here
    std::unique_ptr<internal::StateSteps> restore;
    std::vector<StateClass> classes;          // in the bytes
    internal::HostEvents host;                // for a snapshot
    std::vector<StateEvent> events;           // in the bytes
    std::vector<std::string> texts;           // of these
    std::optional<internal::StateLock> lock;  // ends first
};

/// What one object of JavaScript uses. Its destructor does not use the world, which may not exist any more.
struct StateObject {
    explicit StateObject(World& w) : world(w) {}
    virtual ~StateObject() = default;
    StateObject(const StateObject&) = delete;
    StateObject& operator=(const StateObject&) = delete;
    World& world;
};
/// Returns the object, or nullptr if `make` throws.
template <class Make>
StateObject* made(World& w, Make&& make) {
    std::unique_ptr<StateObject> object;
    return w.guarded([&] { object = make(); }) != 0 ? nullptr : object.release();
}

namespace internal {

/// Calls `visit` with the first character and the rest of each part of a text; each part is followed by END.
template <class Visit>
void each_part(std::string_view text, Visit&& visit) {
    for (std::size_t end; (end = text.find(END)) != text.npos; text.remove_prefix(end + 1)) {
        if (end > 0) visit(text.front(), std::string(text.substr(1, end - 1)));
    }
}

}  // namespace internal
}  // namespace crateful
