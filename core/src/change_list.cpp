#include "crateful/detail/change_list.hpp"

#include <algorithm>

namespace crateful::internal {

void ChangeList::reserve(std::size_t indices) {
    if (indices > size()) nodes_.resize(std::max(indices, size() * 2) + 1);
}

void ChangeList::add(std::uint32_t index, bool added) noexcept {
    const std::uint32_t at = index + 1;
    Node& node = nodes_[at];
    if (added) node.added = now_;
    if (node.time == now_) return;
    if (node.time != 0) {
        nodes_[node.previous].next = node.next;
        nodes_[node.next].previous = node.previous;
    }
    node.previous = nodes_[END].previous;
    node.next = END;
    node.time = now_;
    nodes_[node.previous].next = at;
    nodes_[END].previous = at;
}

}  // namespace crateful::internal
