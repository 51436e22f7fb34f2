#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "crateful/state.hpp"

namespace crateful::internal {

/// Events that a language binding keeps itself, encoded. The core writes and reads them with those of C++ (rule N1).
struct HostEvents {
    struct Queued {
        std::string name;
        double due = 0;  ///< the game time at which it is delivered
        std::vector<std::byte> bytes;
        std::size_t position = 0;  ///< of the encoded event in a snapshot that is read
    };
    struct Inbox {
        std::string system;  ///< the name of the system; empty outside of systems
        std::string name;    ///< of the events
        std::vector<std::vector<std::byte>> events;
        std::vector<std::size_t> positions{};  ///< of these
    };
    std::vector<Queued> queued;  ///< by the time at which they are due; equal ones keep their order
    std::vector<Inbox> inboxes;  ///< those of a system in their order
    // Of a snapshot that is read:
    bool systems = false;              ///< whether it has the state of systems
    std::vector<std::string> without;  ///< the names of what it leaves out
    bool same = false;                 ///< whether they are those that wait now, in place of these lists
};

/// `snapshot` with the events of a host. Of those that are due at the same time, the events of C++ are delivered first.
[[nodiscard]] std::vector<std::byte> snapshot_with(const ECS& ecs, const SnapshotOptions& options,
                                                   const HostEvents& host);
/// `restore`, where events with names that C++ does not know are those of the host. `accept` is called when all else was checked, and
/// nothing was changed yet: what it throws is thrown by this call, which has changed nothing then.
void restore_with(ECS& ecs, std::span<const std::byte> bytes, const RestoreOptions& options,
                  const std::function<void(HostEvents&)>& accept);

}  // namespace crateful::internal
