#include "crateful/entity.hpp"

#include <algorithm>

#include "crateful/error.hpp"

namespace crateful {

std::string describe(Entity e) {
    if (e == NONE) return "entity NONE";
    return "entity " + std::to_string(static_cast<std::uint32_t>(e)) + " (index " +
           std::to_string(index_of(e)) + ", generation " + std::to_string(generation_of(e)) + ")";
}

void EntityPool::reserve(std::size_t n) {
    const std::size_t fresh = n > reusable() ? n - reusable() : 0;
    if (fresh > MAX_ENTITIES - handles_.size()) {
        throw Error(ErrorCode::out_of_memory, "no entity handles left: at most " +
                                                  std::to_string(MAX_ENTITIES) + " entities at once");
    }
    const std::size_t need = handles_.size() + fresh;
    if (need <= handles_.capacity() && need <= slots_.capacity()) return;
    const std::size_t room = std::max(need, handles_.size() * 2);  // amortised, also when asked for one
    handles_.reserve(room);
    control_.handles = handles_.data();
    slots_.reserve(room);
    control_.table = slots_.data();
}

Entity EntityPool::create() {
    if (free_count_ > MIN_FREED_BEFORE_REUSE) {
        const std::uint32_t index = first_free_;
        first_free_ = slots_[index].next_free;
        --free_count_;
        ++control_.count;
        return handles_[index] = make_entity(index, slots_[index].generation);
    }
    reserve(1);
    const Entity e = make_entity(static_cast<std::uint32_t>(handles_.size()), 0);
    handles_.push_back(e);
    slots_.emplace_back();
    control_ = {handles_.data(), static_cast<std::uint32_t>(handles_.size()), control_.count + 1, slots_.data()};
    return e;
}

void EntityPool::destroy(Entity e) noexcept {
    const std::uint32_t index = index_of(e);
    Slot& slot = slots_[index];
    handles_[index] = NONE;
    slot.marked = slot.leaving = false;
    slot.shown = 0;
    --control_.count;
    if (slot.generation == ENTITY_LAST_GENERATION) return;  // spent: a handle must never come back
    ++slot.generation;
    if (free_count_++ == 0) {
        first_free_ = index;
    } else {
        slots_[last_free_].next_free = index;
    }
    last_free_ = index;
}

}  // namespace crateful
