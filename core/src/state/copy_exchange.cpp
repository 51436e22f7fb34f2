#include "copy_exchange.hpp"

#include <algorithm>
#include <bit>

#include "crateful/detail/message.hpp"

namespace crateful::internal {
namespace {

// With a bit for each number, unless there are few: sorting takes several times as long.
void sort_unique(std::vector<std::uint32_t>& list) {
    const std::uint32_t most = list.empty() ? 0 : *std::max_element(list.begin(), list.end());
    if (list.size() < most / 256 + 32) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        return;
    }
    std::vector<std::uint64_t> bits(most / 64 + std::size_t{1});
    for (const std::uint32_t number : list) bits[number / 64] |= std::uint64_t{1} << (number % 64);
    list.clear();
    for (std::size_t w = 0; w < bits.size(); ++w) {
        for (std::uint64_t word = bits[w]; word != 0; word &= word - 1)
            list.push_back(static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(word)));
    }
}

}  // namespace

void CopyExchange::read() {
    for (std::size_t k = 0; k < touched_.classes.size(); ++k) {
        Touched::Class& touched = touched_.classes[k];
        if (touched.values.empty() && touched.places.empty()) continue;
        sort_unique(touched.values);
        sort_unique(touched.places);
        plan_class(k);
    }
    plan_systems();
}

void CopyExchange::prepare() {
    tracking().drain_marks();
    find_different();
    changes_.reserve(plans_.size() + copy_.left_out().size());
    for (std::size_t k = 0; k < plans_.size(); ++k) compare(k);
    for (ComponentClass* cls : copy_.left_out()) compare_left_out(*cls);
    reserve();
}

void CopyExchange::exchange(FirstError& error) {
    stop_tracking(error);
    error.guard([&] { tracking().drain_marks(); });  // those of callbacks contain slots
    for (StorageChange& change : changes_) {
        change.begin();
        for (const Entity e : change.erased) erase(change.storage(), e);
    }
    exchange_entities();
    for (std::size_t k = 0; k < plans_.size(); ++k) {
        changes_[k].add();
        exchange_places(changes_[k].storage(), numbers_[k]);
        changes_[k].exchange();
    }
    exchange_hierarchy();
    exchange_time(time_);
    if (touched_.texts[StateCopy::EVENTS]) events_.apply(*this);
    for (SystemPlan& plan : systems_later_) SystemChange(plan).exchange();
}

void CopyExchange::finish(FirstError& error) {
    start_tracking(error);
    for (SystemPlan& plan : systems_later_) SystemChange(plan).finish();
    exchange_tracked();
}

// --- what the copy contains -----------------------------------------------------------------------

// Of a class with fields, all components by slot: nothing is copied. Of another one, those that may differ.
void CopyExchange::plan_class(std::size_t number) {
    CopiedClass& cls = copy_.classes()[number];
    ClassPlan& plan = plans_.emplace_back();
    numbers_.push_back(number);
    plan.type = &cls.type();
    if (cls.opaque()) return plan_opaque(plan, number);
    plan.runs = cls.runs;
    plan.entities = cls.places.entities();
    for (std::size_t r = 0; r < cls.runs.size(); ++r)
        plan.values.push_back({cls.values[r].data(), cls.runs[r].bytes()});
}

void CopyExchange::plan_opaque(ClassPlan& plan, std::size_t number) {
    const CopiedClass& cls = copy_.classes()[number];
    std::vector<Entity>& entities = entities_.emplace_back();
    std::vector<std::uint32_t>& lengths = lengths_.emplace_back();
    std::vector<std::byte>& bytes = memory_.emplace_back();
    const Touched::Class& touched = touched_.classes[number];
    const auto add = [&](std::uint32_t slot) {
        if (cls.places.at(slot) == NONE) return;
        entities.push_back(cls.places.at(slot));
        lengths.push_back(static_cast<std::uint32_t>(cls.values[slot].size()));
        bytes.insert(bytes.end(), cls.values[slot].begin(), cls.values[slot].end());
    };
    for (const std::uint32_t slot : touched.places) add(slot);
    for (const std::uint32_t slot : touched.values) {
        if (!std::binary_search(touched.places.begin(), touched.places.end(), slot)) add(slot);
    }
    plan.entities = entities;
    plan.opaque.lengths = lengths;
    plan.opaque.bytes = bytes.data();
    plan.opaque.differs.assign(entities.size(), 1);
    if (plan.type->codec != nullptr) decode_different(tracking(), plan);
}

