// The systems of an ECS, and what they track.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "classes.hpp"

namespace crateful::internal::inspector {

/// A system.
struct KnownSystem {
    std::string name;  ///< different for each system
    SystemBase* system;
};

/// All systems, in the order in which they run.
class Systems {
public:
    Systems(ECS& ecs, const Classes& classes);
    [[nodiscard]] const std::vector<KnownSystem>& all() const noexcept { return all_; }
    /// The system with this name, or nullptr.
    [[nodiscard]] const KnownSystem* find(std::string_view name) const noexcept;
    /// The same for the member `system` of a request. Throws `bad_system`.
    [[nodiscard]] const KnownSystem& require(const Request& request) const;
    /// The name of the system with this clock in the profiler; otherwise that of the clock.
    [[nodiscard]] const std::string& of_clock(const std::string& clock) const noexcept;

    /// The answer to `systems`. `averages`: milliseconds by clock, if they are measured.
    [[nodiscard]] Json describe(const std::optional<std::map<std::string, double>>& averages) const;
    /// For each system whether it tracks the entity.
    [[nodiscard]] Json tracking(Entity e) const;
    /// Runs one system. Throws `bad_argument`, `bad_system`, and what the system throws.
    void run(const Request& request) const;

private:
    ECS& ecs_;
    const Classes& classes_;
    std::vector<KnownSystem> all_;
};

/// Milliseconds, to a tenth of a microsecond.
[[nodiscard]] double rounded(double milliseconds) noexcept;

}  // namespace crateful::internal::inspector
