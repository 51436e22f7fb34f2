#include "crateful/detail/change_list.hpp"

#include <algorithm>

namespace crateful::internal {

void ChangeList::reserve(std::size_t indices) {
    if (indices > size()) nodes_.resize(std::max(indices, size() * 2) + 1);
}

void ChangeList::append(std::uint32_t at) noexcept {
    Node& node = nodes_[at];
    if (node.time != 0) {
        nodes_[node.previous].next = node.next;
        nodes_[node.next].previous = node.previous;
    }
    node = {nodes_[END].previous, END, now_};
    nodes_[node.previous].next = at;
    nodes_[END].previous = at;
}

}  // namespace crateful::internal
