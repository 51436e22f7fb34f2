#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "crateful/component.hpp"
#include "crateful/detail/dirty_causes.hpp"
#include "crateful/detail/mark_queue.hpp"
#include "crateful/detail/sparse_set.hpp"
#include "crateful/entity.hpp"

namespace crateful {

/// The dirty set of one system: the tracked entities with a watched component that signalled since the system last
/// ran (rules D3 to D9). Reading it clears nothing; only a run of the system does.
///
/// The set is live. A run clears the entities that were in the set at its start and those that an iteration visited
/// since (rule D7). These are always the first elements, because every iteration begins at the front and removals
/// keep positions correct. So one linked position, `visited`, records how many of the first elements the run clears.
class DirtySet {
public:
    /// An empty set. `drain` is what `connect` sets.
    explicit DirtySet(MarkDrain* drain = nullptr) noexcept : drain_(drain) { set_.link(visited_); }
    DirtySet(const DirtySet&) = delete;
    DirtySet& operator=(const DirtySet&) = delete;

    // Each of these calls first drains the mark queue.

    /// The number of dirty entities. O(1).
    [[nodiscard]] std::uint32_t size() const { return drained().size(); }
    /// Whether no entity is dirty. O(1).
    [[nodiscard]] bool empty() const { return size() == 0; }
    /// Whether the entity is dirty. O(1).
    [[nodiscard]] bool contains(Entity e) const { return drained().contains(e); }
    /// The entities in the order of their first signal; a removal may have moved the last one into the gap (rule D9).
    /// Valid until the set changes.
    [[nodiscard]] std::span<const Entity> ids() const { return drained().entities(); }

    struct End {};  ///< what `end()` returns
    /// An iteration over the set, as `begin()` starts it.
    class Iterator {
    public:
        using iterator_concept = std::input_iterator_tag;
        using difference_type = std::ptrdiff_t;
        using value_type = Entity;

        /// See `DirtySet::begin`.
        explicit Iterator(DirtySet& dirty) : dirty_(&dirty), iteration_(dirty.set_, IterationPosition::UNLIMITED) {
            ++*this;
        }
        [[nodiscard]] Entity operator*() const noexcept { return current_; }
        /// The same.
        [[nodiscard]] Entity entity() const noexcept { return current_; }
        Iterator& operator++() {
            done_ = !iteration_.next(current_) && !(dirty_->drain() && iteration_.next(current_));
            if (!done_) dirty_->visit(iteration_.visited());
            return *this;
        }
        void operator++(int) { ++*this; }
        [[nodiscard]] bool operator==(End) const noexcept { return done_; }

    private:
        DirtySet* dirty_;
        SparseSet::Iteration iteration_;
        Entity current_ = NONE;
        bool done_ = false;
    };
    /// Iterates over the entities. Any change is allowed meanwhile, and entities that become dirty during the
    /// iteration are visited (rules D7, T4). A dirty set is a `std::ranges::input_range` (rule Q9).
    [[nodiscard]] Iterator begin() { return Iterator(*this); }
    /// See `begin()`.
    [[nodiscard]] End end() const noexcept { return {}; }

    /// The entities of a dirty set that one class made dirty, as `of()` returns them. A `std::ranges::input_range`.
    class Of {
    public:
        /// See `DirtySet::of`.
        Of(DirtySet& dirty, std::uint32_t causes) noexcept : dirty_(&dirty), causes_(causes) {}
        /// An iteration, as `begin()` starts it.
        class Iterator {
        public:
            using iterator_concept = std::input_iterator_tag;
            using difference_type = std::ptrdiff_t;
            using value_type = Entity;

            /// See `Of::begin`.
            explicit Iterator(const Of& of) : dirty_(of.dirty_), causes_(of.causes_), at_(dirty_->begin()) { skip(); }
            [[nodiscard]] Entity operator*() const noexcept { return *at_; }
            /// The same.
            [[nodiscard]] Entity entity() const noexcept { return *at_; }
            Iterator& operator++() {
                ++at_;
                skip();
                return *this;
            }
            void operator++(int) { ++*this; }
            [[nodiscard]] bool operator==(End end) const noexcept { return at_ == end; }

