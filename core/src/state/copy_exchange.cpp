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

CopyExchange::CopyExchange(ECS& of, StateCopy& to, Touched& touched, bool has_host)
    : StateExchange(of, "to"), copy_(to), touched_(touched) {
    Reader time(copy_.text(StateCopy::TIME));
    plan_.time = read_time(time);
    plan_.handles = copy_.handles();
    plan_.left_out = copy_.left_out();
    Reader pending(copy_.text(StateCopy::PENDING));
    plan_.pending = pending.aligned<Entity>(copy_.text(StateCopy::PENDING).size() / sizeof(Entity));
    plan_.classes.reserve(touched_.classes.size());
    for (std::size_t k = 0; k < touched_.classes.size(); ++k) {
        Touched::Class& of_class = touched_.classes[k];
        if (of_class.values.empty() && of_class.places.empty()) continue;
        sort_unique(of_class.values);
        sort_unique(of_class.places);
        plan_class(k);
    }
    plan_systems(has_host);
}

// --- what the copy contains -----------------------------------------------------------------------

// Of a class with fields, all components by slot: nothing is copied. Of another one, those that may differ.
void CopyExchange::plan_class(std::size_t number) {
    CopiedClass& cls = copy_.classes()[number];
    ClassPlan& plan = plan_.classes.emplace_back();
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
    if (plan.type->codec != nullptr) decode_values(tracking(), plan, true);
}

// All systems if events are exchanged, because events in inboxes are a part of them; otherwise those whose state is another one. A system
// that did not exist in that frame only loses the events in its inboxes.
void CopyExchange::plan_systems(bool has_host) {
    std::vector<SystemPlan>& plans = plan_.systems.systems;
    const bool events = touched_.texts[StateCopy::EVENTS];
    const auto add = [&](SystemBase* system) -> SystemPlan& {
        return plans.emplace_back(SystemPlan{system, false, 0, {}, {}, false, {}, {}});
    };
    for (std::size_t k = 0; k < copy_.systems().size(); ++k) {
        SystemBase* const system = copy_.systems()[k].system;
        const std::span<const std::byte> text = copy_.text(StateCopy::SYSTEM + k);
        const bool differs = system != nullptr && (touched_.texts[StateCopy::SYSTEM + k] || system->is_exact());
        if (!text.empty() && (events || differs)) read_system(text, add(system));
    }
    if (events) {
        read_waiting(copy_.text(StateCopy::EVENTS), *this, copy_.without(), has_host, plan_.events, plans);
        std::erase_if(plans, [](const SystemPlan& plan) { return plan.system == nullptr; });
    } else {
        plan_.events.host.systems = plan_.events.host.same = true;
    }
    for (std::size_t k = 0; events && k < copy_.systems().size(); ++k) {
        SystemBase* const system = copy_.systems()[k].system;
        if (system == nullptr || !copy_.text(StateCopy::SYSTEM + k).empty() || inboxes(*system).empty()) continue;
        SystemPlan& plan = add(system);
        plan.only_inboxes = true;
        for (const auto& [type, box] : inboxes(*system)) plan.inboxes.push_back(box->make());
    }
    for (SystemPlan& plan : plans) plan.inboxes.resize(inboxes(*plan.system).size());
}

// --- comparing ------------------------------------------------------------------------------------

void CopyExchange::compare() {
    compare_entities();
    changes_.reserve(numbers_.size() + plan_.left_out.size());
    for (std::size_t k = 0; k < numbers_.size(); ++k) compare_class(k);
}

void CopyExchange::compare_entities() {
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
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
        std::uint32_t* const bits = &signatures_[k * words];
        const Entity then = later(candidates_[k]);
        for (const CopiedClass& cls : copy_.classes()) {
            if (then != NONE && cls.places.find(then) != Places::NOWHERE) bits[cls.cls->bit.word] |= cls.cls->bit.mask;
        }
        compare_entity(candidates_[k], bits);
    }
}

const std::uint32_t* CopyExchange::signature(std::uint32_t index) const noexcept {
    const auto at = std::lower_bound(candidates_.begin(), candidates_.end(), index);
    if (at == candidates_.end() || *at != index) return pool().signature(later(index));  // it stays as it is
    return &signatures_[static_cast<std::size_t>(at - candidates_.begin()) * pool().words()];
}

void CopyExchange::compare_class(std::size_t k) {
    const ClassPlan& plan = plan_.classes[k];
    CopiedClass& cls = copy_.classes()[numbers_[k]];
    const Touched::Class& touched = touched_.classes[numbers_[k]];
    const Storage& s = cls.storage();
    StorageChange change{cls.cls, &plan, {}, {}, {}, {}};
    change.reordered = !touched.places.empty() && s.policy() == Policy::sparse;
    for (const std::uint32_t place : touched.places) {
        const Entity now = StoredPlaces{s}.at(place);
        if (now != NONE && cls.places.find(now) == Places::NOWHERE) change.erased.push_back(now);
    }
    const auto compare_one = [&](std::uint32_t i) {
        if (const Entity e = plan.entities[i]; e != NONE) compare_value(change, i, s.slot(e));
    };
    if (cls.opaque()) {
        for (std::uint32_t i = 0; i < plan.entities.size(); ++i) compare_one(i);
    } else {
        for (const std::uint32_t slot : touched.places) {
            if (slot < plan.entities.size()) compare_one(slot);
        }
        for (const std::uint32_t slot : touched.values) {
            if (!std::binary_search(touched.places.begin(), touched.places.end(), slot)) compare_one(slot);
        }
    }
    change.require_possible(call());
    change.reordered = false;  // exchange_order does it
    changes_.push_back(std::move(change));
}

// --- memory ---------------------------------------------------------------------------------------

void CopyExchange::reserve() {
    for (std::size_t k = 0; k < touched_.tracked.size(); ++k) {
        SystemBase* const system = copy_.systems()[k].system;
        if (system != nullptr && !touched_.tracked[k].empty()) require_no_iteration(*system, call());
    }
    for (StorageChange& change : changes_) {
        Storage& s = change.storage();
        const Entity any = !change.added.empty() ? change.added[0] : s.count() > 0 ? s.entities()[0] : NONE;
        if (any != NONE && s.policy() == Policy::sparse)
            s.reserve(any, s.count() + change.added.size() + 1);  // to swap
    }
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
    // Also indices that were not used yet then.
    for (const std::uint32_t i : touched_.handles) pool().exchange(i, copy_.handle(i));
    pool().exchange(copy_.totals());
    for (const std::uint32_t i : candidates_) {
        if (const Entity e = later(i); e != NONE) set_signature(e, signature(i));
    }
}

// Entities that are at a wrong place go to theirs, each by one exchange. As those that were removed and added are at touched places, or
// have put others there, each circle of wrong places contains a touched one.
void CopyExchange::exchange_order(StorageChange& change) {
    Storage& s = change.storage();
    if (change.plan == nullptr || s.policy() == Policy::linear) return;
    const std::size_t number = numbers_[static_cast<std::size_t>(change.plan - plan_.classes.data())];
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
        if (copy_.systems()[k].system == nullptr || touched_.tracked[k].empty()) continue;
        SparseSet& set = copy_.systems()[k].system->tracked();
        set.end_begun();
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
