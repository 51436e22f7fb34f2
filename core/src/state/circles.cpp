// Circles that the moves of a sender would make with parents that the program has set (rule N6).
#include <map>
#include <vector>

#include "change_target.hpp"

namespace crateful::internal {

// The program can have moved entities so that the packet would make circles. Each is cut at a parent that the program has set, before
// anything changes, so `on_remove` is called in time.
void ChangeTarget::cut_circles() {
    cuts_.clear();
    const Hierarchy& hierarchy = state_.tracking().hierarchy;
    std::vector<std::uint32_t> orphans;
    std::map<std::uint64_t, Entity> passed;  // by node: from which child it was passed first
    for (const Move& move : packet_.moves) {
        // Each circle contains an entity that is moved and has children here.
        const Entity child = remains(move.child);
        const Hierarchy::Index node = child == NONE ? Hierarchy::NO_NODE : hierarchy.find(child);
        if (node == Hierarchy::NO_NODE || hierarchy[node].first == Hierarchy::NO_NODE) continue;
        for (Node at = node_of(child); at.local != NONE; at = above(at)) {
            const auto [found, is_new] = passed.emplace(
                std::uint64_t{at.remote == NONE} << 32 | index_of(at.remote == NONE ? at.local : at.remote), child);
            if (is_new) continue;
            if (found->second == child) cut(at, orphans);
            break;
        }
    }
    add_orphans(orphans);
}
// An entity here, as one of the sender's if it is one when the packet is applied.
ChangeTarget::Node ChangeTarget::node_of(Entity local) const noexcept {
    if (local == NONE || !is_copy_later(local)) return {local, NONE};
    for (const Adoption& each : adoptions_) {
        if (each.local == local && arrival(each.remote) == local) return {local, each.remote};
    }
    const Entity handle = local == Structure::WORLD ? local : remote(local);
    return arrival(handle) == local ? Node{local, handle} : Node{};  // which the packet removes
}
ChangeTarget::Node ChangeTarget::above(const Node& node) const noexcept {
    const Move* const move = node.remote == NONE ? nullptr : find_move(index_of(node.remote));
    if (move != nullptr) return {arrival(move->parent), move->parent};
    return state_.tracking().pool.alive(node.local) ? node_of(state_.structure().parent(node.local)) : Node{};
}
// Preferably at an entity of the program. Otherwise the program has moved one of the sender's below another one, and it is not known which.
void ChangeTarget::cut(const Node& first, std::vector<std::uint32_t>& orphans) {
    Entity unmoved = NONE;
    Node at = first;
    do {
        if (at.remote == NONE) return cuts_.push_back(at.local);
        if (unmoved == NONE && find_move(index_of(at.remote)) == nullptr) unmoved = at.remote;
        at = above(at);
    } while (at != first);
    if (unmoved != NONE) orphans.push_back(index_of(unmoved));  // otherwise the bytes are forged
}

}  // namespace crateful::internal
