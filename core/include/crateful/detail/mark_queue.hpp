#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "crateful/component.hpp"
#include "crateful/entity.hpp"

namespace crateful {

/// A record of one signal: the component and its slot in its storage.
struct Mark {
    ComponentId component;
    Entity entity;
    std::uint32_t slot;
};

/// Marks that a language binding appended in memory, without a call into the core, in their order. The ECS drains
/// the queue before a dirty set is read, so a queued mark has the same effect as an immediate one (rules D2, D9).
class MarkQueue {
public:
    /// When this many marks are queued, the language binding has to request a drain.
    static constexpr std::uint32_t CAPACITY = 4096;

    /// Control block, read and written by language bindings in memory.
    struct Control {
        Mark* first = nullptr;
        Mark* next = nullptr;  ///< where the next mark is written; the queue is full if it equals `end`
        Mark* end = nullptr;
    };

    MarkQueue() : marks_(CAPACITY) { control_ = {marks_.data(), marks_.data(), marks_.data() + CAPACITY}; }
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
