#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crateful/detail/paged.hpp"
#include "crateful/entity.hpp"

namespace crateful {

struct Mark;

namespace internal {

/// The entities, by index, whose component of one class changed, in the order of their last change: it was added, replaced or
/// removed, or it signalled. Any number of readers can share a list: a reader is a time, and reads what changed since then, at the
/// cost of what changed. What changed, a reader finds out by comparing the component with what it knows.
class ChangeList {
public:
    /// A point between two changes. Time passes only when something is read.
    using Time = std::uint64_t;

    explicit ChangeList(std::uint32_t start = 1) noexcept : now_(start) {}

    /// Guarantees that `add` accepts this index. Throws `std::bad_alloc`.
    void reserve(std::uint32_t index);
    /// More than each index that it accepts.
    [[nodiscard]] std::size_t size() const noexcept { return stamps_.extent(); }
    /// What happened to a component.
    enum class Kind : std::uint8_t {
        place,  ///< it was removed, or is at another place of its storage or among its siblings
        value,  ///< it was replaced, or it signalled
        added   ///< the entity did not have it before
    };
    /// The component of the entity with this index changed. O(1), amortized.
    void add(std::uint32_t index, Kind kind = Kind::value) noexcept;
    /// The components in the slots of these marks signalled; `entities` are those of the storage.
    void add(std::span<const Mark> marks, std::span<const Entity> entities) noexcept;
    /// Whether the entity with this index got the component since then.
    [[nodiscard]] bool added_since(std::uint32_t index, Time since) const noexcept {
        const Stamp* stamp = stamps_.find(index);
        return stamp != nullptr && stamp->added >= in_era(since);
    }
    /// Whether the component of the entity with this index was added or replaced, or signalled, since then.
    [[nodiscard]] bool signaled_since(std::uint32_t index, Time since) const noexcept {
        const Stamp* stamp = stamps_.find(index);
        return stamp != nullptr && stamp->signaled >= in_era(since);
    }
    /// Calls `visit(index)` for each index that changed since `since`, the last change first, until it returns false. Returns the
    /// present time, at which the next reading continues. `visit` must not change the list. O(changes).
    template <class Visit>
    Time read(Time since, Visit&& visit) {
        if (end_ == 0) return now();
        const std::uint32_t first = in_era(since);
        const std::uint32_t newest = log_[end_ - 1].time;
        for (std::size_t k = end_; k-- > 0 && log_[k].time >= first;) {
            if (log_[k].time != newest && !is_last(log_[k])) continue;
            if (!visit(log_[k].index)) break;
        }
        if (newest == now_) pass();
        return now();
    }
    /// Bytes allocated.
    [[nodiscard]] std::size_t bytes() const noexcept { return stamps_.bytes() + log_.capacity() * sizeof(Change); }

private:
    // Times in the log are those of one era; after 2^32 readings, a new one begins.
    struct Stamp {
        std::uint32_t changed = 0;   // its last change
        std::uint32_t signaled = 0;  // its last change that is more than another place
        std::uint32_t added = 0;     // its last addition
    };
    struct Change {
        std::uint32_t index;
        std::uint32_t time;
    };

    [[nodiscard]] Time now() const noexcept { return Time{era_} << 32U | now_; }
    // 0, before all changes, for a time of an earlier era.
    [[nodiscard]] std::uint32_t in_era(Time time) const noexcept {
        return time >> 32U == era_ ? static_cast<std::uint32_t>(time) : 0;
    }

    // Each index has one entry that counts, so at least half of a full log does not.
    [[nodiscard]] bool is_last(const Change& each) const noexcept { return stamps_[each.index].changed == each.time; }
    void pass() noexcept;
    void drop_old() noexcept;

    Paged<Stamp> stamps_;
    std::vector<Change> log_;  // sorted by time; there is room for two of each index with memory
    std::size_t end_ = 0;      // of what is used of it
    std::uint32_t now_;
    std::uint32_t era_ = 0;
};

}  // namespace internal
}  // namespace crateful
