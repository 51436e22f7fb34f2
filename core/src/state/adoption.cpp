// What the sender adds to entities that are here already: those that the program adopts, and all of them at a restart (rule N6).
#include <algorithm>
#include <string>

#include "change_target.hpp"
#include "crateful/detail/message.hpp"

namespace crateful::internal {

void ChangeTarget::adopt(Entity local, Entity handle) {
    if (reading_ != nullptr) {
        fail(ErrorCode::reentrant_update,
             {"adopt: the replica applies bytes at the moment; call it in on_add, or when `apply` has returned"});
    }
    require_same_state("adopt");
    if (!state_.tracking().pool.alive(local))
        fail(ErrorCode::stale_entity, {"adopt: ", to_string(local), " is not alive"});
    if (local == Structure::WORLD || index_of(handle) == 0)
        fail(ErrorCode::bad_argument, {"adopt: the world of the sender is always the world here"});
    if (handle == NONE) fail(ErrorCode::bad_argument, {"adopt: NONE is no entity of the sender"});
    if (const Entity is = remote(local); is != NONE) {
        fail(ErrorCode::bad_argument,
             {"adopt: ", to_string(local), " is already the entity here for ", to_string(is), " of the sender"});
    }
    if (index_of(handle) < sender_.copies.size() && sender_.copies[index_of(handle)].remote == handle) {
        const Entity is = entity(handle);
        fail(ErrorCode::bad_argument,
             {"adopt: ", to_string(handle), " of the sender has arrived already",
              is == NONE ? std::string(", and the program has removed it") : join({", as ", to_string(is)})});
    }
    adoptions_.reserve(adoptions_.size() + 1);
    std::erase_if(adoptions_, [&](const Adoption& each) {
        return each.remote == handle || each.local == local || !state_.tracking().pool.alive(each.local);
    });
    adoptions_.insert(find_adoption(handle), {handle, local, state_.tracking().restorations});
}

// The first adoption of this entity of the sender, or one behind it.
std::vector<ChangeTarget::Adoption>::const_iterator ChangeTarget::find_adoption(Entity remote) const noexcept {
    return std::lower_bound(adoptions_.begin(), adoptions_.end(), remote,
                            [](const Adoption& each, Entity e) { return each.remote < e; });
}

// The entity here that becomes this one of the sender, or NONE.
Entity ChangeTarget::adopted(Entity remote) const noexcept {
    const auto at = find_adoption(remote);
    if (at == adoptions_.end() || at->remote != remote || at->restorations != state_.tracking().restorations)
        return NONE;
    return state_.tracking().pool.alive(at->local) ? at->local : NONE;
}

// Whether the entity here is one of the sender, now or when the packet has created its entities.
bool ChangeTarget::is_copy_later(Entity local) const noexcept {
    if (remote(local) != NONE) return true;
    if (local == Structure::WORLD) return handle_created(0) != NONE;
    return std::any_of(adoptions_.begin(), adoptions_.end(), [&](const Adoption& each) {
        return each.local == local && handle_created(index_of(each.remote)) == each.remote;
    });
}

// The packet contains everything of the entities that a restart sends again, and of those that are adopted: adds to it that what they have
// here besides is removed. Parents that the program has set and that become the sender's are removed with them.
void ChangeTarget::complete() {
    std::vector<std::uint32_t> stay;
    for (const Entity handle : packet_.handles) {
        const bool is_again = packet_.restart_range && (entity(handle) != NONE || index_of(handle) == 0);
        if ((is_again || adopted(handle) != NONE) && remains(index_of(handle)) != NONE)
            stay.push_back(index_of(handle));
    }
    if (stay.empty()) return remove_parents(stay);
    const std::vector<RemoteClass>& classes = sender_.classes.empty() ? packet_.classes : sender_.classes;
    // By index: the last class of which a component is sent.
    std::vector<std::uint32_t> class_of(std::size_t{stay.back()} + 1);
    const std::size_t groups = packet_.groups.size();
    for (std::uint32_t c = 1; c < classes.size(); ++c) {
        const RemoteClass& cls = classes[c];
        if (cls.type == nullptr) continue;
        for (std::size_t k = 0; k < groups; ++k) {
            if (packet_.groups[k].number != c) continue;
            for (const std::uint32_t index : packet_.of(packet_.groups[k])) {
                if (index < class_of.size()) class_of[index] = c;
            }
        }
        Group group{&cls, c, false, 0, packet_.indices.size(), 0, packet_.values.size()};
        for (const std::uint32_t index : stay) {
            if (class_of[index] != c && ecs().has(remains(index), cls.type->id)) packet_.indices.push_back(index);
        }
        group.count = packet_.indices.size() - group.first;
        if (group.count > 0) packet_.groups.push_back(std::move(group));
    }
    remove_parents(stay);
}

// Adds to the packet that these of its entities, and copies below those that become the sender's, lose parents that are the sender's.
void ChangeTarget::remove_parents(std::span<const std::uint32_t> stay) {
    const Hierarchy& hierarchy = state_.tracking().hierarchy;
    std::vector<std::uint32_t> orphans;
    const auto add_children = [&](Entity e) {
        const Hierarchy::Index node = remote(e) == NONE ? hierarchy.find(e) : Hierarchy::NO_NODE;
        if (node == Hierarchy::NO_NODE) return;
        for (Hierarchy::Index at = hierarchy[node].first; at != Hierarchy::NO_NODE; at = hierarchy[at].next) {
            if (const Entity child = remote(hierarchy[at].entity); child != NONE) orphans.push_back(index_of(child));
        }
    };
    for (const std::uint32_t index : stay) {
        const Entity e = remains(index);
        const Entity parent = state_.structure().parent(e);
        if (parent != NONE && is_copy_later(parent)) orphans.push_back(index);
        add_children(e);
    }
    if (handle_created(0) != NONE) add_children(Structure::WORLD);
    add_orphans(orphans);
}

}  // namespace crateful::internal
