// Who changed what, in an ECS whose components are partly objects of another language (rule D14): for language bindings.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "crateful/detail/recording.hpp"
#include "crateful/history.hpp"

namespace crateful::internal {

/// An entry, and the part of an update in which it happened. What only the class can read is behind a byte that says what follows.
struct NumberedEntry : HistoryEntry {
    std::uint64_t moment = 0;  ///< see `ChangeHistory::moment`
};

/// What a `History` does.
class ChangeHistory {
public:
    /// `host` may be nullptr; its function `events` is not called.
    ChangeHistory(ECS& of, const HistoryOptions& options, RecordingHost* host = nullptr);
    ~ChangeHistory();
    ChangeHistory(const ChangeHistory&) = delete;
    ChangeHistory& operator=(const ChangeHistory&) = delete;

    /// The entries of an entity, or of the systems with a name, newest first; only those from one moment on and before another one.
    [[nodiscard]] std::vector<NumberedEntry> entries(std::optional<Entity> e, std::optional<std::string_view> system,
                                                     std::uint64_t from = 0, std::uint64_t to = ~std::uint64_t{0});
    /// The number of the present part of an update: of the run of a system, or of what is outside of them.
    [[nodiscard]] const std::uint64_t& moment() const noexcept;
    /// See `History::watch`.
    void watch(ComponentId id);

private:
    class Log;
    std::unique_ptr<Log> log_;
};

}  // namespace crateful::internal
