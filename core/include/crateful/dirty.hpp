#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "crateful/component.hpp"
#include "crateful/entity.hpp"
#include "crateful/sparse_set.hpp"

namespace crateful {

/// One component that said `dirty()`, and the slot its storage has it in.
struct Mark {
    ComponentId component;
    Entity entity;
    std::uint32_t slot;
};

/// Marks made without entering the core, in the order they were made. Another language appends to it
/// in memory; the world drains it before anyone looks at a dirty set, so that a queued mark cannot be
/// told from an immediate one (rules D2, D9).
class MarkQueue {
public:
    static constexpr std::uint32_t CAPACITY = 4096;  // when full, the writer asks for a drain

    struct Control {
        Mark* first = nullptr;
        Mark* next = nullptr;  ///< where the next mark goes, unless that is `end`
        Mark* end = nullptr;
    };

    MarkQueue() : marks_(CAPACITY) { control_ = {marks_.data(), marks_.data(), marks_.data() + CAPACITY}; }
    MarkQueue(const MarkQueue&) = delete;
    MarkQueue& operator=(const MarkQueue&) = delete;

    [[nodiscard]] bool empty() const noexcept { return control_.next == control_.first; }
    [[nodiscard]] const Control& control() const noexcept { return control_; }
    /// The marks made since the last call. They stay readable until the next one is appended.
    [[nodiscard]] std::span<const Mark> take() noexcept {
        const std::span<const Mark> all{control_.first, control_.next};
        control_.next = control_.first;
        return all;
    }

private:
    std::vector<Mark> marks_;
    Control control_;
};

/// Somebody who can bring queued marks into the dirty sets.
class MarkDrain {
public:
    virtual void drain_marks() = 0;

protected:
    ~MarkDrain() = default;
};

/// The tracked entities of one system with a watched component that changed since the system last ran
/// (rules D3 to D9). Reading it never consumes anything; only the system's own run does.
///
/// The set is live. `seen` counts the elements that somebody could have seen during the run: those
/// there at its start, and those an iteration has visited since. They are always the first ones, as
/// every iteration begins at the front and removals keep cursors right; so "clear what was seen" is
/// "drop the front" (rule D7).
class DirtySet {
public:
    explicit DirtySet(MarkDrain* drain = nullptr) noexcept : drain_(drain) { set_.link(seen_); }
    DirtySet(const DirtySet&) = delete;
    DirtySet& operator=(const DirtySet&) = delete;

    [[nodiscard]] std::uint32_t size() { return drained().size(); }
    [[nodiscard]] bool empty() { return size() == 0; }
    [[nodiscard]] bool contains(Entity e) { return drained().contains(e); }
    /// In the order of the first marks. Good until the set changes.
    [[nodiscard]] std::span<const Entity> ids() { return drained().entities(); }

    struct End {};
    class Iterator {
    public:
        explicit Iterator(DirtySet& dirty) : dirty_(dirty), iteration_(dirty.set_) { advance(); }
        [[nodiscard]] Entity operator*() const noexcept { return current_; }
        Iterator& operator++() {
            advance();
            return *this;
        }
        [[nodiscard]] bool operator==(End) const noexcept { return done_; }

    private:
        void advance() {
            done_ = !iteration_.next(current_) && !(dirty_.drain() && iteration_.next(current_));
            if (!done_) dirty_.see(iteration_.visited());
        }
        DirtySet& dirty_;
        SparseSet::Iteration iteration_;
        Entity current_ = NONE;
        bool done_ = false;
    };
    /// Safe against any change meanwhile, and reaches what is marked while it runs (rules D7, T4).
    [[nodiscard]] Iterator begin() { return Iterator(*this); }
    [[nodiscard]] End end() const noexcept { return {}; }

    // --- for the world and for bindings ---
    void connect(MarkDrain& drain) noexcept { drain_ = &drain; }
    /// `e` is alive, and tracked.
    void mark(Entity e) {
        if (!set_.holds(e)) set_.insert(e);
    }
    void erase(Entity e) noexcept { set_.erase(e); }
    /// The system starts to run: it can see all there is.
    void begin_run() noexcept { seen_.position = set_.size(); }
    /// It ran and returned: what was seen goes, what nobody could have seen stays.
    void end_run() noexcept {
        last_seen_ = seen_.position;
        set_.erase_front(last_seen_);
    }
    /// It was passed over, as there was nothing to see.
    void skip_run() noexcept { last_seen_ = 0; }
    /// How many entities the last run could see.
    [[nodiscard]] std::uint32_t last_seen() const noexcept { return last_seen_; }
    void see(std::uint32_t visited) noexcept {
        if (visited > seen_.position) seen_.position = visited;
    }
    [[nodiscard]] SparseSet& set() noexcept { return set_; }
    [[nodiscard]] Cursor& seen() noexcept { return seen_; }

private:
    bool drain() {
        if (drain_ != nullptr) drain_->drain_marks();
        return true;
    }
    SparseSet& drained() {
        drain();
        return set_;
    }

    SparseSet set_;
    Cursor seen_;
    std::uint32_t last_seen_ = 0;
    MarkDrain* drain_;
};

}  // namespace crateful
