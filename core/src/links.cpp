// References to entities, and their reverse (rule C15).
#include <algorithm>
#include <utility>

#include "crateful/detail/link_index.hpp"
#include "crateful/detail/message.hpp"
#include "crateful/ecs.hpp"

namespace crateful {

namespace internal {

LinkIndex::LinkIndex(Storage& storage, std::size_t field, const EntityPool& pool)
    : storage_(storage), field_(field), pool_(pool) {
    storage.keep_changes();
}

void LinkIndex::update() {
    ChangeList& changes = *storage_.changes();
    if (sources_.size() < changes.size()) sources_.resize(changes.size());
    if (first_.size() < pool_.control().slots) {
        first_.resize(pool_.handles().size(), NOWHERE);
        if (std::exchange(left_out_, false)) read_until_ = 0;
    }
    read_until_ = changes.read(read_until_, [&](std::uint32_t source) {
        const std::uint32_t slot = storage_.slot(pool_.at(source));
        const Entity target = slot == Storage::ABSENT ? NONE : value(slot);
        // Also one that is not alive: restoring a state, and going back to a frame, can bring it back.
        const bool listed = index_of(target) < first_.size();
        left_out_ = left_out_ || (target != NONE && !listed);
        set(source, target != NONE && listed ? index_of(target) : NOWHERE);
        return true;
    });
}

void LinkIndex::set(std::uint32_t source, std::uint32_t target) noexcept {
    Source& s = sources_[source];
    if (s.target == target) return;
    if (s.target != NOWHERE) {
        (s.previous == NOWHERE ? first_[s.target] : sources_[s.previous].next) = s.next;
        if (s.next != NOWHERE) sources_[s.next].previous = s.previous;
    }
    s = {target, NOWHERE, NOWHERE};
    if (target == NOWHERE) return;
    s.next = first_[target];
    if (s.next != NOWHERE) sources_[s.next].previous = source;
    first_[target] = source;
}

void LinkIndex::find(Entity target, std::vector<Entity>& found) {
    update();
    if (!pool_.alive(target)) return;
    for (std::uint32_t at = first_[index_of(target)]; at != NOWHERE; at = sources_[at].next) {
        const Entity e = pool_.at(at);
        const std::uint32_t slot = storage_.slot(e);
        // A write without a signal may have changed it.
        if (slot != Storage::ABSENT && value(slot) == target) found.push_back(e);
    }
}

void LinkIndex::sort(std::vector<Entity>& found) {
    // Not std::sort, whose code is several times as long.
    const auto by_index = [](Entity a, Entity b) { return index_of(a) < index_of(b); };
    std::make_heap(found.begin(), found.end(), by_index);
    std::sort_heap(found.begin(), found.end(), by_index);
}

std::vector<Entity> LinkIndex::sources(Entity target) {
    std::vector<Entity> found;
    find(target, found);
    sort(found);
    return found;
}

LinkIndex& Tracking::link_index(ComponentId id, std::size_t field) {
    static_cast<void>(component_class(id));
    LinkIndex* found = nullptr;
    bool several = false;
    for (const auto& index : links_) {
        if (index->storage().type().id != id || (field != ONLY_LINK && index->field() != field)) continue;
        several = found != nullptr;
        found = index.get();
    }
    if (found == nullptr || several) {
        if (const ComponentType& type = registry::type(id); type.kind == ComponentKind::native && !type.described) {
            fail(
                ErrorCode::bad_argument,
                {"linked: ", type.name, " is not described; before an ECS uses it, call describe_component<", type.name,
                 ">(\"", type.name, "\").field(\"name\", &", type.name, "::name) with its members of type Link"});
        }
        fail(ErrorCode::bad_argument, {"linked: ", registry::type(id).name,
                                       several ? " has several link fields; name one" : " has no such link field"});
    }
    return *found;
}

// Signals first, because that can fail.
void Tracking::unlink(LinkIndex& index, Entity source, Entity target) {
    const std::uint32_t slot = index.storage().slot(source);
    if (slot == Storage::ABSENT || index.value(slot) != target) return;
    mark(*classes_[index.storage().type().id], source);
    index.reset(slot);
}

bool Tracking::is_linked(Entity target) {
    return std::any_of(links_.begin(), links_.end(), [&](const auto& index) { return index->refers_to(target); });
}

// In the order of indices, which does not depend on the order of the classes.
void Tracking::unlink_from(Entity target) {
    std::vector<Entity> found;
    for (const auto& index : links_) index->find(target, found);
    LinkIndex::sort(found);
    for (const Entity source : found) {
        for (const auto& index : links_) unlink(*index, source, target);
    }
}

// The entities exist until everything has been removed.
void Tracking::unlink_all(Entity kept) {
    for (const auto& index : links_) {
        const std::uint32_t slot = index->storage().slot(kept);
        const Entity target = slot == Storage::ABSENT ? NONE : index->value(slot);
        if (target != kept && pool.alive(target)) unlink(*index, kept, target);
    }
}

}  // namespace internal

FoundEntities ECS::linked_by(ComponentId id, std::size_t field, Entity e) const {
    // Only lists that are derived from the components change.
    internal::Tracking& tracking = const_cast<ECS&>(*this).tracking();
    internal::LinkIndex& index = tracking.link_index(id, field);
    tracking.drain_marks();
    const auto refers = [](const void* storage, std::size_t number, std::uint64_t target, Entity source) noexcept {
        const Storage& s = *static_cast<const Storage*>(storage);
        const std::uint32_t slot = s.slot(source);
        return slot != Storage::ABSENT &&
               internal::LinkIndex::value(s, number, slot) == Entity{static_cast<std::uint32_t>(target)};
    };
    return {refers, &index.storage(), index.field(), static_cast<std::uint32_t>(e), index.sources(e)};
}

}  // namespace crateful
