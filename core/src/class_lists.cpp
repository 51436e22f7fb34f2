// The component classes of an ECS, and the systems in their lists (rules S3, S8, S10).
#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "crateful/detail/insertion_sort.hpp"
#include "crateful/detail/tracking.hpp"

namespace crateful::internal {

using Use = ComponentUse;

namespace {

std::vector<std::uint32_t> signature_of(const std::vector<ComponentId>& ids) {
    std::vector<std::uint32_t> bits;
    for (const ComponentId id : ids) {
        const EntityPool::ClassBit bit(id);
        if (bits.size() <= bit.word) bits.resize(bit.word + 1);
        bits[bit.word] |= bit.mask;
    }
    return bits;
}

bool contains(const std::vector<ComponentId>& list, ComponentId id) {
    return std::find(list.begin(), list.end(), id) != list.end();
}

bool runs_before(const ListedSystem& a, const ListedSystem& b) {
    return a.system != nullptr && b.system != nullptr && a.system->runs_before(*b.system);
}

}  // namespace

// Calls `visit(list, entry, cls)` for each list in which the system is: with its entry there, and the class if it watches that.
template <class Visit>
void Tracking::each_list(SystemBase& system, Visit&& visit) {
    if (system.requires_none_) return;
    const bool has_more = system.signature_.size() > 1 || system.selects_more_();
    ListedSystem entry{&system, system.signature_.front(), has_more, true, true, DirtyCauses::MOVED};
    for (const ComponentId id : system.required()) visit(classes_[id]->requiring, entry, nullptr);
    visit(classes_[system.required().front()]->leading, entry, nullptr);
    for (const Use use : {Use::excluded, Use::accepted}) {
        for (const ComponentId id : system.used_(use)) visit(classes_[id]->filtering, entry, nullptr);
    }
    const auto& ancestors = system.used_(Use::ancestors);
    if (!ancestors.empty()) {
        visit(inheriting_, entry, nullptr);
        entry.itself = false;
        for (const ComponentId id : system.used_(Use::parents)) visit(classes_[id]->reading_parents, entry, nullptr);
        entry.itself = true;
    }
    std::size_t number = 0;
    for (const ComponentId id : system.watched()) {
        entry.cause = DirtyCauses::bit(number++);
        entry.descendants = contains(ancestors, id);
        visit(classes_[id]->watching, entry, classes_[id].get());
    }
    entry.itself = false;
    entry.descendants = true;
    for (const ComponentId id : ancestors) {
        if (contains(system.watched(), id)) continue;
        entry.cause = DirtyCauses::bit(number++);
        visit(classes_[id]->watching, entry, classes_[id].get());
    }
}

void Tracking::prepare(SystemBase& system) {
    for (const auto& ids : system.ids_) {
        for (const ComponentId id : ids) static_cast<void>(component_class(id));
    }
    system.watches_ = system.watches_any();
    system.signature_ = signature_of(system.required());
    system.excluded_signature_ = signature_of(system.used_(Use::excluded));
    system.any_signature_ = signature_of(system.used_(Use::accepted));
    const auto make_room = [](auto& list) {
        if (list.size() == list.capacity()) list.reserve(list.size() + list.size() / 2 + 1);
    };
    DirtyCauses& causes = system.dirty_set().causes();
    causes.unwatch();
    each_list(system, [&](SystemList& list, const ListedSystem& entry, ComponentClass* watched) {
        make_room(list);
        if (watched == nullptr) return;
        causes.watch(watched->storage->type().id, entry.cause | (entry.descendants ? DirtyCauses::MOVED : 0));
    });
    make_room(systems_);
    removed_.reserve(systems_.size() + removed_.size() + 1);
    stopping_.reserve(8 * (systems_.size() + 1));  // for removals in callbacks of removals, several levels deep
}

void Tracking::connect(SystemBase& system) noexcept {
    ++systems_version_;
    if (!system.observer_) ++recorded_version_;
    system.dirty_set().connect(*this);
    system.operations_ = this;
    systems_.push_back(&system);
    each_list(system, [](SystemList& list, const ListedSystem& entry, ComponentClass* watched) {
        list.push_back(entry);
        insertion_sort(list, runs_before);
        if (watched != nullptr) watched->storage->add_watchers(1);
    });
}

void Tracking::stop_all_except(Entity kept) noexcept {
    for (SystemBase* system : systems_) system->stop_tracking_all_except_(kept);
}

void Tracking::order_changed() noexcept {
    ++systems_version_;
    request_cleanup();
}

void Tracking::start_all(SystemBase& system, FirstError& error) {
    if (system.requires_none_) return;
    Operation operation(*this);
    // Iterate over the smallest storage of a required class: it contains every entity that matches.
    const auto smaller = [&](ComponentId a, ComponentId b) {
        return classes_[a]->storage->count() < classes_[b]->storage->count();
    };
    const ComponentId smallest = *std::min_element(system.required().begin(), system.required().end(), smaller);
    drain_marks();
    classes_[smallest]->storage->each([&](Entity e) {
        if (!system.is_added_()) return false;
        if (may_track(system, e)) start(system, e, error);
        return true;
    });
}

void Tracking::disconnect(std::unique_ptr<SystemBase> owned, FirstError& error) {
    SystemBase& system = *owned;
    error.guard([&] { drain_marks(); });
    Operation operation(*this);
    system.state_ = SystemState::removed;  // from now on it does not start to track entities
    std::erase(systems_, &system);
    std::erase_if(postponed_, [&](const Postponed& each) { return each.system == &system; });
    removed_.push_back(std::move(owned));  // there is room
    auto iteration = system.tracked().each();
    for (Entity e; iteration.next(e);) stop(system, e, error);
    // Last: if a callback removes a component meanwhile, the value is parked only if this system is in the lists (rule A2).
    // Callers may be iterating over the lists. So entries become null, and clean_up() erases them.
    ++systems_version_;
    if (!system.observer_) ++recorded_version_;
    each_list(system, [&](SystemList& list, const ListedSystem&, ComponentClass* watched) {
        for (ListedSystem& entry : list) {
            if (entry.system == &system) entry.system = nullptr;
        }
        if (watched != nullptr) watched->storage->add_watchers(-1);
    });
    request_cleanup();
}

void Tracking::clean_up() noexcept {
    // The destructor of a system may call the ECS, so each system is taken from the list before it is destroyed, and this
    // function may be called again meanwhile.
    while (cleanup_requested()) {
        const auto tidy = [](SystemList& list) {
            std::erase_if(list, [](const ListedSystem& entry) { return entry.system == nullptr; });
            insertion_sort(list, runs_before);
        };
        for (const auto& cls : classes_) {
            if (!cls) continue;
            for (SystemList* list :
                 {&cls->requiring, &cls->filtering, &cls->leading, &cls->watching, &cls->reading_parents})
                tidy(*list);
        }
        tidy(inheriting_);
        while (!removed_.empty()) {
            begin();
            {
                const auto system = std::move(removed_.back());
                removed_.pop_back();
            }
            end();
        }
    }
}

void Tracking::repeat_missed(FirstError& error) {
    const std::vector<SystemBase*> systems = systems_;
    any_missed_ = false;
    for (SystemBase* system : systems) {
        if (!std::exchange(system->missed_, false)) continue;
        auto iteration = system->tracked().each();
        for (Entity e; iteration.next(e);) {
            if (!may_track(*system, e)) stop(*system, e, error);
        }
        start_all(*system, error);
    }
}

void Tracking::find_systems(PrefabClasses& prefab) {
    if (prefab.systems_version == systems_version_) return;
    std::vector<std::uint32_t>& bits = prefab.signature;
    bits.assign(pool.words(), 0);
    for (const ComponentId id : prefab.ids) {
        const EntityPool::ClassBit bit(id);
        bits[bit.word] |= bit.mask;
    }
    prefab.systems.clear();
    for (SystemBase* system : systems_) {
        if (!system->required().empty() && selects(*system, bits.data())) prefab.systems.push_back(system);
    }
    insertion_sort(prefab.systems, [](const SystemBase* a, const SystemBase* b) { return a->runs_before(*b); });
    prefab.systems_version = systems_version_;
}

// --- classes --------------------------------------------------------------------------------------

ComponentClass& Tracking::make_class(ComponentId id) {
    const ComponentType& type = registry::use(id);  // throws if there is no such class
    if (id >= classes_.size()) classes_.resize(id + 1);
    pool.widen(id);
    auto cls = std::make_unique<ComponentClass>(type.make_storage(type), id);
    cls->storage->set_handles(pool.handles().data());
    cls->storage->set_host(host);
    if (cls->storage->owns_memory()) {
        if (owning_.size() <= cls->bit.word) owning_.resize(cls->bit.word + 1);
        owning_[cls->bit.word] |= cls->bit.mask;
    }
    std::vector<std::unique_ptr<LinkIndex>> links;
    for (std::size_t k = 0; k < type.fields.size(); ++k) {
        if (type.fields[k].type == FieldType::link)
            links.push_back(std::make_unique<LinkIndex>(*cls->storage, k, pool));
        if (type.kind == ComponentKind::stored && type.fields[k].type == FieldType::string &&
            !type.fields[k].names.empty()) {
            const String initial = strings.intern(type.fields[k].names.front());
            std::memcpy(static_cast<ColumnStorage&>(*cls->storage).initial(k), &initial, sizeof(initial));
        }
    }
    links_.reserve(links_.size() + links.size());
    std::move(links.begin(), links.end(), std::back_inserter(links_));
    classes_[id] = std::move(cls);
    return *classes_[id];
}

void Tracking::set_host(Host* listener) noexcept {
    host = listener;
    for (const auto& cls : classes_) {
        if (cls) cls->storage->set_host(listener);
    }
}

void Tracking::handles_moved() noexcept {
    for (const auto& cls : classes_) {
        if (cls) cls->storage->set_handles(pool.handles().data());
    }
}

}  // namespace crateful::internal
