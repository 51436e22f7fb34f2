// References in values that only their class can read (rule N6): a value is set again when an entity arrives or leaves to which it refers.
#include <algorithm>
#include <iterator>
#include <utility>

#include "change_target.hpp"

namespace crateful::internal {

void ChangeTarget::note_target(std::uint32_t index, ComponentId id, Entity remote) {
    if (remote == NONE || reading_ == nullptr) return;
    std::vector<Referring>& all = reading_->referring;
    const Entity created = handle_created(index);
    const Entity e = created != NONE ? created : sender_.copies[index].remote;
    if (all.empty() || all.back().entity != e || all.back().id != id) all.push_back({e, id});
    all.back().targets.push_back(remote);
}

Entity ChangeTarget::map_back(Entity local) const noexcept {
    const Entity handle = remote(local);
    return arrival(handle) == local ? handle : NONE;
}

// Where the packet sets or removes the value of a component; without a group if it does neither.
ChangeTarget::Listed ChangeTarget::listed(const Referring& value) const noexcept {
    for (const Group& group : packet_.groups) {
        if (!group.cls->opaque || group.cls->type->id != value.id) continue;
        const std::span<const std::uint32_t> indices = packet_.of(group);
        const auto at = std::lower_bound(indices.begin(), indices.end(), index_of(value.entity));
        if (at != indices.end() && *at == index_of(value.entity))
            return {&group, static_cast<std::size_t>(at - indices.begin())};
    }
    return {};
}

// Values of which a target arrives or leaves are set again.
void ChangeTarget::add_referring() {
    if (packet_.created.empty() && packet_.removed.empty()) return;
    for (const Referring& each : referring_) {
        const auto changes = [&](Entity target) { return arrival(target) != entity(target); };
        // Again: the host can have lacked memory for an object.
        if (!packet_.again && std::none_of(each.targets.begin(), each.targets.end(), changes)) continue;
        const Entity e = arrival(each.entity);
        if (listed(each).group != nullptr || e == NONE || !ecs().has(e, each.id)) continue;
        const auto is_its = [&](const RemoteClass& cls) { return cls.type != nullptr && cls.type->id == each.id; };
        const auto cls = std::find_if(sender_.classes.begin() + 1, sender_.classes.end(), is_its);
        const auto number = static_cast<std::uint32_t>(cls - sender_.classes.begin());
        packet_.groups.push_back({&*cls, number, false, 1, packet_.indices.size(), 1, packet_.encoded.size()});
        packet_.indices.push_back(index_of(each.entity));
        packet_.encoded.push_back({each.bytes});
    }
}

// When the packet is applied. Values that it has set or removed are replaced or forgotten, and so are those of removed entities.
void ChangeTarget::keep_referring() {
    std::vector<Referring>& found = reading_->referring;
    const auto is_opaque = [](const Group& group) { return group.cls->opaque; };
    if (packet_.removed.empty() && std::none_of(packet_.groups.begin(), packet_.groups.end(), is_opaque)) return;
    for (Referring& each : found) {
        const auto [group, i] = listed(each);
        if (group == nullptr || group->fields == 0) continue;
        const std::span<const std::byte> bytes = packet_.encoded[group->values + i].bytes;
        each.bytes.assign(bytes.begin(), bytes.end());
    }
    std::erase_if(found, [](const Referring& each) { return each.bytes.empty(); });  // of forged bytes
    referring_.reserve(referring_.size() + found.size());
    std::erase_if(referring_,
                  [&](const Referring& each) { return listed(each).group != nullptr || entity(each.entity) == NONE; });
    std::move(found.begin(), found.end(), std::back_inserter(referring_));
    found.clear();
}

}  // namespace crateful::internal
