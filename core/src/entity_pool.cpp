#include "crateful/detail/entity_pool.hpp"

#include <algorithm>
#include <utility>

#include "crateful/detail/message.hpp"

namespace crateful {

void EntityPool::reserve(std::size_t n) {
    const std::size_t fresh = n > free_count_ ? n - free_count_ : 0;
    if (fresh > MAX_ENTITIES - control_.slots) {
        internal::fail(ErrorCode::out_of_memory,
                       {"no handles are left for ", internal::number_text(static_cast<double>(n)),
                        " more entities; at most ", internal::number_text(MAX_ENTITIES), " can exist at once"});
    }
    const std::size_t need = control_.slots + fresh;
    if (need <= handles_.size()) return;
    // Twice as much, so that growing by one is amortised O(1); but no index is above the highest one.
    reserve_indices(std::min(std::max(need, std::size_t{control_.slots} * 2), std::size_t{MAX_ENTITIES}));
}

void EntityPool::reserve_indices(std::size_t room) {
    if (room <= handles_.size()) return;
    signatures_.resize(room * words());
    control_.signatures = signatures_.data();
    handles_.resize(room);
    control_.handles = handles_.data();
}

void EntityPool::assign(std::span<const Entity> handles, std::uint32_t first_free) noexcept {
    // Linear storages can have slots behind them: no entry there may be that of a free index.
    if (handles.data() != handles_.data()) std::copy(handles.begin(), handles.end(), handles_.begin());
    std::fill(handles_.begin() + static_cast<std::ptrdiff_t>(handles.size()), handles_.end(), NONE);
    std::fill(signatures_.begin(), signatures_.end(), 0);  // also of indices that are not in use: `create` expects it
    control_.slots = static_cast<std::uint32_t>(handles.size());
    control_.count = free_count_ = 0;
    each([&](Entity) { ++control_.count; });
    first_free_ = first_free;
    for (std::uint32_t at = first_free; at != END; at = index_of(handles_[at])) ++free_count_;
}

void EntityPool::create(std::span<Entity> out) {
    reserve(out.size());
    std::size_t done = 0;
    while (done < out.size() && first_free_ != END) out[done++] = create();
    const auto fresh = static_cast<std::uint32_t>(out.size() - done);  // their signatures are 0
    for (std::uint32_t i = 0; i < fresh; ++i) out[done + i] = handles_[control_.slots + i] = Entity{control_.slots + i};
    control_.slots += fresh;
    control_.count += fresh;
}

void EntityPool::next(std::span<Entity> out) const noexcept {
    std::uint32_t free = first_free_;
    std::uint32_t fresh = control_.slots;
    for (Entity& e : out) {
        if (free == END) {
            e = Entity{fresh++};
            continue;
        }
        const auto entry = static_cast<std::uint32_t>(handles_[free]);
        e = Entity{(entry & ~ENTITY_INDEX_MASK) | free};
        free = entry & ENTITY_INDEX_MASK;
    }
}

void EntityPool::widen(ComponentId largest) {
    const std::size_t wider = ClassBit(largest).word + 1;
    if (wider <= words()) return;
    std::vector<std::uint32_t> copy(handles_.size() * wider);
    for (std::size_t i = 0; i < handles_.size() * words(); ++i)
        copy[i / words() * wider + i % words()] = signatures_[i];
    signatures_ = std::move(copy);
    control_.signatures = signatures_.data();
    control_.words = static_cast<std::uint32_t>(wider);
}

}  // namespace crateful
