// The state of an ECS that is no component, as bytes in memory (rule N7).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "places.hpp"
#include "systems.hpp"

namespace crateful::internal {

/// A system, from when it was added to when it is removed.
struct CopiedSystem {
    SystemBase* system;      ///< nullptr when it was removed
    std::uint64_t sequence;  ///< of the addition: a system that is added later is another one, also at the same address
    double last = 0;         ///< the last frame in which it existed, also of frames that were discarded
    Places tracked{};        ///< what it tracks
};

/// The dirty set of a system, the time of its interval, and whether it is enabled.
void write_system(std::vector<std::byte>& to, SystemBase& system);
void read_system(std::span<const std::byte> from, SystemPlan& plan);

/// The events that wait, also in inboxes of the systems that exist, except those of classes with these names; empty if there were never any. Throws
/// `bad_argument` for one whose class has no name.
[[nodiscard]] std::vector<std::byte> write_waiting(const StateAccess& state, std::span<const CopiedSystem> systems,
                                                   std::span<const std::string> without, const HostEvents& host);
/// `plans` are those of the systems. With `has_host`, events whose class is not known are those of the host.
void read_waiting(std::span<const std::byte> from, const StateAccess& state, std::span<const std::string> without,
                  bool has_host, EventsPlan& events, std::span<SystemPlan> plans);

}  // namespace crateful::internal
