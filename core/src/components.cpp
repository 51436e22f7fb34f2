// Adding and removing components (rules C1 to C6, D2).
#include <algorithm>

#include "crateful/detail/message.hpp"
#include "crateful/detail/structure.hpp"

namespace crateful::internal {

void Structure::fail_missing(Entity e, ComponentId id, const char* call) const {
    require_alive(e, call);
    fail(ErrorCode::missing_component, {call, ": ", to_string(e), " has no ", registry::type(id).name});
}

void Structure::fail_parent(const char* call) {
    fail(ErrorCode::bad_argument,
         {call, ": Parent is added, changed and removed only by setting the parent of an entity"});
}

bool Structure::has(Entity e, ComponentId id) const noexcept {
    const Storage* s = tracking.find_storage(id);
    return s != nullptr && s->has(e);
}

// --- values that are destroyed last ---------------------------------------------------------------

void Structure::reserve_parked(Storage& s) {
    tracking.parked.reserve(tracking.parked.size() + 1);
    s.reserve_parked();
}

void Structure::park(Entity e, Storage& s, std::uint32_t slot) noexcept {
    s.park(slot);
    tracking.parked.push_back({e, s.type().id});
}

void Structure::unpark() {
    Storage& s = storage(tracking.parked.back().id);
    tracking.parked.pop_back();
    s.unpark();
}

// --- adding ---------------------------------------------------------------------------------------

Structure::Added Structure::begin_add(Entity e, ComponentId id) {
    tracking.require_possible("add");
    require_alive(e, "add");
    require_free(id, "add");
    ComponentClass& cls = tracking.component_class(id);
    Storage& s = *cls.storage;
    tracking.drain_marks();
    const auto [slot, is_new] = s.place(e);
    if (is_new) tracking.set_class(e, cls);
    else if (s.has_object(slot)) detach_object(e, s, s.flags(slot));
    return {cls, slot, is_new};
}

// The component was replaced (rule C1).
void Structure::detach_object(Entity e, const Storage& s, std::uint8_t& flags) {
    if (tracking.host != nullptr) tracking.host->component_detached(e, s.type().id, true);
    flags &= static_cast<std::uint8_t>(~Storage::HAS_OBJECT);
}

void Structure::add(Entity e, ComponentId id, const std::byte* packed, std::uint8_t flags) {
    if (flags != 0) storage(id).keep_flags();
    const Added added = begin_add(e, id);
    ComponentClass& cls = added.cls;
    const std::uint32_t slot = added.slot;
    FirstError error;
    error.guard([&] { cls.storage->write_packed(slot, packed); });
    if (flags != 0) cls.storage->flags(slot) |= flags;
    if (!error.failed()) return tracking.added(e, cls, added.is_new);
    error.guard([&] { tracking.added(e, cls, added.is_new); });
    error.rethrow();
}

void Structure::add(std::span<const Entity> entities, ComponentId id, Fill fill, void* context) {
    // A copy, because `entities` may refer to a list that changes during the call.
    tracking.require_possible("add");
    const std::vector<Entity> copy(entities.begin(), entities.end());
    for (const Entity e : copy) require_alive(e, "add");
    require_free(id, "add");
    ComponentClass& cls = tracking.component_class(id);
    if (EntityList list(copy); cls.storage->policy() == Policy::linear) return add(list, cls, fill, context);
    for (const Entity e : copy) cls.storage->reserve(e, cls.storage->count() + copy.size());
    const std::vector<Entity> first = Tracking::without(cls, copy);
    tracking.drain_marks();
    FirstError error;
    error.guard([&] { place(cls, copy, fill, context); });
    error.guard([&] { tracking.added(copy, cls, first); });  // those that were added, if a value could not be written
    error.rethrow();
}

// Under `linear`, where the slots are known before.
void Structure::add(EntityList& list, ComponentClass& cls, Fill fill, void* context) {
    Storage& s = *cls.storage;
    s.reserve(list);
    const SlotList slots = list.indices();
    const std::vector<Entity> first = Tracking::without(cls, list.entities());
    tracking.drain_marks();
    const auto has = [&](Entity e) { return s.has(e); };
    if (slots.list == nullptr && std::none_of(list.entities().begin(), list.entities().end(), has)) {
        s.append(list);
        for (const Entity e : list.entities()) tracking.set_class(e, cls);
    } else {
        for (const Entity e : list.entities()) place(cls, e);
    }
    FirstError error;
    if (slots.n > 0) error.guard([&] { fill(context, 0, 0, s, slots); });
    error.guard([&] { tracking.added(list.entities(), cls, first); });
    error.rethrow();
}

// Adds a component, for which there is room, or replaces the entity's own; returns its slot.
std::uint32_t Structure::place(ComponentClass& cls, Entity e) {
    Storage& s = *cls.storage;
    const auto [slot, is_new] = s.place_reserved(e);
    if (is_new) tracking.set_class(e, cls);
    else if (s.has_object(slot)) detach_object(e, s, s.flags(slot));
    return slot;
}

// Under `sparse`: there is room for all.
void Structure::place(ComponentClass& cls, std::span<const Entity> entities, Fill fill, void* context) {
    Storage& s = *cls.storage;
    std::size_t first = 0;  // of the entities with contiguous slots, which are filled with one call
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < entities.size(); ++i) {
        const std::uint32_t slot = place(cls, entities[i]);
        if (i > first && slot != next) {
            fill(context, 0, first, s, {next - static_cast<std::uint32_t>(i - first), i - first});
            first = i;
        }
        next = slot + 1;
    }
    const std::size_t rest = entities.size() - first;
    if (rest > 0) fill(context, 0, first, s, {next - static_cast<std::uint32_t>(rest), rest});
}

