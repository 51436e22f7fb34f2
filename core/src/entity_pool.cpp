#include "crateful/detail/entity_pool.hpp"

#include <algorithm>

#include "crateful/detail/message.hpp"

namespace crateful {

void EntityPool::reserve(std::size_t n) {
    const std::size_t fresh = n > free_count_ ? n - free_count_ : 0;
    if (fresh > MAX_ENTITIES - handles_.size()) {
        internal::fail(ErrorCode::out_of_memory,
                       {"add_entity: no handles are left for ", internal::number_text(static_cast<double>(n)),
                        " more entities; at most ", internal::number_text(MAX_ENTITIES), " can exist at once"});
    }
    const std::size_t need = handles_.size() + fresh;
    if (need <= room_) return;
    const std::size_t room = std::max(need, handles_.size() * 2);  // doubled, so that growing by one is amortised O(1)
    handles_.reserve(room);
    control_.handles = handles_.data();
    flags_.reserve(room);
    control_.flags = flags_.data();
    free_.reserve(room);
    room_ = room;
}

}  // namespace crateful
