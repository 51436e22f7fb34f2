#include "crateful/detail/hierarchy.hpp"

#include <algorithm>
#include <utility>

namespace crateful {

Hierarchy::~Hierarchy() {
    for (Index* page : pages_) delete[] page;
}

void Hierarchy::make_page(std::size_t page) {
    if (page >= pages_.size()) {
        pages_.resize(page + 1);
        control_.pages = pages_.data();
        control_.page_count = static_cast<std::uint32_t>(pages_.size());
    }
    if (pages_[page] == nullptr) pages_[page] = new Index[1u << PAGE_BITS]();
}

void Hierarchy::reserve(std::size_t indices, std::size_t nodes) {
    for (std::size_t page = 0; page << PAGE_BITS < indices; ++page) make_page(page);
    nodes_.reserve(nodes + 1);
    control_.nodes = nodes_.data();
}

Hierarchy::Index Hierarchy::make(Entity e) {
    const std::size_t page = index_of(e) >> PAGE_BITS;
    make_page(page);
    Index& at = pages_[page][index_of(e) & PAGE_MASK];
    if (at != NO_NODE) return at;
    if (unused_ == NO_NODE) {
        nodes_.resize(std::max<std::size_t>(nodes_.size() + 1, 2));
        control_.nodes = nodes_.data();
        at = static_cast<Index>(nodes_.size() - 1);
    } else {
        at = std::exchange(unused_, nodes_[unused_].next);
    }
    nodes_[at] = {.entity = e};
    ++used_;
    return at;
}

void Hierarchy::attach(Index child, Index parent, Index before) noexcept {
    ++control_.version;
    Node& node = nodes_[child];
    Node& above = nodes_[parent];
    node.parent = parent;
    node.next = before;
    node.previous = before == NO_NODE ? above.last : nodes_[before].previous;
    (node.previous == NO_NODE ? above.first : nodes_[node.previous].next) = child;
    (before == NO_NODE ? above.last : nodes_[before].previous) = child;
}

void Hierarchy::detach(Index child) noexcept {
    ++control_.version;
    Node& node = nodes_[child];
    for (Position* p = positions_; p != nullptr; p = p->other) {
        if (p->next == child) p->next = p->last == child ? NO_NODE : node.next;
        if (p->last == child) p->last = node.previous;
    }
    Node& above = nodes_[node.parent];
    (node.previous == NO_NODE ? above.first : nodes_[node.previous].next) = node.next;
    (node.next == NO_NODE ? above.last : nodes_[node.next].previous) = node.previous;
    node.parent = node.previous = node.next = NO_NODE;
}

void Hierarchy::remove(Index at) noexcept {
    Node& node = nodes_[at];
    pages_[index_of(node.entity) >> PAGE_BITS][index_of(node.entity) & PAGE_MASK] = NO_NODE;
    node = {.next = std::exchange(unused_, at)};
    --used_;
}

void Hierarchy::erase(Entity e) noexcept {
    const Index at = find(e);
    if (at == NO_NODE) return;
    while (nodes_[at].first != NO_NODE) {
        const Index child = nodes_[at].first;
        detach(child);
        remove_single(child);
    }
    const Index parent = nodes_[at].parent;
    if (parent != NO_NODE) detach(at);
    remove(at);
    remove_single(parent);
}

void Hierarchy::clear() noexcept {
    ++control_.version;
    for (Position* p = positions_; p != nullptr; p = p->other) p->next = NO_NODE;
    for (Index* page : pages_) {
        if (page != nullptr) std::fill_n(page, 1u << PAGE_BITS, NO_NODE);
    }
    nodes_.resize(std::min<std::size_t>(nodes_.size(), 1));
    unused_ = NO_NODE;
    used_ = 0;
}

void Hierarchy::unlink(Position& position) noexcept {
    Position** at = &positions_;
    while (*at != &position) at = &(*at)->other;
    *at = position.other;
}

}  // namespace crateful