// --- removing -------------------------------------------------------------------------------------

bool Structure::remove(Entity e, ComponentId id, Take take, void* context) {
    tracking.require_possible("remove");
    ComponentClass* cls = tracking.find_class(id);
    const std::uint32_t slot = cls == nullptr ? Storage::ABSENT : cls->storage->slot(e);
    if (slot == Storage::ABSENT || id == PARENT_ID) {
        require_alive(e, "remove");  // what has a component is alive
        require_free(id, "remove");
        return false;
    }
    tracking.drain_marks();
    Storage& s = *cls->storage;
    if (Tracking::removes_silently(*cls) && (take != nullptr || !s.owns_memory())) {
        if (take != nullptr) take(context, s, slot);
        const std::uint32_t before = *tracking.pool.signature(e);
        erase(s, e, slot);
        tracking.reset_class(e, *cls);
        tracking.removed_silently(e, *cls, before);
    } else {
        remove(e, *cls, slot, take, context);
    }
    return true;
}

std::size_t Structure::remove(std::span<const Entity> entities, ComponentId id) {
    tracking.require_possible("remove");
    // A copy, because `entities` may refer to the list of entities that have the component.
    const std::vector<Entity> copy(entities.begin(), entities.end());
    for (const Entity e : copy) require_alive(e, "remove");
    require_free(id, "remove");
    ComponentClass* cls = tracking.find_class(id);
    if (cls == nullptr) return 0;
    tracking.drain_marks();
    std::size_t removed = 0;
    if (Tracking::removes_silently(*cls) && cls->watching.empty() && cls->reading_parents.empty() &&
        !cls->storage->owns_memory()) {
        // Without callbacks, each system processes all entities at once.
        for (const Entity e : copy) {
            std::uint32_t& bits = tracking.pool.signature(e)[cls->bit.word];
            removed += (bits & cls->bit.mask) != 0 ? 1 : 0;
            bits &= ~cls->bit.mask;
        }
        erase(*cls, copy, removed);
        Tracking::stop_all(cls->requiring, *cls, copy);
        return removed;
    }
    Operation operation(tracking);
    FirstError error;
    for (const Entity e : copy) {
        error.guard([&] {
            const std::uint32_t slot = cls->storage->slot(e);  // a callback may have removed it
            if (slot == Storage::ABSENT) return;
            tracking.drain_marks();
            ++removed;
            remove(e, *cls, slot);
        });
    }
    error.rethrow();
    return removed;
}

// Removes the component in a slot. It is removed before callbacks are called, so that they find the final state. If one of them
// reads it (rule A2), or its destructor may use the ECS (rule T5), the value is parked meanwhile. The mark queue must be empty.
void Structure::remove(Entity e, ComponentClass& cls, std::uint32_t slot, Take take, void* context) {
    Storage& s = *cls.storage;
    const ComponentId id = s.type().id;
    const bool read = Tracking::reads_removed(e, cls);
    const bool takes = !read && take != nullptr;
    const bool parks = read || (s.owns_memory() && !takes);
    const bool object = tracking.host != nullptr && s.has_object(slot);
    if (parks) reserve_parked(s);
    if (takes) take(context, s, slot);
    FirstError error;
    Operation operation(tracking);
    if (object) tracking.host->component_detached(e, id, !read);  // before the value moves
    if (parks) park(e, s, slot);
    s.erase(e, slot);
    tracking.reset_class(e, cls);
    tracking.removed(e, cls, error);
    if (object && read) tracking.host->component_destroyed(e, id);
    if (parks) unpark();
    error.rethrow();
}

void Structure::erase(Storage& s, Entity e, std::uint32_t slot) {
    if (s.has_object(slot) && tracking.host != nullptr) tracking.host->component_detached(e, s.type().id, true);
    s.erase(e, slot);
}

// Erases the component, if the entity has one.
void Structure::erase(Storage& s, Entity e) {
    if (const std::uint32_t slot = s.slot(e); slot != Storage::ABSENT) erase(s, e, slot);
}

// Erases the components of one class; `n` of the entities have one.
void Structure::erase(ComponentClass& cls, std::span<const Entity> entities, std::size_t n) {
    Storage& s = *cls.storage;
    if (n != s.count()) {
        if (tracking.host != nullptr && s.has_objects()) {
            for (const Entity e : entities) {
                const std::uint32_t slot = s.slot(e);
                if (slot != Storage::ABSENT && s.has_object(slot))
                    tracking.host->component_detached(e, s.type().id, true);
            }
        }
        s.erase(entities);
    } else if (n > 0) {
        detach_objects(s, NONE);
        s.clear();
    }
}

// All components except that of `kept` are about to be removed.
void Structure::detach_objects(Storage& s, Entity kept) {
    if (tracking.host == nullptr || !s.has_objects()) return;
    for (std::uint32_t slot = s.next_filled(0); slot < s.extent(); slot = s.next_filled(slot + 1)) {
        if (!s.has_object(slot) || s.entities()[slot] == kept) continue;
        tracking.host->component_detached(s.entities()[slot], s.type().id, true);
    }
}

}  // namespace crateful::internal
