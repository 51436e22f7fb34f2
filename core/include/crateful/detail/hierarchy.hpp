#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "crateful/entity.hpp"

namespace crateful {

/// The entities that have a parent or children, as nodes of trees (rules H1 to H4). Other entities are not in it and need no
/// memory. Nodes never move to another index, and an index is used again after its node was removed.
class Hierarchy {
public:
    using Index = std::uint32_t;
    /// In place of the index of a node.
    static constexpr Index NO_NODE = 0;
    static constexpr std::uint32_t PAGE_BITS = 10;

    /// Each index is NO_NODE if there is no such node.
    struct Node {
        Entity entity = NONE;
        Index parent = NO_NODE;
        Index first = NO_NODE;  ///< the first child
        Index last = NO_NODE;   ///< the last child
        Index previous = NO_NODE;
        Index next = NO_NODE;  ///< the next sibling; of an unused node, the next unused one
    };
    /// Control block, read by language bindings in memory. A page contains the index of the node of each entity, by entity
    /// index; a page without nodes is nullptr.
    struct Control {
        const Node* nodes = nullptr;
        Index** pages = nullptr;
        std::uint32_t page_count = 0;
        std::uint32_t version = 0;  ///< incremented when an entity is attached or detached
    };
    /// The position of an iteration over the children of one entity. While it is linked, the removal of children does not
    /// invalidate it (rule T4).
    struct Position {
        Index next = NO_NODE;
        Index last = NO_NODE;  ///< behind this child, children were added since it began
        Position* other = nullptr;
    };

    Hierarchy() = default;
    ~Hierarchy();
    Hierarchy(const Hierarchy&) = delete;
    Hierarchy& operator=(const Hierarchy&) = delete;

    [[nodiscard]] const Control& control() const noexcept { return control_; }
    /// Whether no entity has a parent.
    [[nodiscard]] bool empty() const noexcept { return used_ == 0; }
    /// How many entities have a parent or children.
    [[nodiscard]] std::size_t count() const noexcept { return used_; }
    /// One more than the highest index of a node so far.
    [[nodiscard]] std::size_t extent() const noexcept { return nodes_.size(); }
    [[nodiscard]] const Node& operator[](Index at) const noexcept { return nodes_[at]; }
    /// The node of an entity that is alive, or NO_NODE. O(1).
    [[nodiscard]] Index find(Entity e) const noexcept {
        const std::uint32_t page = index_of(e) >> PAGE_BITS;
        if (page >= control_.page_count || pages_[page] == nullptr) return NO_NODE;
        return pages_[page][index_of(e) & PAGE_MASK];
    }
    /// The parent of an entity that is alive, or NONE. O(1).
    [[nodiscard]] Entity parent(Entity e) const noexcept {
        return nodes_.empty() ? NONE : nodes_[nodes_[find(e)].parent].entity;
    }
    /// Whether `ancestor` is `of` or one of its ancestors. O(depth).
    [[nodiscard]] bool contains(Index ancestor, Index of) const noexcept {
        while (of != ancestor && of != NO_NODE) of = nodes_[of].parent;
        return of == ancestor;
    }

    /// Guarantees that `make` does not fail for entities with an index below `indices` as long as there are at most `nodes` nodes.
    /// Throws `std::bad_alloc`.
    void reserve(std::size_t indices, std::size_t nodes);
    /// Creates the node of an entity, unless it exists. Throws `std::bad_alloc`, and then changes nothing.
    Index make(Entity e);
    /// Makes `child`, which has no parent, a child of `parent`, in front of `before` or as the last one. O(1).
    void attach(Index child, Index parent, Index before) noexcept;
    /// Detaches a node from its parent. O(1).
    void detach(Index child) noexcept;
    /// Removes a node that has neither a parent nor children.
    void remove_single(Index at) noexcept {
        if (at != NO_NODE && nodes_[at].parent == NO_NODE && nodes_[at].first == NO_NODE) remove(at);
    }
    /// The entity is destroyed: removes its node. Its children have no parent any more. O(children).
    void erase(Entity e) noexcept;
    /// Removes all nodes.
    void clear() noexcept;

    void link(Position& position) noexcept {
        position.other = positions_;
        positions_ = &position;
    }
    void unlink(Position& position) noexcept;

    /// Calls `visit(Index)` for each descendant, parents first, in the order of the children. Descendants of one for which it
    /// returns false are omitted. Needs no stack (rule H4).
    template <class Visit>
    void each_descendant(Index root, Visit&& visit) const {
        Index at = nodes_[root].first;
        while (at != NO_NODE) {
            if (visit(at) && nodes_[at].first != NO_NODE) {
                at = nodes_[at].first;
                continue;
            }
            while (nodes_[at].next == NO_NODE) {
                at = nodes_[at].parent;
                if (at == root) return;
            }
            at = nodes_[at].next;
        }
    }

private:
    static constexpr std::uint32_t PAGE_MASK = (1u << PAGE_BITS) - 1;

    void make_page(std::size_t page);
    void remove(Index at) noexcept;

    std::vector<Node> nodes_;  // the first one is NO_NODE
    std::vector<Index*> pages_;
    Index unused_ = NO_NODE;  // the first node that can be used again
    std::uint32_t used_ = 0;
    Position* positions_ = nullptr;
    Control control_;
};

}  // namespace crateful
