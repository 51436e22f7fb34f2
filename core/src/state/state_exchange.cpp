#include "state_exchange.hpp"

#include <algorithm>

#include "crateful/detail/insertion_sort.hpp"

namespace crateful::internal {

std::vector<StateSteps::Class> Plan::steps() {
    std::vector<StateSteps::Class> all;
    for (ClassPlan& cls : classes)
        all.push_back({cls.type->id, cls.entities, cls.opaque.lengths, cls.opaque.bytes, cls.opaque.differs});
    return all;
}

void StateExchange::prepare() {
    tracking().drain_marks();  // marks contain slots
    compare();
    for (ComponentClass* cls : plan_.left_out) {
        compare_left_out(*cls);
        find_unlinked(*cls);
    }
    reserve_all();
}

void StateExchange::exchange() {
    stop_tracking();
    error_.guard([&] { tracking().drain_marks(); });  // those of callbacks contain slots
    for (StorageChange& change : changes_) {
        change.begin();
        for (const Entity e : change.erased) erase(change.storage(), e);
    }
    report_exchange();
    exchange_entities();
    exchange_pending();
    for (StorageChange& change : changes_) {
        change.add();
        exchange_order(change);
        change.exchange();
    }
    unlink();
    exchange_hierarchy();
    exchange_time();
    if (!plan_.events.host.same) plan_.events.apply(*this);
    for (SystemPlan& system : plan_.systems.systems) SystemChange(system).exchange();
    ++tracking().restorations;
}

void StateExchange::finish() {
    error_.guard([&] { tracking().drain_marks(); });  // those of a host that has written to objects
    // First, so that callbacks find everything by its present value (rules C15, Q10, Q11).
    for (const std::uint64_t mark : marks_) class_of_mark(mark).storage->changed(later(index_of_mark(mark)));
    start_tracking();
    for (SystemPlan& system : plan_.systems.systems) SystemChange(system).finish();
    exchange_tracked();
    error_.rethrow();
}

// --- comparing ------------------------------------------------------------------------------------

void StateExchange::compare_entity(std::uint32_t index, std::uint32_t* signature) {
    constexpr std::uint32_t FLAGS = (1u << EntityPool::FLAG_BITS) - 1;
    const Entity e = pool().at(index);
    if (e != later(index)) return different_.push_back(index);
    if (e == NONE) return;
    const std::uint32_t* const now = pool().signature(e);
    for (const ComponentClass* cls : plan_.left_out) signature[cls->bit.word] |= now[cls->bit.word] & cls->bit.mask;
    bool differs = false;
    for (std::size_t w = 0; w < pool().words(); ++w) {
        std::uint32_t changed = now[w] ^ signature[w];
        if (w == 0) changed &= ~FLAGS;
        differs = differs || changed != 0;
        for (changed &= now[w]; changed != 0; changed &= changed - 1)
            add_mark(e, EntityPool::class_at(w, changed), true);
    }
    if (differs) different_.push_back(index);
    signature[0] |= now[0] & EntityPool::NOTIFIES_REMOVAL;
}

void StateExchange::compare_value(StorageChange& change, std::uint32_t i, std::uint32_t slot) {
    const Storage& s = change.storage();
    const Entity e = change.plan->entities[i];
    const bool is_added = slot == Storage::ABSENT;
    if (is_added) change.added.push_back(e);
    else if (equal_value(*change.plan, s, slot, i)) return;
    change.written.push_back(i);
    if (stays(e)) add_mark(e, s.type().id, is_added);
}

// Only the components of entities that vanish are removed.
void StateExchange::compare_left_out(ComponentClass& cls) {
    StorageChange change{&cls, nullptr, {}, {}, {}, {}};
    change.kept = true;
    for (const std::uint32_t i : different_) {
        const Entity e = pool().at(i);
        if (e != NONE && later(i) != e && cls.storage->has(e)) change.erased.push_back(e);
    }
    if (change.erased.empty()) return;
    change.require_possible(call_);
    changes_.push_back(std::move(change));
}

void StateExchange::find_unlinked(const ComponentClass& cls) {
    std::vector<Entity> found;
    for (const auto& index : link_indices()) {
        if (&index->storage() != cls.storage.get()) continue;
        for (const std::uint32_t i : different_) {
            const Entity target = pool().at(i);
            if (target == NONE || later(i) == target) continue;
            found.clear();
            index->find(target, found);
            for (const Entity source : found) {
                if (!stays(source)) continue;
                unlinked_.push_back({index.get(), source, target});
                add_mark(source, cls.storage->type().id, false);
            }
        }
    }
}
void StateExchange::unlink() const noexcept {
    for (const auto& [index, source, target] : unlinked_) {
        const std::uint32_t slot = index->storage().slot(source);
        if (slot != Storage::ABSENT && index->value(slot) == target) index->reset(slot);
    }
}

// --- memory ---------------------------------------------------------------------------------------

void StateExchange::reserve_all() {
    reserve_systems();
    reserve_slow_motion(plan_.time.slow_motion);
    for (StorageChange& change : changes_) change.reserve();
    const Entity* const before = pool().handles().data();
    pool().reserve_indices(plan_.handles.size());
    if (pool().handles().data() != before) tracking().handles_moved();
    pending().reserve(plan_.pending.size());
    reserve();
}

// So that what differs afterwards can become dirty, and be tracked.
void StateExchange::reserve_systems() {
    sort_keys(marks_);
    for (SystemBase* system : tracking().systems()) {
        if (!system->required().empty()) systems_.push_back(system);
    }
    if (systems_.empty() && plan_.systems.systems.empty()) return;
    insertion_sort(systems_, [](const SystemBase* a, const SystemBase* b) { return a->runs_before(*b); });
    std::vector<std::uint64_t> touched(different_.begin(), different_.end());
    for (const std::uint64_t mark : marks_) touched.push_back(index_of_mark(mark));
    sort_keys(touched);
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    const auto tracks_later = [&](const SystemBase& system, std::uint32_t i) {
        return later(i) != NONE && selects_later(system, i);
    };
    std::vector<Entity> tracked;
    for (SystemBase* system : systems_) {
        tracked.clear();
        for (const std::uint64_t each : touched) {
            const auto i = static_cast<std::uint32_t>(each);
            if (tracks_later(*system, i)) tracked.push_back(later(i));
        }
        system->tracked().reserve(tracked);
        if (system->watches_any()) system->dirty_set().set().reserve(tracked);
    }
    for (SystemPlan& plan : plan_.systems.systems) {
        const auto tracks = [&](Entity e) {
            return later(index_of(e)) == e && selects_later(*plan.system, index_of(e));
        };
        SystemChange(plan).prepare(tracks, plan_.handles.size(), touched.size(), call_);
    }
}

// --- exchanging -----------------------------------------------------------------------------------

void StateExchange::stop_tracking() {
    if (systems_.empty()) return;
    for (const std::uint32_t i : different_) {
        const Entity e = pool().at(i);
        if (e == NONE) continue;
        for (SystemBase* system : systems_) {
            if (system->tracks(e) && !(later(i) == e && selects_later(*system, i))) stop(*system, e, error_);
        }
    }
}

void StateExchange::exchange_time() const {
    const TimeState& time = plan_.time;
    times() = time.times;
    ecs.set_paused(time.paused);
    ecs.slow_motion().style = time.style;
    set_slow_motion(time.slow_motion);
    set_now(time.times.game);
}

// To listeners, and to the host the entities that vanish, which are still alive.
void StateExchange::report_exchange() const {
    for (FrameListener* l = first_listener(); l != nullptr; l = l->next) l->before_exchange(*this);
    Host* const host = tracking().host;
    for (const std::uint32_t i : different_) {
        const Entity e = pool().at(i);
        if (host == nullptr || e == NONE || later(i) == e) continue;
        if ((*pool().signature(e) & EntityPool::NOTIFIES_REMOVAL) != 0) host->entity_destroyed(e);
    }
}

void StateExchange::exchange_pending() {
    const auto set_flag = [&](bool on) {
        for (const Entity e : pending()) {
            if (!pool().alive(e)) continue;
            std::uint32_t& flags = *pool().signature(e);
            flags = on ? flags | EntityPool::REMOVAL_PENDING : flags & ~EntityPool::REMOVAL_PENDING;
        }
    };
    set_flag(false);
    pending().assign(plan_.pending.begin(), plan_.pending.end());
    reset_removal();
    set_flag(true);
}

// In the order of indices: what differs signals, then systems start to track the entity.
void StateExchange::start_tracking() {
    if (systems_.empty() && marks_.empty()) return;
    auto mark_at = marks_.begin();
    auto different_at = different_.begin();
    while (mark_at != marks_.end() || different_at != different_.end()) {
        const bool is_mark =
            different_at == different_.end() || (mark_at != marks_.end() && index_of_mark(*mark_at) <= *different_at);
        const std::uint32_t i = is_mark ? index_of_mark(*mark_at) : *different_at;
        const Entity e = later(i);
        for (; mark_at != marks_.end() && index_of_mark(*mark_at) == i; ++mark_at)
            error_.guard([&] { signal(*mark_at, e); });
        if (different_at == different_.end() || *different_at != i) continue;
        ++different_at;
        for (SystemBase* system : systems_) {
            if (e != NONE && selects_later(*system, i)) start(*system, e, error_);
        }
    }
}

void StateExchange::signal(std::uint64_t of, Entity e) {
    const ComponentClass& cls = class_of_mark(of);
    mark_watching(cls, e);
    if ((of & 1) != 0) tracking().presence_changed(e, cls);
    if (cls.storage->type().id == PARENT_ID) tracking().parent_changed(e);
}

}  // namespace crateful::internal
