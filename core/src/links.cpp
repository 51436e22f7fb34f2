// References to entities, and their reverse (rule C15).
#include <algorithm>
#include <array>
#include <utility>

#include "crateful/detail/insertion_sort.hpp"
#include "crateful/detail/link_index.hpp"
#include "crateful/detail/message.hpp"
#include "crateful/ecs.hpp"

namespace crateful {

namespace internal {

LinkIndex::LinkIndex(Storage& storage, std::size_t field, const EntityPool& pool)
    : storage_(storage), field_(field), pool_(pool) {
    storage.keep_links(*this);
}

template <class T>
void LinkIndex::make_page(std::unique_ptr<T[]>& page) {
    page = std::make_unique<T[]>(PAGE);
    ++pages_;
}

// If many components changed, it is faster to read all, one behind the other. If there is no memory, the next call reads again what was
// read already.
void LinkIndex::update() {
    if (indices_ < pool_.control().slots) {
        indices_ = pool_.control().slots;
        all_changed_ = all_changed_ || left_out_ < indices_;
    }
    if (changes_ == 0 && !all_changed_) return;
    if (all_changed_) left_out_ = NOWHERE;
    // A slot stays in its list when the component is removed, and a page stays when no link uses it any more. Begin again when these
    // are the most.
    if (links_ > 2 * storage_.count() + PAGE || pages_ > 4 * links_ + PAGE / 4) clear();
    if (const std::size_t room = storage_.count() / 8 + PAGE; room > changed_.size()) changed_.resize(room);
    const std::uint32_t extent = storage_.extent();
    if (const std::size_t pages = (extent + PAGE - 1) / PAGE; pages > nodes_.size()) nodes_.resize(pages);
    if (all_changed_) {
        for (std::uint32_t slot = storage_.next_filled(0); slot < extent; slot = storage_.next_filled(slot + 1))
            read(slot);
    } else {
        for (std::uint32_t k = 0; k < changes_; ++k) {
            if (filled(changed_[k])) read(changed_[k]);
        }
    }
    changes_ = 0;
    all_changed_ = false;
}

void LinkIndex::read(std::uint32_t slot) {
    const Entity e = value(slot);
    std::uint32_t target = NOWHERE;
    // The target need not be alive: restoring a state, and going back to a frame, can bring it back.
    if (index_of(e) < indices_) target = index_of(e);
    else left_out_ = std::min(left_out_, index_of(e));
    std::unique_ptr<Node[]>& page = nodes_[slot / PAGE];
    if (target == (page == nullptr ? NOWHERE : page[slot % PAGE].target)) return;
    if (page == nullptr) make_page(page);
    if (target != NOWHERE && !has_page(first_, target)) {
        if (target / PAGE >= first_.size()) first_.resize(target / PAGE + 1);
        make_page(first_[target / PAGE]);
    }
    set(slot, target);
}

void LinkIndex::set(std::uint32_t slot, std::uint32_t target) noexcept {
    Node& r = node(slot);
    if (r.target != NOWHERE) {
        --links_;
        *r.link = r.next;
        if (r.next != NOWHERE) node(r.next).link = r.link;
    }
    r.target = target;
    if (target == NOWHERE) return;
    ++links_;
    r.link = &first(target);
    r.next = std::exchange(*r.link, slot);
    if (r.next != NOWHERE) node(r.next).link = &r.next;
}

// It removes the slots of removed components from the list.
void LinkIndex::find(Entity target, std::vector<Entity>& found) {
    update();
    if (!pool_.alive(target) || !has_page(first_, index_of(target))) return;
    for (std::uint32_t at = first(index_of(target)); at != NOWHERE;) {
        const std::uint32_t slot = std::exchange(at, node(at).next);
        if (!filled(slot)) set(slot, NOWHERE);
        // A write without a signal may have changed it.
        else if (value(slot) == target) found.push_back(storage_.entities()[slot]);
    }
}

bool LinkIndex::refers_to(Entity target) {
    update();
    if (!has_page(first_, index_of(target))) return false;
    const std::uint32_t& at = first(index_of(target));
    while (at != NOWHERE && !filled(at)) set(at, NOWHERE);
    return at != NOWHERE;
}

void LinkIndex::clear() noexcept {
    nodes_ = Pages<Node>();
    first_ = Pages<First>();
    changed_ = std::vector<std::uint32_t>();
    links_ = pages_ = changes_ = 0;
    all_changed_ = true;
}

std::size_t LinkIndex::bytes() const noexcept {
    const auto sum = [](const auto& pages) {
        std::size_t n = pages.capacity() * sizeof(pages[0]);
        for (const auto& page : pages) n += page == nullptr ? 0 : PAGE * sizeof(page[0]);
        return n;
    };
    return sum(nodes_) + sum(first_) + changed_.capacity() * sizeof(std::uint32_t);
}

void LinkIndex::sort(std::vector<Entity>& found) {
    const auto by_index = [](Entity a, Entity b) { return index_of(a) < index_of(b); };
    if (found.size() < 32) return insertion_sort(found, by_index);
    std::vector<Entity> sorted(found.size());
    for (std::uint32_t shift = 0; shift < ENTITY_INDEX_BITS; shift += 8) {  // by each byte
        const auto digit = [&](Entity e) { return index_of(e) >> shift & 255; };
        std::array<std::uint32_t, 256> places{};
        for (const Entity e : found) ++places[digit(e)];
        std::uint32_t place = 0;
        for (std::uint32_t& n : places) place += std::exchange(n, place);
        for (const Entity e : found) sorted[places[digit(e)]++] = e;
        found.swap(sorted);
    }
}

std::vector<Entity> LinkIndex::sources(Entity target) {
    std::vector<Entity> found;
    find(target, found);
    std::reverse(found.begin(), found.end());  // the newest was the first, and new ones often have the highest indices
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
