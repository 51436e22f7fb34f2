#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace crateful::internal {

/// The entities, by index, whose component of one class changed, in the order of their last change: it was added, replaced or
/// removed, or it signalled. Each index is in the list once; one that changes again moves to the end. So any number of readers can
/// share a list: a reader is a time, and reads what changed since then, at the cost of what changed. What changed, a reader finds
/// out by comparing the component with what it knows.
class ChangeList {
public:
    /// A point between two changes: a whole number. Time passes only when the list is read.
    using Time = double;

    /// Guarantees that `add` accepts the indices below `indices`.
    void reserve(std::size_t indices);
    /// How many indices it accepts.
    [[nodiscard]] std::size_t size() const noexcept { return nodes_.size() - 1; }
    /// The component of the entity with this index changed. `added`: the entity did not have it before. O(1).
    void add(std::uint32_t index, bool added = false) noexcept;
    /// Whether the entity with this index got the component since then.
    [[nodiscard]] bool added_since(std::uint32_t index, Time since) const noexcept {
        return nodes_[index + 1].added >= since;
    }
    /// Calls `visit(index)` for each index that changed since `since`, the last change first, until it returns false. Returns the
    /// present time, at which the next reading continues. `visit` must not change the list. O(changes).
    template <class Visit>
    Time read(Time since, Visit&& visit) {
        std::uint32_t at = nodes_[END].previous;
        ++now_;
        while (at != END && nodes_[at].time >= since && visit(at - 1)) at = nodes_[at].previous;
        return now_;
    }
    /// Bytes allocated.
    [[nodiscard]] std::size_t bytes() const noexcept { return nodes_.capacity() * sizeof(Node); }

private:
    // The list is circular; END is in front of the first and behind the last node.
    static constexpr std::uint32_t END = 0;
    struct Node {
        std::uint32_t previous = END;
        std::uint32_t next = END;
        Time time = 0;   // of its last change; 0 if it is not in the list
        Time added = 0;  // of its last addition
    };

    std::vector<Node> nodes_ = std::vector<Node>(1);  // that of an index is behind END
    Time now_ = 1;
};

}  // namespace crateful::internal