        private:
            void skip() {
                while (!(at_ == End{}) && !dirty_->causes_.has(*at_, causes_)) ++at_;
            }
            DirtySet* dirty_;
            std::uint32_t causes_;
            DirtySet::Iterator at_;
        };
        /// As `DirtySet::begin`.
        [[nodiscard]] Iterator begin() const { return Iterator(*this); }
        /// See `begin()`.
        [[nodiscard]] End end() const noexcept { return {}; }

    private:
        DirtySet* dirty_;
        std::uint32_t causes_;
    };
    /// Those entities of the set for which this watched class signalled, and those that the system has newly started to track, for a
    /// system that does different work for different changes (rule D15): `for (Entity e : dirty.of<Health>())`. Iterating it counts
    /// as iterating the set, including the entities that it passes over (rule D7). What was in the set before the first call of `of`
    /// counts for every class. Throws `bad_argument` if the system does not watch the class, or more than 31 classes. A step is
    /// O(1), plus one for each entity that is passed over.
    template <class T>
    [[nodiscard]] Of of() {
        return of(component_id<T>());
    }
    /// The same for the class with this id.
    [[nodiscard]] Of of(ComponentId id);

    /// Keeps an entity in the set for the next run of the system, also if this run visits it (rule D12). Throws `bad_argument`
    /// if the set does not contain it. O(1).
    void keep(Entity e);
    /// The same set, sorted so that ancestors are in front of their descendants (rule D13): `for (Entity e : dirty.top_down())`.
    /// Entities that become dirty during the iteration follow at its end. O(1) if the entities became dirty because of their
    /// ancestors, otherwise O(entities and their ancestors). If another iteration is in progress, only the entities that it has
    /// visited, and those that it has not, are sorted among themselves. During a run, all entities that are in the set now count
    /// as visited (rule D7).
    DirtySet& top_down() {
        drain();
        // Otherwise, what became dirty during the run could not be in front of the other elements.
        if (running_) visit(set_.size());
        keeps_order_ = true;
        if (is_top_down() || drain_ == nullptr) return *this;
        if (!running_) visited_.position = 0;  // it has a meaning only during a run
        drain_->sort_top_down(*this);
        return *this;
    }

    // --- for the ECS and language bindings ---

    /// Sets what drains the mark queue before the set is read.
    void connect(MarkDrain& drain) noexcept { drain_ = &drain; }
    /// Adds `e`, which must be alive and tracked, unless the set contains it. `causes` says why (`DirtyCauses`).
    void mark(Entity e, std::uint32_t causes = internal::DirtyCauses::ALL) { mark(e, causes, causes_.kept()); }
    /// The same in a loop: `kept` is `causes().kept()`, so that it is read once.
    [[gnu::always_inline]] void mark(Entity e, std::uint32_t causes, bool kept) {
        if (kept) mark_with(e, causes);
        else set_.insert_alive(e);
    }
    /// The same for entities that the set does not contain, which the system has newly started to track.
    void append(std::span<const Entity> entities) {
        set_.reserve(entities);
        if (causes_.kept()) causes_.keep(entities);
        set_.append(entities);
    }
    /// Why the entities are in the set.
    [[nodiscard]] internal::DirtyCauses& causes() noexcept { return causes_; }
    /// Removes `e`; has no effect if the set does not contain it.
    void erase(Entity e) noexcept {
        if (!kept_.empty()) std::erase(kept_, e);
        if (!running_) visited_.position = 0;  // it has a meaning only during a run
        if (!keeps_order_ && !ordered_) {
            if (set_.erase(e)) sorted_ = UNSORTED;
            return;
        }
        const bool is_sorted = sorted_ != UNSORTED && set_.slot(e) < sorted_;
        if (set_.erase_in_order(e) && is_sorted) --sorted_;
    }
    /// Whether removals keep the order of the others, in O(dirty) each (rule S14).
    void ordered(bool on) noexcept { ordered_ = on; }
    /// Removes all entities.
    void clear() noexcept {
        set_.clear();
        kept_.clear();
        sorted_ = 0;
    }
    /// The system starts to run: all entities that are in the set now count as visited.
    void begin_run() noexcept {
        running_ = true;
        keeps_order_ = false;
        visited_.position = set_.size();
    }
    /// The system ran and returned: erases the visited prefix (rule D7).
    void end_run() noexcept {
        set_.take_back_positions();  // a language binding may have visited more
        last_visited_ = visited_.position;
        if (last_visited_ != 0) erase_visited();
        finish_run();
        free_idle_memory();
    }
    /// The run has ended. After a run that threw, only this is called, so that the set stays (rule S7).
    void finish_run() noexcept {
        running_ = false;
        keeps_order_ = false;
        kept_.clear();
    }
    /// The system was skipped: because its dirty set is empty (rule D11), or by its condition (rule S15).
    void skip_run() noexcept {
        last_visited_ = 0;
        free_idle_memory();
    }
    /// How many entities the last run cleared.
    [[nodiscard]] std::uint32_t last_visited() const noexcept { return last_visited_; }
    /// An iteration has visited the first `n` elements.
    void visit(std::uint32_t n) noexcept {
        if (n > visited_.position) visited_.position = n;
    }
    /// The entities, without those whose marks are still queued.
    [[nodiscard]] SparseSet& set() noexcept { return set_; }

