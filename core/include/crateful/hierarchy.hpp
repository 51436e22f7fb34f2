#pragma once
#include <cstddef>
#include <iterator>
#include <utility>

#include "crateful/component.hpp"
#include "crateful/detail/hierarchy.hpp"
#include "crateful/entity.hpp"

namespace crateful {

/// The component of every entity that has a parent (rule H3). Systems can require, exclude and watch it; only
/// `ECS::set_parent` adds, changes and removes it: nothing else may assign to one in a storage or query.
class Parent {
public:
    /// The parent.
    [[nodiscard]] Entity entity() const noexcept { return entity_; }

private:
    Entity entity_ = NONE;
};

/// The id of Parent: the same in every process, because it is the first class of the registry.
inline constexpr ComponentId PARENT_ID = 0;
template <>
[[nodiscard]] inline ComponentId component_id<Parent>() {
    return PARENT_ID;
}

namespace internal {
/// The description of Parent. A program in which no C++ reads it can replace the function by one with a storage that it uses
/// anyway.
[[nodiscard]] ComponentType parent_type();
}  // namespace internal

/// The children of one entity, in their order: `for (Entity child : ecs.children(e))`. Any change is allowed during an
/// iteration (rule T4): children that are added at the end are not visited, those that are added in front of others may be, and a
/// child whose position changes counts as removed and added again. A `std::ranges::input_range`.
class Children {
public:
    /// An iteration over the children, as `begin()` starts it. It must not outlive the ECS.
    class Iterator {
    public:
        using iterator_concept = std::input_iterator_tag;
        using difference_type = std::ptrdiff_t;
        using value_type = Entity;

        /// Visits the nodes from `first` to `last`, which are NO_NODE if there is none.
        Iterator(Hierarchy& hierarchy, Hierarchy::Index first, Hierarchy::Index last) noexcept
            : hierarchy_(&hierarchy) {
            hierarchy_->link(at_);
            at_.next = first;
            at_.last = last;
            ++*this;
        }
        ~Iterator() { hierarchy_->unlink(at_); }
        /// Continues at the same child; both follow changes of the hierarchy.
        Iterator(const Iterator& other) noexcept
            : hierarchy_(other.hierarchy_), current_(other.current_), done_(other.done_) {
            hierarchy_->link(at_);
            at_.next = other.at_.next;
            at_.last = other.at_.last;
        }
        /// The same. `other` must be of the same ECS.
        Iterator& operator=(const Iterator& other) noexcept {
            at_.next = other.at_.next;
            at_.last = other.at_.last;
            current_ = other.current_;
            done_ = other.done_;
            return *this;
        }

        [[nodiscard]] Entity operator*() const noexcept { return current_; }
        Iterator& operator++() noexcept {
            done_ = at_.next == Hierarchy::NO_NODE;
            if (done_) return *this;
            const Hierarchy::Node& node = (*hierarchy_)[at_.next];
            current_ = node.entity;
            at_.next = at_.next == at_.last ? Hierarchy::NO_NODE : node.next;
            return *this;
        }
        void operator++(int) noexcept { ++*this; }
        [[nodiscard]] bool operator==(std::default_sentinel_t) const noexcept { return done_; }

    private:
        Hierarchy* hierarchy_;
        Hierarchy::Position at_;
        Entity current_ = NONE;
        bool done_ = false;
    };
    /// O(1), and so is a step.
    [[nodiscard]] Iterator begin() const noexcept {
        const Hierarchy::Index at = hierarchy_->find(parent_);
        // The entity may have been removed, and its index used again.
        const bool has_any = at != Hierarchy::NO_NODE && (*hierarchy_)[at].entity == parent_;
        if (!has_any) return {*hierarchy_, Hierarchy::NO_NODE, Hierarchy::NO_NODE};
        return {*hierarchy_, (*hierarchy_)[at].first, (*hierarchy_)[at].last};
    }
    /// See `begin()`.
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }
    /// Whether there is no child. O(1). To count the children, use `std::ranges::distance`, which is O(children).
    [[nodiscard]] bool empty() const noexcept { return front() == NONE; }
    /// The first child, or NONE. O(1).
    [[nodiscard]] Entity front() const noexcept {
        const Iterator first = begin();
        return first == end() ? NONE : *first;
    }

private:
    friend class ECS;
    Children(Hierarchy& hierarchy, Entity parent) noexcept : hierarchy_(&hierarchy), parent_(parent) {}
    Hierarchy* hierarchy_;
    Entity parent_;
};

}  // namespace crateful
