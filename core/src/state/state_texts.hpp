// The state of an ECS that is no component, as bytes in memory (rule N7).
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "places.hpp"
#include "systems.hpp"

namespace crateful::internal {

/// What one system tracks.
struct CopiedSystem {
    SystemBase* system;
    Places tracked{};
};

/// Whether a system is enabled, and the time of its interval: all have the same number of bytes.
void write_switches(std::vector<std::byte>& to, SystemBase& system);
void read_switches(std::span<const std::byte> from, std::size_t number, SystemPlan& plan) noexcept;

/// The dirty set of a system.
void write_dirty(std::vector<std::byte>& to, SystemBase& system);
void read_dirty(std::span<const std::byte> from, SystemPlan& plan);

/// The events that wait, also in inboxes, except those of classes with these names; empty if there were never any. Throws
/// `bad_argument` for one whose class has no name.
[[nodiscard]] std::vector<std::byte> write_waiting(const StateAccess& state, std::span<const CopiedSystem> systems,
                                                   std::span<const std::string> without, const HostEvents& host);
/// `plans` are those of the systems. With `has_host`, events whose class is not known are those of the host.
void read_waiting(std::span<const std::byte> from, const StateAccess& state, std::span<const std::string> without,
                  bool has_host, EventsPlan& events, std::span<SystemPlan> plans);

}  // namespace crateful::internal