    // An entity is reached if all its tracked descendants are in the set. `at` is the index of its node.

    /// Makes room for this many nodes.
    void reserve_reached(std::size_t nodes) {
        if (reached_.size() < nodes) reached_.resize(nodes + nodes / 2);
    }
    /// Whether the node was not reached until now.
    bool reach(std::uint32_t at) noexcept { return std::exchange(reached_[at], round_) != round_; }
    /// The same for one cause, if causes are kept: its descendants are in the set because of it.
    bool reach_with(std::uint32_t at, std::uint32_t causes);
    /// No node is reached any more.
    void forget_reached() noexcept {
        if (++round_ != 0) return;
        std::fill(reached_.begin(), reached_.end(), 0);
        round_ = 1;
    }
    /// Whether it is known that no entity is in front of one of its ancestors.
    [[nodiscard]] bool is_top_down() const noexcept { return sorted_ == set_.size() || set_.empty(); }
    /// States whether the set is sorted now.
    void set_top_down(bool is) noexcept { sorted_ = is ? set_.size() : UNSORTED; }
    /// Whether removals keep the order, because the set was sorted by `top_down()` and its system has not run since.
    [[nodiscard]] bool& keeps_order() noexcept { return keeps_order_; }
    /// The position behind the visited prefix.
    [[nodiscard]] IterationPosition& visited() noexcept { return visited_; }

private:
    bool drain() const {
        if (drain_ != nullptr) drain_->drain_marks();
        return true;
    }
    const SparseSet& drained() const {
        drain();
        return set_;
    }

    void erase_visited() noexcept;
    void mark_with(Entity e, std::uint32_t causes);

    // Every entity is dirty when a system starts to track it. So the set is often as large as it will ever be in the first
    // frame, and nearly empty from then on.
    void free_idle_memory() noexcept {
        if (set_.capacity() < SparseSet::ENTRIES_PER_PAGE) return;
        if (last_visited_ > set_.capacity() / 16) {
            idle_runs_ = 0;
        } else if (++idle_runs_ >= 60 && set_.empty()) {
            set_.free_memory();
            idle_runs_ = 0;
        }
    }

    SparseSet set_;
    IterationPosition visited_;
    std::uint32_t last_visited_ = 0;
    std::uint32_t idle_runs_ = 0;  // runs in succession in which it needed little of its memory
    bool running_ = false;
    bool ordered_ = false;
    bool keeps_order_ = false;  // from `top_down()` to the end of the run: an iteration may be in progress
    static constexpr std::uint32_t UNSORTED = ~0u;
    std::uint32_t sorted_ = 0;            // the size of the set when it was last known to be sorted
    std::vector<Entity> kept_;            // for the next run
    std::vector<std::uint32_t> reached_;  // by node: the round in which it was reached
    std::uint32_t round_ = 1;
    internal::DirtyCauses causes_;
    std::vector<std::uint32_t> reached_causes_;  // by node, if causes are kept: those of its descendants
    MarkDrain* drain_;
};

}  // namespace crateful
