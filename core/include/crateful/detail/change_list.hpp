#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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
    using Time = std::uint32_t;

    explicit ChangeList(Time start = 1) noexcept : now_(start) {}

    /// Guarantees that `add` accepts the indices below `indices`.
    void reserve(std::size_t indices);
    /// How many indices it accepts.
    [[nodiscard]] std::size_t size() const noexcept { return stamps_.size(); }
    /// The component of the entity with this index changed. `added`: the entity did not have it before. O(1), amortized.
    void add(std::uint32_t index, bool added = false) noexcept;
    /// The same for the components in the slots of these marks; `entities` are those of the storage.
    void add(std::span<const Mark> marks, std::span<const Entity> entities) noexcept;
    /// Whether the entity with this index got the component since then.
    [[nodiscard]] bool added_since(std::uint32_t index, Time since) const noexcept {
        return stamps_[index].added >= since || since > now_;
    }
    /// Calls `visit(index)` for each index that changed since `since`, the last change first, until it returns false. Returns the
    /// present time, at which the next reading continues. `visit` must not change the list. O(changes).
    template <class Visit>
    Time read(Time since, Visit&& visit) {
        if (since > now_) since = 0;  // it was before all times began anew
        if (end_ == 0) return now_;
        const Time newest = log_[end_ - 1].time;
        for (std::size_t k = end_; k-- > 0 && log_[k].time >= since;) {
            if (log_[k].time != newest && !is_last(log_[k])) continue;
            if (!visit(log_[k].index)) break;
        }
        if (newest == now_) pass();
        return now_;
    }
    /// Bytes allocated.
    [[nodiscard]] std::size_t bytes() const noexcept {
        return stamps_.capacity() * sizeof(Stamp) + log_.capacity() * sizeof(Change);
    }

private:
    struct Stamp {
        Time changed = 0;  // its last change
        Time added = 0;    // its last addition
    };
    struct Change {
        std::uint32_t index;
        Time time;
    };

    // Each index has one entry that counts, so at least half of a full log does not.
    [[nodiscard]] bool is_last(const Change& each) const noexcept { return stamps_[each.index].changed == each.time; }
    void pass() noexcept;
    void drop_old() noexcept;

    std::vector<Stamp> stamps_;  // by index
    std::vector<Change> log_;    // sorted by time; there is room for two of each index
    std::size_t end_ = 0;        // of what is used of it
    Time now_;
};

}  // namespace internal
}  // namespace crateful
