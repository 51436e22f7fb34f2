#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "crateful/entity.hpp"

namespace crateful::internal {

/// Slots of a storage, in the order of a list of entities.
struct SlotList {
    std::uint32_t first;
    std::size_t n;
    const std::uint32_t* list = nullptr;  ///< if it is nullptr, they are the `n` slots from `first` on

    [[nodiscard]] std::uint32_t operator[](std::size_t i) const noexcept {
        return list == nullptr ? first + static_cast<std::uint32_t>(i) : list[i];
    }
};

/// A list of entities, with what storages that keep values at the index of the entity need to know of it: found once for all classes, when
/// the first one asks.
class EntityList {
public:
    /// `entities` must exist as long as the list.
    explicit EntityList(std::span<const Entity> entities) noexcept : entities_(entities) {}
    [[nodiscard]] std::span<const Entity> entities() const noexcept { return entities_; }
    [[nodiscard]] std::size_t size() const noexcept { return entities_.size(); }
    /// Finds the others, which do not throw then. O(entities) once.
    void read_indices() {
        if (std::exchange(read_, true)) return;
        bool successive = true;
        for (std::size_t i = 0; i < size(); ++i) {
            if (index_of(entities_[i]) > index_of(last_)) last_ = entities_[i];
            successive = successive && index_of(entities_[i]) == index_of(entities_[0]) + i;
        }
        if (successive) return;
        indices_.reserve(size());
        for (const Entity e : entities_) indices_.push_back(index_of(e));
    }
    /// The entity with the highest index.
    [[nodiscard]] Entity last() const noexcept { return last_; }
    /// The indices, as slots.
    [[nodiscard]] SlotList indices() const noexcept {
        return {entities_.empty() ? 0 : index_of(entities_.front()), size(),
                indices_.empty() ? nullptr : indices_.data()};
    }

private:
    std::span<const Entity> entities_;
    bool read_ = false;
    std::vector<std::uint32_t> indices_;  // empty if they are successive
    Entity last_{0};
};

}  // namespace crateful::internal
