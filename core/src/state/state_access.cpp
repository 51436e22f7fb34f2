#include "state_access.hpp"

#include <algorithm>
#include <array>

#include "crateful/detail/insertion_sort.hpp"
#include "crateful/detail/message.hpp"

namespace crateful::internal {

std::vector<FieldRun> field_runs(const ComponentType& type) {
    std::vector<FieldRun> runs;
    for (std::size_t k = 0; k < type.fields.size(); ++k) {
        if (type.fields[k].continues) ++runs.back().length;
        else runs.push_back({k, 1, type.fields[k].type});
    }
    return runs;
}

std::vector<std::byte> encoded_value(NativeStorage& s, std::uint32_t slot) {
    std::vector<std::byte> value = s.type().codec->encode(s.value(slot));
    value.insert(value.begin(), std::byte{0});
    return value;
}

bool is_record(const ComponentType& type) {
    std::size_t bytes = 0;
    for (const Field& field : type.fields) {
        if (field.type == FieldType::string) return false;  // it has another number in a snapshot
        bytes += size_of(field.type);
    }
    return type.kind == ComponentKind::native && bytes == type.value_bytes && bytes != 0;
}

SlowMotionState StateAccess::slow_motion() const {
    SlowMotionState state{ecs.clock_.slow_motion.frames_, {}};
    for (const auto& [factor, remaining] : ecs.clock_.slow_motion.requests_)
        state.requests.push_back({factor, remaining});
    return state;
}

void StateAccess::require_idle(const char* call) const {
    if (!tracking().in_progress()) return;
    fail(ErrorCode::reentrant_update,
         {call, ": it was called inside an update or a callback; call it after that has returned"});
}

void StateAccess::track_postponed(FirstError& error) const {
    const Operation operation(tracking());  // no system is destroyed meanwhile
    std::vector<Tracking::Postponed>& noted = tracking().postponed_;
    std::vector<std::uint64_t> order(noted.size());  // by the index of the entity
    for (std::size_t k = 0; k < noted.size(); ++k) order[k] = std::uint64_t{index_of(noted[k].entity)} << 32 | k;
    sort_keys(order);
    std::vector<SystemBase*> systems;  // that are noted with one entity
    systems.reserve(noted.size());
    // From here on there is memory for all.
    const std::vector<Tracking::Postponed> all = std::move(noted);  // callbacks can add and remove entities
    noted.clear();
    tracking().postpones_ = false;
    const auto postponed = [&](std::uint64_t key) { return all[static_cast<std::uint32_t>(key)]; };
    for (auto at = order.begin(); at != order.end();) {
        const Entity e = postponed(*at).entity;
        systems.clear();
        for (; at != order.end() && postponed(*at).entity == e; ++at) systems.push_back(postponed(*at).system);
        insertion_sort(systems, [](const SystemBase* a, const SystemBase* b) { return a->runs_before(*b); });
        for (SystemBase* system : systems) {
            if (tracking().may_track(*system, e)) tracking().start(*system, e, error);
            else tracking().stop(*system, e, error);
        }
    }
}

void sort_keys(std::vector<std::uint64_t>& keys) {
    if (std::is_sorted(keys.begin(), keys.end())) return;
    std::uint64_t differing = 0;
    for (const std::uint64_t key : keys) differing |= key ^ keys.front();
    std::vector<std::uint64_t> sorted(keys.size());
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if ((differing >> shift & 255) == 0) continue;
        std::array<std::size_t, 256> ends{};
        for (const std::uint64_t key : keys) ++ends[key >> shift & 255];
        for (std::size_t k = 1; k < ends.size(); ++k) ends[k] += ends[k - 1];
        for (auto at = keys.rbegin(); at != keys.rend(); ++at) sorted[--ends[*at >> shift & 255]] = *at;
        keys.swap(sorted);
    }
}

std::vector<SystemBase*> StateAccess::systems_with_on_remove() const {
    std::vector<SystemBase*> found(tracking().systems().begin(), tracking().systems().end());
    std::erase_if(found, [](const SystemBase* system) { return system->notifies_remove_ == 0; });
    insertion_sort(found, [](const SystemBase* a, const SystemBase* b) { return a->runs_before(*b); });
    return found;
}

std::map<EventType, std::size_t> StateAccess::handlers() const {
    std::map<EventType, std::size_t> counts;
    if (!ecs.events.store_) return counts;
    for (const auto& [type, all] : ecs.events.store_->handlers) {
        if (!all.empty()) counts[type] = all.size();
    }
    return counts;
}

bool StateAccess::contains(const void* address) const noexcept {
    const auto& classes = tracking().classes();
    return std::any_of(classes.begin(), classes.end(), [&](const auto& cls) {
        return cls && cls->storage->type().kind == ComponentKind::native &&
               static_cast<const NativeStorage&>(*cls->storage).contains(address);
    });
}

void StateAccess::reserve_slow_motion(const SlowMotionState& state) const {
    ecs.clock_.slow_motion.requests_.reserve(state.requests.size());
}

void StateAccess::set_slow_motion(const SlowMotionState& state) const {
    SlowMotion& slow = ecs.clock_.slow_motion;
    slow.frames_ = state.frames;
    slow.requests_.clear();
    for (const auto& [factor, remaining] : state.requests) slow.requests_.push_back({factor, remaining});
}

}  // namespace crateful::internal
