#include "copy_exchange.hpp"

#include <algorithm>
#include <cstring>

#include "bytes.hpp"
#include "crateful/detail/message.hpp"

namespace crateful::internal {
namespace {

void sort_unique(std::vector<std::uint32_t>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

void CopyExchange::prepare() {
    tracking().drain_marks();
    find_different();
    for (std::size_t k = 0; k < touched_.classes.size(); ++k) compare(k);
    plan_systems();
    reserve();
}

void CopyExchange::exchange(FirstError& error) {
    stop_tracking(error);
    error.guard([&] { tracking().drain_marks(); });  // those of callbacks contain slots
    for (const Change& change : changes_) {
        for (const Entity e : change.erased) erase(change.cls->storage(), e);
    }
    exchange_entities();
    for (const Change& change : changes_) {
        exchange_places(change);
        exchange_values(change);
    }
    exchange_hierarchy();
    exchange_time();
    if (touched_.texts[StateCopy::EVENTS]) events_.apply(*this);
    for (SystemPlan& plan : plans_) SystemChange(plan).exchange();
    start_tracking(error);
    for (SystemPlan& plan : plans_) SystemChange(plan).finish();
    exchange_tracked();
}

// --- comparing ------------------------------------------------------------------------------------

void CopyExchange::find_different() {
    candidates_ = touched_.handles;
    for (Touched::Class& cls : touched_.classes) {
        sort_unique(cls.places);
        const auto& copied = copy_.classes()[static_cast<std::size_t>(&cls - touched_.classes.data())];
        for (const std::uint32_t place : cls.places) {
            for (const Entity e : {copied.places.at(place), StoredPlaces{copied.storage()}.at(place)}) {
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
        bool differs = now != then;
        for (std::size_t w = 0; now == then && now != NONE && w < words; ++w) {
            std::uint32_t changed = pool().signature(now)[w] ^ bits[w];
            if (w == 0) changed &= ~FLAGS;
            differs = differs || changed != 0;
            // Added ones are found with their values.
            for (changed &= ~bits[w]; changed != 0; changed &= changed - 1) add_mark(now, EntityPool::class_at(w, changed));
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

bool CopyExchange::selects_later(const SystemBase& system, std::uint32_t index) const noexcept {
    return selects(system, signature(index));
}

void CopyExchange::compare(std::size_t number) {
    Touched::Class& touched = touched_.classes[number];
    if (touched.values.empty() && touched.places.empty()) return;
    CopiedClass& cls = copy_.classes()[number];
    const Storage& s = cls.storage();
    Change change{.cls = &cls, .places = &touched.places};
    sort_unique(touched.values);
    for (const std::uint32_t place : touched.places) {
        const Entity now = StoredPlaces{s}.at(place);
        if (now != NONE && cls.places.find(now) == Places::NOWHERE) change.erased.push_back(now);
    }
    const auto compare_value = [&](std::uint32_t slot) {
        const Entity e = cls.places.at(slot);
        if (e == NONE) return;
        const std::uint32_t present = s.slot(e);
        if (present == Storage::ABSENT) change.added.push_back(e);
        else if (equal(cls, present, slot)) return;
        change.written.push_back(slot);
        if (stays(e)) add_mark(e, s.type().id);
    };
    for (const std::uint32_t slot : touched.places) compare_value(slot);
    for (const std::uint32_t slot : touched.values) {
        if (!std::binary_search(touched.places.begin(), touched.places.end(), slot)) compare_value(slot);
    }
    require_possible(change);
    changes_.push_back(std::move(change));
}

bool CopyExchange::equal(const CopiedClass& cls, std::uint32_t present, std::uint32_t slot) const noexcept {
    for (std::size_t r = 0; r < cls.runs.size(); ++r) {
        const std::size_t size = cls.runs[r].bytes();
        if (!equal_words(cls.present_value(r, present), cls.values[r].data() + slot * size, size)) return false;
    }
    return true;
}

void CopyExchange::require_possible(const Change& change) const {
    Storage& s = change.cls->storage();
    if (!change.places->empty() && s.set().iterating()) {
        fail(ErrorCode::bad_argument,
             {"to: an iteration over ", s.type().name, " has not ended; call it outside of the loop"});
    }
}

// --- memory ---------------------------------------------------------------------------------------

// All systems if events are exchanged, because those in inboxes are a part of them; otherwise those whose state is another one.
void CopyExchange::plan_systems() {
    const std::vector<CopiedSystem>& systems = copy_.systems();
    const bool all = touched_.texts[StateCopy::EVENTS] || touched_.texts[StateCopy::SYSTEMS];
    for (std::size_t k = 0; k < systems.size(); ++k) {
        if (!all && !touched_.texts[StateCopy::DIRTY + k] && !systems[k].system->is_exact()) continue;
        SystemPlan& plan = plans_.emplace_back(SystemPlan{systems[k].system, false, 0, {}, {}, false, {}, {}});
        read_switches(copy_.text(StateCopy::SYSTEMS), k, plan);
        read_dirty(copy_.text(StateCopy::DIRTY + k), plan);
    }
    if (touched_.texts[StateCopy::EVENTS]) return read_waiting(copy_.text(StateCopy::EVENTS), *this, events_, plans_);
    for (SystemPlan& plan : plans_) plan.inboxes.resize(inboxes(*plan.system).size());
}

void CopyExchange::reserve() {
    const std::size_t slots = copy_.totals().slots;
    reserve_systems(plans_, slots, "to");
    reserve_slow_motion(time_.slow_motion);
    for (Change& change : changes_) {
        Storage& s = change.cls->storage();
        s.reserve(change.added);
        const Entity any = !change.added.empty() ? change.added[0] : s.count() > 0 ? s.entities()[0] : NONE;
        if (any != NONE && s.policy() == Policy::sparse) s.reserve(any, s.count() + change.added.size() + 1);  // to swap
        if (s.type().kind == ComponentKind::object) s.keep_flags();
    }
    const Entity* const before = pool().handles().data();
    pool().reserve_indices(slots);
    if (pool().handles().data() != before) tracking().handles_moved();
    RecordReader from(copy_.text(StateCopy::PENDING));
    while (!from.done()) pending_.push_back(from.get<Entity>());
    pending().reserve(pending_.size());
    if (touched_.children.empty()) return;
    sort_unique(touched_.children);
    for (const std::uint32_t i : touched_.children) {
        const Hierarchy::Index node = tracking().hierarchy.find(Entity{i});
        if (node != Hierarchy::NO_NODE) moved_.push_back(tracking().hierarchy[node].entity);
        const Placement placement = placement_of(copy_.hierarchy(), later(i));
        if (placement.parent != NONE) placements_.push_back(placement);
    }
    waiting_.reserve(placements_.size());
    tracking().hierarchy.reserve(slots, tracking().hierarchy.extent() + placements_.size() * 2);
}

// --- exchanging -----------------------------------------------------------------------------------

void CopyExchange::exchange_entities() {
    report_destroyed();
    for (const std::uint32_t i : touched_.handles) {
        if (i < copy_.totals().slots) pool().exchange(i, copy_.handle(i));
    }
    pool().exchange(copy_.totals());
    for (const std::uint32_t i : candidates_) {
        if (const Entity e = later(i); e != NONE) std::copy_n(signature(i), pool().words(), pool().signature(e));
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
void CopyExchange::exchange_places(const Change& change) {
    CopiedClass& cls = *change.cls;
    Storage& s = cls.storage();
    s.append(change.added);
    if (s.type().kind == ComponentKind::object) {
        for (const Entity e : change.added) s.flags(s.slot(e)) |= Storage::HAS_OBJECT;
    }
    if (s.type().kind == ComponentKind::native) {
        for (const Entity e : change.added) s.write_packed(s.slot(e), nullptr);  // for members that are not described
    }
    if (s.policy() == Policy::linear) return;
    for (const std::uint32_t first : *change.places) {
        for (std::uint32_t place = first; place < s.count();) {
            const std::uint32_t from = s.slot(cls.places.at(place));
            if (from == place) break;
            s.swap(place, from);
            place = from;
        }
    }
}

void CopyExchange::exchange_values(const Change& change) {
    CopiedClass& cls = *change.cls;
    for (std::size_t r = 0; r < cls.runs.size(); ++r) {
        const std::size_t size = cls.runs[r].bytes();
        for (const std::uint32_t slot : change.written) copy_words(cls.present_value(r, slot), cls.value(r, slot), size);
    }
}

void CopyExchange::exchange_hierarchy() {
    if (touched_.children.empty()) return;
    for (SystemBase* system : systems_) system->dirty_set().forget_reached();  // by node
    move_siblings(tracking().hierarchy, moved_, placements_, waiting_);
    Storage& s = *tracking().find_storage(PARENT_ID);
    for (const Placement& placement : placements_) s.changed(placement.child);  // also if only the order of siblings differs
}

void CopyExchange::exchange_time() {
    times() = time_.times;
    ecs.set_paused(time_.paused);
    ecs.slow_motion().style = time_.style;
    set_slow_motion(time_.slow_motion);
    set_now(time_.times.game);
}

// What they track is right; only its order is not.
void CopyExchange::exchange_tracked() {
    for (std::size_t k = 0; k < touched_.tracked.size(); ++k) {
        SparseSet& set = copy_.systems()[k].system->tracked();
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
