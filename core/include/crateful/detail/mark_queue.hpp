#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "crateful/component.hpp"
#include "crateful/entity.hpp"

namespace crateful {

/// A record of the signals of components in adjacent slots of one storage, in the order of the slots.
struct Mark {
    ComponentId component;
    std::uint32_t slot;   ///< the first
    std::uint32_t count;  ///< of slots
};

/// Marks that a language binding appended in memory, without a call into the core, in their order. The ECS drains
/// the queue before a dirty set is read, so a queued mark has the same effect as an immediate one (rules D2, D9). A
/// signal of the slot after those of the last mark extends that mark, so a loop that changes all values needs one.
class MarkQueue {
public:
    /// When this many marks are queued, the language binding has to request a drain.
    static constexpr std::uint32_t CAPACITY = 4096;

    /// Control block, read and written by language bindings in memory. There is always a mark before `next`: before
    /// `first` is one of no class, which is never extended.
    struct Control {
        Mark* first = nullptr;
        Mark* next = nullptr;  ///< where the next mark is written; the queue is full if it equals `end`
        Mark* end = nullptr;
    };

    MarkQueue() : marks_(CAPACITY + 1) {
        marks_.front().component = NO_COMPONENT;
        control_ = {&marks_.front() + 1, &marks_.front() + 1, &marks_.front() + 1 + CAPACITY};
    }
    MarkQueue(const MarkQueue&) = delete;
    MarkQueue& operator=(const MarkQueue&) = delete;

    [[nodiscard]] bool empty() const noexcept { return control_.next == control_.first; }
    [[nodiscard]] const Control& control() const noexcept { return control_; }
    /// Empties the queue and returns its marks. They stay valid until the next mark is appended.
    [[nodiscard]] std::span<const Mark> drain() noexcept {
        const std::span<const Mark> all{control_.first, control_.next};
        control_.next = control_.first;
        return all;
    }

private:
    static constexpr ComponentId NO_COMPONENT = ~ComponentId{0};
    std::vector<Mark> marks_;
    Control control_;
};

/// Implemented by what can drain its mark queue into the dirty sets.
class MarkDrain {
public:
    virtual void drain_marks() = 0;

protected:
    ~MarkDrain() = default;
};

}  // namespace crateful
