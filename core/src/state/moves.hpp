// The order in which entities of a packet get their parents (rule N6).
#pragma once
#include <cstddef>
#include <vector>

#include "change_packet.hpp"

namespace crateful::internal {

struct OrderedMove {
    std::size_t move;
    std::size_t next = NO_RUN;  // the position in the order of the sibling behind it, if that is moved too
    bool done = false;
};
/// Each behind the sibling that it must be in front of. The moves are sorted by their children, of which each is in the list once.
[[nodiscard]] std::vector<OrderedMove> order_moves(const std::vector<Move>& moves);

}  // namespace crateful::internal