// All systems if events are exchanged, because those in inboxes are a part of them; otherwise those whose state is another one.
void CopyExchange::plan_systems() {
    const std::vector<CopiedSystem>& systems = copy_.systems();
    const bool all = touched_.texts[StateCopy::EVENTS] || touched_.texts[StateCopy::SYSTEMS];
    for (std::size_t k = 0; k < systems.size(); ++k) {
        if (!all && !touched_.texts[StateCopy::DIRTY + k] && !systems[k].system->is_exact()) continue;
        SystemPlan& plan = systems_later_.emplace_back(SystemPlan{systems[k].system, false, 0, {}, {}, false, {}, {}});
        read_switches(copy_.text(StateCopy::SYSTEMS), k, plan);
        read_dirty(copy_.text(StateCopy::DIRTY + k), plan);
    }
    if (touched_.texts[StateCopy::EVENTS])
        return read_waiting(copy_.text(StateCopy::EVENTS), *this, copy_.without(), has_host_, events_, systems_later_);
    events_.host.systems = events_.host.same = true;
    for (SystemPlan& plan : systems_later_) plan.inboxes.resize(inboxes(*plan.system).size());
}

// --- comparing ------------------------------------------------------------------------------------

void CopyExchange::find_different() {
    candidates_ = touched_.handles;
    for (const std::size_t number : numbers_) {
        const CopiedClass& cls = copy_.classes()[number];
        for (const std::uint32_t place : touched_.classes[number].places) {
            for (const Entity e : {cls.places.at(place), StoredPlaces{cls.storage()}.at(place)}) {
                if (e != NONE) candidates_.push_back(index_of(e));
            }
        }
    }
    sort_unique(candidates_);
    const std::size_t words = pool().words();
    signatures_.assign(candidates_.size() * words, 0);
    constexpr std::uint32_t FLAGS = (1u << EntityPool::FLAG_BITS) - 1;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
        const std::uint32_t i = candidates_[k];
        std::uint32_t* const bits = &signatures_[k * words];
        const Entity now = pool().at(i);
        const Entity then = later(i);
        for (const CopiedClass& cls : copy_.classes()) {
            if (then != NONE && cls.places.find(then) != Places::NOWHERE) bits[cls.cls->bit.word] |= cls.cls->bit.mask;
        }
        for (const ComponentClass* cls : copy_.left_out()) {
            if (now == then && now != NONE) bits[cls->bit.word] |= pool().signature(now)[cls->bit.word] & cls->bit.mask;
        }
        bool differs = now != then;
        for (std::size_t w = 0; now == then && now != NONE && w < words; ++w) {
            std::uint32_t changed = pool().signature(now)[w] ^ bits[w];
            if (w == 0) changed &= ~FLAGS;
            differs = differs || changed != 0;
            // Added ones are found with their values.
            for (changed &= ~bits[w]; changed != 0; changed &= changed - 1)
                add_mark(now, EntityPool::class_at(w, changed), true);
        }
        if (differs) different_.push_back(i);
        if (now == then && now != NONE) bits[0] |= *pool().signature(now) & EntityPool::NOTIFIES_REMOVAL;
    }
}

const std::uint32_t* CopyExchange::signature(std::uint32_t index) const noexcept {
    const auto at = std::lower_bound(candidates_.begin(), candidates_.end(), index);
    if (at == candidates_.end() || *at != index) return pool().signature(later(index));  // it stays as it is
    return &signatures_[static_cast<std::size_t>(at - candidates_.begin()) * pool().words()];
}

void CopyExchange::compare(std::size_t k) {
    const ClassPlan& plan = plans_[k];
    CopiedClass& cls = copy_.classes()[numbers_[k]];
    const Touched::Class& touched = touched_.classes[numbers_[k]];
    const Storage& s = cls.storage();
    StorageChange change{cls.cls, &plan, {}, {}, {}, {}};
    change.reordered = !touched.places.empty() && s.policy() == Policy::sparse;
    for (const std::uint32_t place : touched.places) {
        const Entity now = StoredPlaces{s}.at(place);
        if (now != NONE && cls.places.find(now) == Places::NOWHERE) change.erased.push_back(now);
    }
    const auto compare_value = [&](std::uint32_t i) {
        const Entity e = plan.entities[i];
        const std::uint32_t slot = e == NONE ? Storage::ABSENT : s.slot(e);
        if (e == NONE || (slot != Storage::ABSENT && equal_value(plan, s, slot, i))) return;
        if (slot == Storage::ABSENT) change.added.push_back(e);
        change.written.push_back(i);
        if (stays(e)) add_mark(e, s.type().id, slot == Storage::ABSENT);
    };
    if (cls.opaque()) {
        for (std::uint32_t i = 0; i < plan.entities.size(); ++i) compare_value(i);
    } else {
        for (const std::uint32_t slot : touched.places) {
            if (slot < plan.entities.size()) compare_value(slot);
        }
        for (const std::uint32_t slot : touched.values) {
            if (!std::binary_search(touched.places.begin(), touched.places.end(), slot)) compare_value(slot);
        }
    }
    change.require_possible("to");
    change.reordered = false;  // exchange_places does it
    changes_.push_back(std::move(change));
}

