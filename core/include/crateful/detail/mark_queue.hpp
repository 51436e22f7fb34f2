#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "crateful/component.hpp"
#include "crateful/entity.hpp"

namespace crateful {

/// A record of the signals of components in adjacent slots of one storage, in the order of the slots.
struct Mark {
    ComponentId component;
    std::uint32_t first;  ///< the first slot
    std::uint32_t end;    ///< behind the last slot
};

/// Marks that a language binding appended in memory, without a call into the core, in their order. The ECS drains
/// the queue before a dirty set is read, so a queued mark has the same effect as an immediate one (rules D2, D9). A
/// signal of the slot after those of the last mark extends that mark, so that a loop that changes all values needs one.
class MarkQueue {
public:
    /// When this many marks are queued, the language binding has to request a drain.
    static constexpr std::uint32_t CAPACITY = 1024;

    static constexpr ComponentId NO_COMPONENT = ~ComponentId{0};

    /// Control block, read and written by language bindings in memory.
    struct Control {
        Mark last{NO_COMPONENT, 0, 0};  ///< the last mark, which is not in the queue yet, so that it can be extended
        Mark* next = nullptr;           ///< where it is written when another mark follows
        Mark* end = nullptr;            ///< the queue is full if `next` equals it
    };

    MarkQueue() : marks_(CAPACITY + 1) {
        control_.next = marks_.data();
        control_.end = marks_.data() + CAPACITY;
    }
    MarkQueue(const MarkQueue&) = delete;
    MarkQueue& operator=(const MarkQueue&) = delete;

    [[nodiscard]] bool empty() const noexcept { return control_.last.component == NO_COMPONENT; }
    [[nodiscard]] bool full() const noexcept { return control_.next == control_.end; }
    [[nodiscard]] const Control& control() const noexcept { return control_; }
    /// Appends a mark; the queue must not be full.
    void append(const Mark& mark) noexcept {
        if (!empty()) *control_.next++ = control_.last;
        control_.last = mark;
    }
    /// Appends the marks again that `drain` has returned.
    void restore(std::span<const Mark> drained) noexcept {
        control_.last = drained.back();
        control_.next = marks_.data() + drained.size() - 1;
    }
    /// Empties the queue and returns its marks. They stay valid until the next mark is appended.
    [[nodiscard]] std::span<const Mark> drain() noexcept {
        if (!empty()) *control_.next++ = control_.last;
        control_.last.component = NO_COMPONENT;
        return {marks_.data(), std::exchange(control_.next, marks_.data())};
    }

private:
    std::vector<Mark> marks_;
    Control control_;
};

class DirtySet;

/// A mark queue and, in the derived class, the dirty sets that it is drained into.
class MarkDrain {
public:
    /// Sorts a dirty set so that no entity is in front of one of its ancestors (rule D13).
    virtual void sort_top_down(DirtySet& /*dirty*/) {}
    /// The queue to which language bindings append marks.
    [[nodiscard]] MarkQueue& marks() noexcept { return marks_; }
    /// Moves the queued marks into the dirty sets.
    void drain_marks() {
        if (!marks_.empty()) drain_queue();
    }

protected:
    ~MarkDrain() = default;
    virtual void drain_queue() = 0;

    MarkQueue marks_;
};

}  // namespace crateful
