#include "crateful/entity.hpp"

#include <algorithm>

#include "crateful/error.hpp"

namespace crateful {

std::string describe(Entity e) {
    if (e == NONE) return "entity NONE";
    return "entity " + std::to_string(static_cast<std::uint32_t>(e)) + " (index " + std::to_string(index_of(e)) +
           ", generation " + std::to_string(generation_of(e)) + ")";
}

void EntityPool::reserve(std::size_t n) {
    const std::size_t fresh = n > reusable() ? n - reusable() : 0;
    if (fresh > MAX_ENTITIES - handles_.size()) {
        throw Error(ErrorCode::out_of_memory,
                    "no entity handles left: at most " + std::to_string(MAX_ENTITIES) + " entities at once");
    }
    const std::size_t need = handles_.size() + fresh;
    if (need <= handles_.capacity() && need <= slots_.capacity()) return;
    const std::size_t room = std::max(need, handles_.size() * 2);  // amortised, also when asked for one
    handles_.reserve(room);
    control_.handles = handles_.data();
    slots_.reserve(room);
    control_.table = slots_.data();
}

}  // namespace crateful
