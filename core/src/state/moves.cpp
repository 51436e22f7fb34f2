#include "moves.hpp"

#include <algorithm>

namespace crateful::internal {

std::vector<OrderedMove> order_moves(const std::vector<Move>& moves) {
    std::vector<OrderedMove> ordered;
    ordered.reserve(moves.size());
    std::vector<std::size_t> position(moves.size(), NO_RUN);
    std::vector<std::size_t> stack;
    const auto next_of = [&](std::size_t k) {
        const Entity before = moves[k].before;
        const auto less = [](const Move& each, std::uint32_t index) { return each.child < index; };
        const auto at = std::lower_bound(moves.begin(), moves.end(), index_of(before), less);
        const bool found =
            before != NONE && at != moves.end() && at->child == index_of(before) && at->parent == moves[k].parent;
        return found ? static_cast<std::size_t>(at - moves.begin()) : NO_RUN;
    };
    constexpr std::size_t IN_STACK = NO_RUN - 1;
    for (std::size_t k = 0; k < moves.size(); ++k) {
        for (std::size_t at = k; at != NO_RUN && position[at] == NO_RUN; at = next_of(at)) {
            position[at] = IN_STACK;
            stack.push_back(at);
        }
        for (; !stack.empty(); stack.pop_back()) {
            const std::size_t next = next_of(stack.back());
            // Forged bytes can name them in a circle.
            const bool is_placed = next != NO_RUN && position[next] != IN_STACK;
            position[stack.back()] = ordered.size();
            ordered.push_back({stack.back(), is_placed ? position[next] : NO_RUN, false});
        }
    }
    return ordered;
}

}  // namespace crateful::internal
