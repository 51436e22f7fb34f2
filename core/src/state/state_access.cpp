#include "state_access.hpp"

#include <algorithm>

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