// Only the components of entities that vanish are removed.
void CopyExchange::compare_left_out(ComponentClass& cls) {
    StorageChange change{&cls, nullptr, {}, {}, {}, {}};
    change.kept = true;
    for (const std::uint32_t i : different_) {
        const Entity e = pool().at(i);
        if (e != NONE && later(i) != e && cls.storage->has(e)) change.erased.push_back(e);
    }
    if (change.erased.empty()) return;
    change.require_possible("to");
    changes_.push_back(std::move(change));
}

// --- memory ---------------------------------------------------------------------------------------

void CopyExchange::reserve() {
    const std::size_t slots = copy_.totals().slots;
    reserve_systems(systems_later_, slots, "to");
    for (std::size_t k = 0; k < touched_.tracked.size(); ++k) {
        if (!touched_.tracked[k].empty()) require_no_iteration(*copy_.systems()[k].system, "to");
    }
    reserve_slow_motion(time_.slow_motion);
    for (StorageChange& change : changes_) {
        change.reserve();
        Storage& s = change.storage();
        const Entity any = !change.added.empty() ? change.added[0] : s.count() > 0 ? s.entities()[0] : NONE;
        if (any != NONE && s.policy() == Policy::sparse)
            s.reserve(any, s.count() + change.added.size() + 1);  // to swap
    }
    const Entity* const before = pool().handles().data();
    pool().reserve_indices(slots);
    if (pool().handles().data() != before) tracking().handles_moved();
    Reader from(copy_.text(StateCopy::PENDING));
    while (!from.done()) pending_.push_back(from.get<Entity>());
    pending().reserve(pending_.size());
    if (!touched_.children.empty()) reserve_hierarchy();
}

void CopyExchange::reserve_hierarchy() {
    sort_unique(touched_.children);
    Hierarchy& hierarchy = tracking().hierarchy;
    for (const std::uint32_t i : touched_.children) {
        const Hierarchy::Index node = hierarchy.find(Entity{i});
        if (node != Hierarchy::NO_NODE) moved_.push_back(hierarchy[node].entity);
        const Placement placement = placement_of(copy_.hierarchy(), later(i));
        if (placement.parent != NONE) placements_.push_back(placement);
    }
    waiting_.reserve(placements_.size());
    hierarchy.reserve(copy_.totals().slots, hierarchy.extent() + placements_.size() * 2);
}

// --- exchanging -----------------------------------------------------------------------------------

void CopyExchange::exchange_entities() {
    report_exchange();
    // Also indices that were not used yet then.
    for (const std::uint32_t i : touched_.handles) pool().exchange(i, copy_.handle(i));
    pool().exchange(copy_.totals());
    for (const std::uint32_t i : candidates_) {
        if (const Entity e = later(i); e != NONE) set_signature(e, signature(i));
    }
    const auto set_pending = [&](bool on) {
        for (const Entity e : pending()) {
            if (!pool().alive(e)) continue;
            std::uint32_t& flags = *pool().signature(e);
            flags = on ? flags | EntityPool::REMOVAL_PENDING : flags & ~EntityPool::REMOVAL_PENDING;
        }
    };
    set_pending(false);
    pending().assign(pending_.begin(), pending_.end());
    reset_removal();
    set_pending(true);
}

// Entities that are at a wrong place go to theirs, each by one exchange. As those that were removed and added are at touched places, or
// have put others there, each circle of wrong places contains a touched one.
void CopyExchange::exchange_places(Storage& s, std::size_t number) {
    if (s.policy() == Policy::linear) return;
    const Places& places = copy_.classes()[number].places;
    for (const std::uint32_t first : touched_.classes[number].places) {
        for (std::uint32_t place = first; place < s.count();) {
            const std::uint32_t from = s.slot(places.at(place));
            if (from == place) break;
            s.swap(place, from);
            place = from;
        }
    }
}

void CopyExchange::exchange_hierarchy() {
    if (touched_.children.empty()) return;
    for (SystemBase* system : systems_) system->dirty_set().forget_reached();  // by node
    move_siblings(tracking().hierarchy, moved_, placements_, waiting_);
    Storage& s = *tracking().find_storage(PARENT_ID);
    for (const Placement& placement : placements_)
        s.moved(placement.child);  // also if only the order of siblings differs
}

// What they track is right; only its order is not.
void CopyExchange::exchange_tracked() {
    for (std::size_t k = 0; k < touched_.tracked.size(); ++k) {
        SparseSet& set = copy_.systems()[k].system->tracked();
        if (!touched_.tracked[k].empty()) set.end_begun();
        for (const std::uint32_t first : touched_.tracked[k]) {
            for (std::uint32_t place = first; place < set.size();) {
                const std::uint32_t from = set.slot(copy_.systems()[k].tracked.at(place));
                if (from == place || from == SparseSet::ABSENT) break;
                set.swap(place, from);
                place = from;
            }
        }
    }
}

}  // namespace crateful::internal
