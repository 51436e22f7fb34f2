#include "tracking_change.hpp"

#include "crateful/detail/state_steps.hpp"

namespace crateful::internal {

TrackingChange::TrackingChange(ECS& of) : state_(of), systems_(state_.systems_with_on_remove()) {
    bits_.resize(state_.tracking().pool.words());
}

void TrackingChange::prepare() {
    order_.reserve(noted_.size());
    for (std::size_t k = 0; k < noted_.size(); ++k)
        order_.push_back(std::uint64_t{index_of(noted_[k].entity)} << 32 | k);
    sort_keys(order_);
}

void TrackingChange::begin(FirstError& error) {
    const EntityPool& pool = state_.tracking().pool;
    state_.postpone_tracking(true);
    const StateLock lock(state_.ecs);
    const auto noted = [&](std::uint64_t key) -> const Noted& { return noted_[static_cast<std::uint32_t>(key)]; };
    for (auto at = order_.begin(); at != order_.end();) {
        const Entity e = noted(*at).entity;
        std::copy_n(pool.signature(e), bits_.size(), bits_.begin());
        bool vanishes = false;
        for (; at != order_.end() && noted(*at).entity == e; ++at) {
            const Noted& last = noted(*at);
            const EntityPool::ClassBit bit(last.id);
            if (last.id == EVERY_COMPONENT) vanishes = true;
            else if (bit.word >= bits_.size()) continue;  // no system asks for the class
            else if (last.is_present) bits_[bit.word] |= bit.mask;
            else bits_[bit.word] &= ~bit.mask;
        }
        for (SystemBase* system : systems_) {
            if (!system->tracks(e) || (!vanishes && StateAccess::selects(*system, bits_.data()))) continue;
            state_.stop(*system, e, error);
            if (!vanishes) state_.postpone(*system, e, error);  // it may not change after all: there may be no memory
        }
    }
}

}  // namespace crateful::internal
